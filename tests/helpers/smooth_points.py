"""Functions given by value, gradient and Hessian, as the trust region wants them, and finite differences."""

from __future__ import annotations

import numpy as np


class SmoothPoint:
    """A function at one point; all columns are coupled."""

    def __init__(self, x, value, gradient, hessian):
        self.value, self.gradient, self.matrix = value(x), gradient(x), hessian(x)
        self.coupled, self.diagonal = np.arange(x.size), np.zeros(x.size)

    def product(self, v):
        return self.matrix @ v

    def hessian(self):
        return self.matrix


def differences(function, x, step=1e-5):
    """Central differences of a scalar or vector function, one row per variable."""
    return np.array([(function(x + step * e) - function(x - step * e)) / (2 * step) for e in np.eye(x.size)])
