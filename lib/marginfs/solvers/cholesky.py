"""A Cholesky factor that follows as rows and columns of its matrix come and go."""

from __future__ import annotations

import numpy as np
from numba import njit

from marginfs.types import FloatArray

Quadruple = tuple[float, float, float, float]

_FAST = {"reassoc", "contract", "nsz", "arcp"}


@njit(cache=True, fastmath=_FAST)
def cholesky(A: FloatArray, size: int) -> bool:
    """Replace the lower triangle of A[:size, :size] by its Cholesky factor; False where A is not positive definite.

    Works in blocks of four by two, which saves most of the traffic to memory: up to some hundred rows it beats LAPACK.
    The upper triangle is overwritten as well.

    Parameters
    ----------
    A : ndarray
        A symmetric matrix, changed in place.
    size : int
        How many of its rows and columns to factor.

    Returns
    -------
    bool
        Whether it is positive definite.
    """
    lead = size % 4
    if not _factor_corner(A, 0, lead):
        return False
    for i in range(lead, size, 4):
        for j in range(lead):
            for row in range(i, i + 4):
                for k in range(j):
                    A[row, j] -= A[row, k] * A[j, k]
                A[row, j] /= A[j, j]
        for j in range(lead, i, 2):
            left, right = _reduced(A, i, j, j)
            first, mixed, second = 1.0 / A[j, j], A[j + 1, j], 1.0 / A[j + 1, j + 1]
            for row in range(4):
                value = left[row] * first
                A[i + row, j], A[i + row, j + 1] = value, (right[row] - value * mixed) * second
        for j in range(i, i + 4, 2):
            left, right = _reduced(A, i, j, i)
            for row in range(4):
                A[i + row, j], A[i + row, j + 1] = left[row], right[row]
        if not _factor_corner(A, i, i + 4):
            return False
    return True


@njit(cache=True, fastmath=_FAST, inline="always")
def _factor_corner(A: FloatArray, start: int, stop: int) -> bool:
    """Factor the rows and columns start..stop-1, which are few."""
    for row in range(start, stop):
        for j in range(start, row):
            for k in range(start, j):
                A[row, j] -= A[row, k] * A[j, k]
            A[row, j] /= A[j, j]
        for k in range(start, row):
            A[row, row] -= A[row, k] * A[row, k]
        if not A[row, row] > 0:
            return False
        A[row, row] = np.sqrt(A[row, row])
    return True


@njit(cache=True, fastmath=_FAST, inline="always")
def _reduced(A: FloatArray, i: int, j: int, depth: int) -> tuple[Quadruple, Quadruple]:
    """Entries i..i+3 of columns j and j+1, less what the first `depth` columns of the factor explain."""
    a, b, c, d = A[i, j], A[i + 1, j], A[i + 2, j], A[i + 3, j]
    e, f, g, h = A[i, j + 1], A[i + 1, j + 1], A[i + 2, j + 1], A[i + 3, j + 1]
    for k in range(depth):
        left, right = A[j, k], A[j + 1, k]
        a -= A[i, k] * left
        b -= A[i + 1, k] * left
        c -= A[i + 2, k] * left
        d -= A[i + 3, k] * left
        e -= A[i, k] * right
        f -= A[i + 1, k] * right
        g -= A[i + 2, k] * right
        h -= A[i + 3, k] * right
    return (a, b, c, d), (e, f, g, h)


@njit(cache=True, fastmath=_FAST)
def append(L: FloatArray, row: int) -> bool:
    """Extend the factor by a row.

    Parameters
    ----------
    L : ndarray
        The factor, changed in place; its row `row` holds the entries of A.
    row : int
        The new row, and the size of the factor before.

    Returns
    -------
    bool
        Whether A is positive definite.
    """
    forward(L, row, L[row])
    rest = L[row, row]
    for k in range(row):
        rest -= L[row, k] * L[row, k]
    L[row, row] = np.sqrt(max(rest, 0.0))
    return bool(rest > 0)


@njit(cache=True, fastmath=_FAST)
def delete(L: FloatArray, size: int, row: int, first: FloatArray, second: FloatArray) -> None:
    """Take one row and column out of A = LL', and out of two vectors inv(L)b with them, in O(size^2).

    Givens rotations close the gap, on four rows at a time, since each row is one chain of dependent operations; the
    vectors turn with the rows, as if they were rows of the factor.

    Parameters
    ----------
    L : ndarray
        The factor, changed in place.
    size : int
        Its size.
    row : int
        The row and column to take out.
    first, second : ndarray of float
        The two vectors, changed in place; either may be empty.
    """
    cosine, sine = np.empty(size), np.empty(size)
    for i in range(row, size - 1):
        for k in range(row):
            L[i, k] = L[i + 1, k]
    lead = row + (size - 1 - row) % 4
    for i in range(row, lead):
        _rotate(L, i, row, L[i + 1, row], cosine, sine)
    for i in range(lead, size - 1, 4):
        a, b, c, d = L[i + 1, row], L[i + 2, row], L[i + 3, row], L[i + 4, row]
        for k in range(row, i):
            p, q = cosine[k], sine[k]
            e, f, g, h = L[i + 1, k + 1], L[i + 2, k + 1], L[i + 3, k + 1], L[i + 4, k + 1]
            L[i, k], L[i + 1, k], L[i + 2, k], L[i + 3, k] = p * a + q * e, p * b + q * f, p * c + q * g, p * d + q * h
            a, b, c, d = p * e - q * a, p * f - q * b, p * g - q * c, p * h - q * d
        _rotate(L, i, i, a, cosine, sine)
        _rotate(L, i + 1, i, b, cosine, sine)
        _rotate(L, i + 2, i, c, cosine, sine)
        _rotate(L, i + 3, i, d, cosine, sine)
    for vector in (first, second):
        for k in range(row, min(size, vector.size) - 1):
            left, right = vector[k], vector[k + 1]
            vector[k] = cosine[k] * left + sine[k] * right
            vector[k + 1] = cosine[k] * right - sine[k] * left


@njit(cache=True, fastmath=_FAST, inline="always")
def _rotate(L: FloatArray, i: int, start: int, carry: float, cosine: FloatArray, sine: FloatArray) -> None:
    """Row i of the new factor from row i + 1 of the old one: rotations start..i-1, then the one that clears its end."""
    for k in range(start, i):
        right = L[i + 1, k + 1]
        L[i, k] = cosine[k] * carry + sine[k] * right
        carry = cosine[k] * right - sine[k] * carry
    L[i, i] = np.hypot(carry, L[i + 1, i + 1])
    cosine[i], sine[i] = carry / L[i, i], L[i + 1, i + 1] / L[i, i]


@njit(cache=True, fastmath=_FAST)
def forward(L: FloatArray, size: int, b: FloatArray) -> None:
    """Solve Lx = b in place.

    Parameters
    ----------
    L : ndarray
        The factor.
    size : int
        Its size.
    b : ndarray of float
        The right-hand side, replaced by the solution.
    """
    for i in range(size):
        total = b[i]
        for k in range(i):
            total -= L[i, k] * b[k]
        b[i] = total / L[i, i]


@njit(cache=True, fastmath=_FAST)
def backward(L: FloatArray, size: int, b: FloatArray) -> None:
    """Solve L'x = b in place.

    Parameters
    ----------
    L : ndarray
        The factor.
    size : int
        Its size.
    b : ndarray of float
        The right-hand side, replaced by the solution.
    """
    for i in range(size - 1, -1, -1):
        b[i] /= L[i, i]
        for k in range(i):
            b[k] -= L[i, k] * b[i]
