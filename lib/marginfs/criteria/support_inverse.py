"""Distance of each support vector from the span of the others.

With A = Q + r yy' over the support vectors, the block of the inverse of H = [[Q, y], [y', 0]] that belongs to them is
P = inv(A) - vv' / (y'v), v = inv(A) y, whatever r > 0 is: A is positive definite where H is not. The extended matrix of
Vapnik and Chapelle, [[K, 1], [1', 0]], is H with the labels moved outside, so its inverse has the same diagonal.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from marginfs.solvers.cholesky import cholesky
from marginfs.types import FloatArray

_FAST = {"reassoc", "contract", "nsz"}
_RIDGES = (1e-12, 1e-10, 1e-8)


@njit(cache=True, fastmath=_FAST)
def _inverse_factor(Q: FloatArray, y: FloatArray) -> FloatArray:
    """Inverse of the Cholesky factor of A, with a tiny ridge so that A may be singular, even zero."""
    m = y.size
    scale = 0.0
    for i in range(m):
        scale = max(scale, Q[i, i])
    scale = scale or 1.0
    L = np.empty((m, m))
    for ridge in _RIDGES:
        for i in range(m):
            for j in range(i + 1):
                L[i, j] = Q[i, j] + scale * y[i] * y[j]
            L[i, i] += ridge * scale
        if cholesky(L, m):
            break
    row = np.empty(m)
    for i in range(m):
        row[:i] = 0.0
        for k in range(i):
            for j in range(k + 1):
                row[j] -= L[i, k] * L[k, j]
        pivot = 1.0 / L[i, i]
        for j in range(i):
            L[i, j] = row[j] * pivot
        L[i, i] = pivot
    return L


@njit(cache=True, fastmath=_FAST)
def squared_spans(Q: FloatArray, y: FloatArray) -> FloatArray:
    """S_p^2 = 1 / P_pp for each support vector p, without forming P.

    Parameters
    ----------
    Q : ndarray of shape (m, m)
        Matrix of the dual problem, over the support vectors.
    y : ndarray of shape (m,)
        Their labels.

    Returns
    -------
    ndarray of shape (m,)
        The squared spans.
    """
    N = _inverse_factor(Q, y)
    m = y.size
    diagonal, v = np.zeros(m), np.zeros(m)
    across = 0.0
    for i in range(m):
        projected = 0.0
        for j in range(i + 1):
            diagonal[j] += N[i, j] * N[i, j]
            projected += N[i, j] * y[j]
        across += projected * projected
        for j in range(i + 1):
            v[j] += projected * N[i, j]
    for i in range(m):
        diagonal[i] = 1.0 / max(diagonal[i] - v[i] * v[i] / across, 1e-300)
    return diagonal


@njit(cache=True, fastmath=_FAST)
def inverse_block(Q: FloatArray, y: FloatArray) -> FloatArray:
    """P, the block of the inverse that belongs to the support vectors.

    Parameters
    ----------
    Q : ndarray of shape (m, m)
        Matrix of the dual problem, over the support vectors.
    y : ndarray of shape (m,)
        Their labels.

    Returns
    -------
    ndarray of shape (m, m)
        P.
    """
    N = _inverse_factor(Q, y)
    m = y.size
    P, v = np.zeros((m, m)), np.zeros(m)
    across = 0.0
    for i in range(m):
        projected = 0.0
        for j in range(i + 1):
            projected += N[i, j] * y[j]
            for k in range(j + 1):
                P[j, k] += N[i, j] * N[i, k]
        across += projected * projected
        for j in range(i + 1):
            v[j] += projected * N[i, j]
    for j in range(m):
        for k in range(j + 1):
            P[j, k] -= v[j] * v[k] / across
            P[k, j] = P[j, k]
    return P
