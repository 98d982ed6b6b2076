"""The linear machine with squared hinge loss, solved in the primal, and kept solved as features come and go.

    minimise  1/2 ||w||^2 + C sum_i max(0, 1 - y_i (w.x_i + b))^2      (LIBLINEAR adds b^2 / 2)

On a fixed set of points inside the margin this is a quadratic, so Newton's method finds its minimum exactly once the
set is found (Keerthi and DeCoste, JMLR 6, 2005). The second-moment matrix of those points is kept: a point that enters
or leaves the set costs O(d^2), a feature that leaves costs nothing, and one that comes costs O(nd). Memory is
O(nd + d^2).
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from marginfs.errors import ConfigError, DataError, MarginfsError
from marginfs.types import BoolArray, FloatArray, IntArray

Bias = Literal["regularised", "free"]
_MOST_STEPS = 500
_MOST_HALVINGS = 60
_SUFFICIENT = 1e-4
_RIDGE = 1e-12


class PrimalSvm:
    """A trained machine.

    Parameters
    ----------
    X : ndarray of shape (n, f)
        Training points.
    y : ndarray of shape (n,)
        Labels -1.0 and +1.0.
    C : float
        Penalty of the squared slack.
    bias : {"regularised", "free"}
        Whether b^2 / 2 is part of the objective, as in LIBLINEAR with intercept_scaling 1.
    tol : float
        Largest entry of the gradient, relative to 2 C sum_i |x_i|.

    Attributes
    ----------
    iterations : int
        Newton steps made so far.
    """

    def __init__(
        self, X: FloatArray, y: FloatArray, *, C: float, bias: Bias = "regularised", tol: float = 1e-8
    ) -> None:
        if not 0 < C < np.inf:
            raise ConfigError(f"C is {C}: write a positive number; this solver has no hard margin.")
        if bias not in get_args(Bias):
            raise ConfigError(f"bias is {bias!r}: write regularised (b^2/2 is part of the objective) or free.")
        if y.min() > 0 or y.max() < 0:
            raise DataError("the labels hold a single class: a support vector machine needs points of both.")
        self._y, self._C, self._tol = y, C, tol
        self._bias_weight = 1.0 if bias == "regularised" else 0.0
        self._signed: FloatArray = np.column_stack((y, y[:, None] * X))
        self._sizes: FloatArray = np.abs(self._signed).sum(axis=0)
        self._theta: FloatArray = np.zeros(X.shape[1] + 1)
        self._inside = np.ones(y.size, dtype=np.bool_)
        self._moments: FloatArray = self._signed.T @ self._signed
        self.iterations = 0
        self._train()

    @property
    def weights(self) -> FloatArray:
        """Weight vector w."""
        return self._theta[1:]

    @property
    def bias(self) -> float:
        """Offset b."""
        return float(self._theta[0])

    @property
    def scores(self) -> FloatArray:
        """The decision function w.x + b at the training points."""
        return self._y * self._margins

    def remove(self, positions: IntArray) -> None:
        """Go on without the features at these positions.

        Parameters
        ----------
        positions : ndarray of int
            Positions among the present features.
        """
        stays = np.delete(np.arange(self._theta.size), positions + 1)
        self._signed, self._theta = np.ascontiguousarray(self._signed[:, stays]), self._theta[stays]
        self._sizes = self._sizes[stays]
        self._moments = self._moments[np.ix_(stays, stays)]
        self._train()

    def add(self, columns: FloatArray) -> None:
        """Go on with more features.

        Parameters
        ----------
        columns : ndarray of shape (n, k)
            Values of the new features, which come last.
        """
        new = self._y[:, None] * columns
        inside = new[self._inside]
        corner = inside.T @ self._signed[self._inside]
        self._moments = np.vstack((np.hstack((self._moments, corner.T)), np.hstack((corner, inside.T @ inside))))
        self._signed = np.hstack((self._signed, new))
        self._sizes = np.concatenate((self._sizes, np.abs(new).sum(axis=0)))
        self._theta = np.concatenate((self._theta, np.zeros(columns.shape[1])))
        self._train()

    def _train(self) -> None:
        """Newton steps from the present weights until the gradient vanishes."""
        Z, C = self._signed, self._C
        penalty: FloatArray = np.ones(self._theta.size)
        penalty[0] = self._bias_weight
        limit = self._tol * 2.0 * C * self._sizes.max()
        margins = Z @ self._theta
        for _ in range(_MOST_STEPS):
            slack = np.maximum(1.0 - margins, 0.0)
            gradient = penalty * self._theta - 2.0 * C * (slack @ Z)
            if np.abs(gradient).max() <= limit:
                self._margins: FloatArray = margins
                return
            self._follow(slack > 0.0)
            hessian = 2.0 * C * self._moments
            hessian.flat[:: penalty.size + 1] += penalty + _RIDGE
            direction: FloatArray = np.linalg.solve(hessian, -gradient).astype(np.float64, copy=False)
            change = Z @ direction
            step = self._search(margins, change, penalty, direction, float(gradient @ direction))
            self._theta = self._theta + step * direction
            margins = margins + step * change
            self.iterations += 1
        raise MarginfsError(f"the linear machine did not reach tol = {self._tol:g}: raise tol, or lower C = {C:g}.")

    def _follow(self, inside: BoolArray) -> None:
        """Second moments of the points that are inside now."""
        comes, goes = inside & ~self._inside, self._inside & ~inside
        if comes.sum() + goes.sum() < inside.sum():
            entered, left = self._signed[comes], self._signed[goes]
            self._moments += entered.T @ entered
            self._moments -= left.T @ left
        else:
            rows = self._signed[inside]
            self._moments = rows.T @ rows
        self._inside = inside

    def _search(
        self, margins: FloatArray, change: FloatArray, penalty: FloatArray, direction: FloatArray, slope: float
    ) -> float:
        """Halve the step until the objective falls enough."""
        linear, curvature = float(penalty * self._theta @ direction), float(penalty * direction @ direction)
        start = self._C * np.sum(np.maximum(1.0 - margins, 0.0) ** 2)
        step = 1.0
        for _ in range(_MOST_HALVINGS):
            loss = self._C * np.sum(np.maximum(1.0 - margins - step * change, 0.0) ** 2)
            fall = start - loss - step * linear - 0.5 * step * step * curvature
            if fall >= -_SUFFICIENT * step * slope:
                break
            step *= 0.5
        return step
