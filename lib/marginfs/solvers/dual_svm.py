"""The linear machine with few points and many features, solved in the dual, and kept solved as features leave.

The companion of `primal_svm.PrimalSvm`, whose matrix is d x d: here it is the n x n matrix of inner products, which
loses x_k x_k' when feature k leaves.
"""

from __future__ import annotations

import numpy as np

from marginfs.solvers.svm_dual import DualSolution, solve_dual
from marginfs.solvers.svm_options import Svm
from marginfs.types import FloatArray, IntArray


class DualSvm:
    """A trained machine.

    Parameters
    ----------
    X : ndarray of shape (n, f)
        Training points.
    y : ndarray of shape (n,)
        Labels -1.0 and +1.0.
    svm : Svm
        C, slack and tol; the kernel is linear.
    """

    def __init__(self, X: FloatArray, y: FloatArray, svm: Svm) -> None:
        self._columns: FloatArray = np.array(X.T, dtype=np.float64, order="C")
        self._y, self._svm = y, svm
        self._work = np.empty((2, y.size, y.size))
        self._compute()
        self._solution: DualSolution = self._train(None)

    @property
    def weights(self) -> FloatArray:
        """Weight vector w = sum_i alpha_i y_i x_i."""
        return self._columns @ (self._solution.alpha * self._y)

    @property
    def bias(self) -> float:
        """Offset b."""
        return self._solution.bias

    def remove(self, positions: IntArray) -> None:
        """Go on without the features at these positions.

        Parameters
        ----------
        positions : ndarray of int
            Positions among the present features.
        """
        gone = self._columns[positions]
        self._columns = np.delete(self._columns, positions, axis=0)
        self._products -= gone.T @ gone
        if np.trace(self._products) < 0.5 * self._computed:
            self._compute()
        self._solution = self._train(self._solution.alpha)

    def _compute(self) -> None:
        """Inner products afresh: once half of their trace has gone, rounding errors would begin to show."""
        self._products: FloatArray = self._columns.T @ self._columns
        self._computed = np.trace(self._products)

    def _train(self, alpha: FloatArray | None) -> DualSolution:
        return solve_dual(self._products, self._y, self._svm, alpha=alpha, work=self._work)
