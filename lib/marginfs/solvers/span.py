"""Distance of each support vector from the span of the others.

With A = Q + r yy' over the support vectors, the block of the inverse of H = [[Q, y], [y', 0]] that belongs to them is
P = inv(A) - vv' / (y'v), v = inv(A) y, whatever r > 0 is: A is positive definite where H is not. The extended matrix of
Vapnik and Chapelle, [[K, 1], [1', 0]], is H with the labels moved outside, so its inverse has the same diagonal.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from marginfs.solvers.qp import cholesky
from marginfs.types import FloatArray

_RIDGE = 1e-12


def inverse_block(Q: FloatArray, y: FloatArray) -> FloatArray:
    """P, for Q and y over the support vectors."""
    scale = np.diag(Q).max()
    A = Q + scale * np.outer(y, y)
    np.einsum("ii->i", A)[:] += _RIDGE * scale
    inverse = np.linalg.inv(A)
    v = inverse @ y
    return np.asarray(inverse - np.outer(v, v) / (y @ v))


@njit(cache=True, fastmath={"reassoc", "contract", "nsz"})
def squared_spans(Q: FloatArray, y: FloatArray) -> FloatArray:
    """S_p^2 = 1 / P_pp for each support vector p: only the diagonal, from the inverse of the Cholesky factor."""
    m = y.size
    scale = 0.0
    for i in range(m):
        scale = max(scale, Q[i, i])
    L = np.empty((m, m))
    for i in range(m):
        for j in range(i + 1):
            L[i, j] = Q[i, j] + scale * y[i] * y[j]
        L[i, i] += _RIDGE * scale
    if not cholesky(L, m):
        return np.zeros(m)
    diagonal, v = np.zeros(m), np.zeros(m)
    row = np.empty(m)
    across = 0.0
    for i in range(m):
        _inverse_row(L, i, row)
        projected = 0.0
        for j in range(i + 1):
            diagonal[j] += row[j] * row[j]
            projected += row[j] * y[j]
        across += projected * projected
        for j in range(i + 1):
            v[j] += projected * row[j]
    for i in range(m):
        diagonal[i] = 1.0 / max(diagonal[i] - v[i] * v[i] / across, 1e-300)
    return diagonal


@njit(cache=True, fastmath={"reassoc", "contract", "nsz"})
def _inverse_row(L: FloatArray, i: int, row: FloatArray) -> None:
    """Row i of the inverse of L, written over row i of L, whose earlier rows are already inverted."""
    for j in range(i):
        row[j] = 0.0
    for k in range(i):
        for j in range(k + 1):
            row[j] -= L[i, k] * L[k, j]
    pivot = 1.0 / L[i, i]
    for j in range(i):
        row[j] *= pivot
        L[i, j] = row[j]
    row[i] = L[i, i] = pivot
