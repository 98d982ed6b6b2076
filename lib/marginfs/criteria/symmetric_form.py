"""The kernel form over pairs of the same points, each pair taken once: half the work of `KernelForm`.

With K symmetric, only the symmetric part of the pairs' weights counts, and blocks of rows below the diagonal hold it:

    sum_ij M_ij (x_ik - x_jk)^2 = 2 sum_i m_i x_ik^2 - 4 sum_{i > j} M_ij x_ik x_jk,   m_i = sum_j M_ij
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import numpy as np
from numba import njit

from marginfs.criteria.feature_weights import KernelForm, RealArray, SingleArray
from marginfs.types import BoolArray, FloatArray

ROWS = 128
"""Rows of a block: wide enough for the matrix product, narrow enough to leave out the other half."""


class SymmetricForm(KernelForm):
    """A `KernelForm` whose rows and columns are the same points.

    Parameters
    ----------
    A : ndarray of shape (n, d)
        The points.
    K : ndarray of shape (n, n)
        Their kernel matrix.
    b, c : ndarray of shape (n,)
        Coefficients, and weights of the rows.
    z : ndarray of shape (d,)
        Weights of the features.
    answer : callable
        As of `KernelForm`.
    """

    def __init__(
        self,
        A: FloatArray,
        K: FloatArray,
        b: FloatArray,
        c: FloatArray,
        z: FloatArray,
        answer: Callable[[FloatArray], FloatArray],
    ) -> None:
        super().__init__(A, A, K * b, c, z, answer)
        self.K, self.b = K, b

    def over(self, rows: BoolArray, columns: BoolArray) -> SymmetricForm:
        """The form without the points that are among neither.

        Parameters
        ----------
        rows, columns : ndarray of bool
            Those that stay.

        Returns
        -------
        SymmetricForm
            The form.
        """
        kept = rows | columns
        K = self.K[np.ix_(kept, kept)]
        return SymmetricForm(self.A[kept], K, self.b[kept], self.c[kept], self.z, self._answer_over(kept))

    @cached_property
    def q(self) -> FloatArray:  # numpydoc ignore=RT01
        """sum_ij c_i P_ij D_ijk for every feature."""
        totals = np.zeros(self.c.size)
        pairs = [_pair_weights(self.K[rows, : rows.stop], self.b, self.c, rows.start, totals) for rows in self._blocks]
        return np.asarray(_contract_pairs(pairs, totals, self.A), dtype=np.float64)

    @property
    def _blocks(self) -> Iterator[slice]:
        """Blocks of rows."""
        return (slice(first, min(first + ROWS, self.c.size)) for first in range(0, self.c.size, ROWS))

    @cached_property
    def _kernel_blocks(self) -> list[SingleArray]:
        """K below the diagonal, in single precision."""
        return [self.K[rows, : rows.stop].astype(np.float32) for rows in self._blocks]

    def product(self, v: FloatArray) -> FloatArray:
        """Hv over the coupled columns, to single precision: two matrix products over half the pairs.

        Parameters
        ----------
        v : ndarray
            Direction, over the coupled columns.

        Returns
        -------
        ndarray
            The product, over the coupled columns.
        """
        A, _, A2, _, _ = self._single
        z = self.z[self.columns]
        w = (z * v).astype(np.float32)
        scaled, squares = A * (np.float32(-2.0) * w), A2 @ w
        b, c = self.b.astype(np.float32), self.c.astype(np.float32)
        change, totals = np.zeros(b.size, dtype=np.float32), np.zeros(b.size, dtype=np.float32)
        S = [scaled[rows] @ A[: rows.stop].T for rows in self._blocks]
        for rows, block, K in zip(self._blocks, S, self._kernel_blocks, strict=True):
            _first_order(block, K, squares, b, rows.start, change)
        u = self.answer(-2.0 * change.astype(np.float64)).astype(np.float32)
        for rows, block, K in zip(self._blocks, S, self._kernel_blocks, strict=True):
            _second_order(block, K, b, c, u, rows.start, totals)
        return np.asarray(z * _contract_pairs(S, totals, A) - 2.0 * self.q[self.columns] * v)


def _contract_pairs(M: Sequence[RealArray], totals: RealArray, A: RealArray) -> RealArray:
    """sum_ij M_ij (a_ik - a_jk)^2 from the blocks of M below the diagonal and the sums of its rows."""
    crossed, first = np.zeros(A.shape[1], dtype=A.dtype), 0
    for block in M:
        rows, stop = slice(first, first + len(block)), block.shape[1]
        crossed += np.einsum("ik,ik->k", A[rows], block @ A[:stop])
        first = stop
    return np.asarray(2.0 * (totals @ (A * A)) - 4.0 * crossed)


@njit(cache=True, fastmath=True)
def _pair_weights(K: FloatArray, b: FloatArray, c: FloatArray, first: int, totals: FloatArray) -> FloatArray:
    """A block of K_ij (c_i b_j + c_j b_i) / 2 below the diagonal, zero on and above it; adds the sums of its rows."""
    M = np.zeros(K.shape)
    for i in range(len(K)):
        row = first + i
        total, half_b, half_c = 0.0, 0.5 * b[row], 0.5 * c[row]
        for j in range(row):
            value = K[i, j] * (half_c * b[j] + half_b * c[j])
            M[i, j] = value
            total += value
            totals[j] += value
        totals[row] += total
    return M


@njit(cache=True, fastmath=True)
def _first_order(
    S: SingleArray, K: SingleArray, squares: SingleArray, b: SingleArray, first: int, change: SingleArray
) -> None:
    """Complete S in place by the two sums of squares and multiply it by K; adds (K * S) b of both orders."""
    for i in range(len(S)):
        row = first + i
        total, square, factor = np.float32(0.0), squares[row], b[row]
        for j in range(row):
            value = K[i, j] * (S[i, j] + square + squares[j])
            S[i, j] = value
            total += value * b[j]
            change[j] += value * factor
        change[row] += total


@njit(cache=True, fastmath=True)
def _second_order(
    S: SingleArray, K: SingleArray, b: SingleArray, c: SingleArray, u: SingleArray, first: int, totals: SingleArray
) -> None:
    """Replace K * S in place by K_ij (2 S_ij (c_i b_j + c_j b_i) - u_i b_j - u_j b_i); adds the sums of its rows."""
    for i in range(len(S)):
        row = first + i
        total = np.float32(0.0)
        own_b, own_c, own_u = b[row], np.float32(2.0) * c[row], u[row]
        double_b = np.float32(2.0) * own_b
        for j in range(row):
            value = S[i, j] * (own_c * b[j] + double_b * c[j]) - K[i, j] * (own_u * b[j] + own_b * u[j])
            S[i, j] = value
            total += value
            totals[j] += value
        totals[row] += total
        S[i, row:] = np.float32(0.0)
