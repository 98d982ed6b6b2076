"""Linear systems with a block of a kernel matrix and a ridge, K_QQ + r I, by the Cholesky factor."""

from __future__ import annotations

import numpy as np
from numba import njit

from marginfs.solvers.cholesky import backward, cholesky, forward
from marginfs.types import FloatArray, IntArray


class RidgeBlock:
    """The factored block.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix.
    q : ndarray of int
        The rows and columns of the block.
    ridge : float
        What is added to the diagonal.
    """

    def __init__(self, K: FloatArray, q: IntArray, ridge: float) -> None:
        self._factor = np.empty((q.size, q.size))
        self._definite = _factored(K, q, ridge, self._factor)
        if not self._definite:
            self._factor = K[np.ix_(q, q)]
            self._factor[np.diag_indices_from(self._factor)] += ridge

    def solve(self, right: FloatArray) -> FloatArray:
        """Solve for one or several right-hand sides.

        Parameters
        ----------
        right : ndarray of shape (q,) or (q, m)
            Right-hand sides, as columns.

        Returns
        -------
        ndarray
            The solutions, of the same shape. Where rounding left the block indefinite they come from an LU factor.
        """
        if not self._definite:
            return np.asarray(np.linalg.solve(self._factor, right), dtype=np.float64)
        values = np.array(np.atleast_2d(right.T), order="C")
        _solve(self._factor, values)
        return values[0] if right.ndim == 1 else values.T


@njit(cache=True)
def _factored(K: FloatArray, q: IntArray, ridge: float, L: FloatArray) -> bool:
    """Copy the block into L and factor it there; False where it is not positive definite."""
    for i in range(q.size):
        row = K[q[i]]
        for j in range(i):
            L[i, j] = row[q[j]]
        L[i, i] = row[q[i]] + ridge
    return bool(cholesky(L, q.size))


@njit(cache=True)
def _solve(L: FloatArray, rows: FloatArray) -> None:
    """Replace every row b by the solution of LL'x = b."""
    for i in range(rows.shape[0]):
        forward(L, rows.shape[1], rows[i])
        backward(L, rows.shape[1], rows[i])
