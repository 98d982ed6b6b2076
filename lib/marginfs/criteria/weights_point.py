"""An objective of feature weights at one point: mu sum z plus a part that the weights enter through the kernel only."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property

import numpy as np

from marginfs.criteria.feature_weights import KernelForm, live
from marginfs.types import FloatArray, IntArray


class WeightsPoint(ABC):
    """Gradient and Hessian from the kernel form; what the trust region asks of a point.

    Parameters
    ----------
    z : ndarray of shape (d,)
        Weights, not negative.
    mu : float
        Penalty of the weights.
    """

    value: float

    def __init__(self, z: FloatArray, mu: float) -> None:
        self.z, self.mu, self.live = z, mu, live(z)

    @property
    @abstractmethod
    def form(self) -> KernelForm:  # numpydoc ignore=RT01
        """The kernel's part over the live features."""

    @cached_property
    def gradient(self) -> FloatArray:  # numpydoc ignore=RT01
        """Mu - 2 z q; mu alone where the weight takes no part."""
        gradient = np.full(self.z.size, self.mu, dtype=np.float64)
        gradient[self.live] -= 2.0 * self.z[self.live] * self.form.q
        return gradient

    @cached_property
    def coupled(self) -> IntArray:  # numpydoc ignore=RT01
        """Features that the Hessian couples."""
        return np.asarray(self.live[self.form.columns])

    @cached_property
    def diagonal(self) -> FloatArray:  # numpydoc ignore=RT01
        """-2 q, the Hessian's diagonal where weights are next to zero."""
        diagonal = np.zeros(self.z.size)
        diagonal[self.live] = -2.0 * self.form.q
        return diagonal

    def product(self, v: FloatArray) -> FloatArray:
        """The Hessian over `coupled` times v.

        Parameters
        ----------
        v : ndarray
            Direction over `coupled`.

        Returns
        -------
        ndarray
            The product.
        """
        return self.form.product(v)

    def hessian(self) -> FloatArray:
        """The Hessian over `coupled`.

        Returns
        -------
        ndarray
            A symmetric matrix.
        """
        return self.form.hessian
