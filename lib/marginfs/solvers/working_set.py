"""The pair of multipliers that LIBSVM moves at an iteration, and how far.

A point's value is -y times its gradient. up and low hold zero where alpha may move so that y alpha grows or falls, and
minus infinity where not, so that sums with them can be compared without branches. The largest of many numbers is found
among their bits, because compilers vectorise the maximum of integers but not that of floats.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from marginfs.types import FloatArray

Matrix = npt.NDArray[np.floating]
TAU = 1e-12
"""Curvature to use where a pair has none."""
_SIGN_LESS = 0x7FFFFFFFFFFFFFFF
_LOWEST = -_SIGN_LESS - 1
_BLOCK = 64


@njit(cache=True)
def largest(value: FloatArray, penalty: FloatArray, size: int) -> float:
    """Largest value among points that may move.

    Parameters
    ----------
    value : ndarray
        A number for every point.
    penalty : ndarray
        Zero for points that count, minus infinity for the others.
    size : int
        How many points to look at.

    Returns
    -------
    float
        The largest; minus infinity where no point counts.
    """
    best = -np.inf
    for t in range(size):
        best = max(best, value[t] + penalty[t])
    return best


@njit(cache=True, inline="always")
def _ordered(bits: int) -> int:
    """The bits of a float as an integer that compares as the float does."""
    return bits ^ ((bits >> 63) & _SIGN_LESS)


@njit(cache=True)
def _last_largest(numbers: FloatArray, size: int) -> int:
    """Position of the largest number, the last one among equals; none may be -0.0 or not a number."""
    bits = numbers.view(np.int64)
    best: int = _LOWEST
    for t in range(size):
        best = max(best, _ordered(bits[t]))
    stop = size
    while stop > 0:
        start, count = max(stop - _BLOCK, 0), 0
        for t in range(start, stop):
            count += 1 if _ordered(bits[t]) == best else 0
        if count > 0:
            break
        stop = start
    position = stop - 1
    while _ordered(bits[position]) != best:
        position -= 1
    return position


@njit(cache=True)
def _gains(
    row: Matrix,
    diagonal: FloatArray,
    own: float,
    high: float,
    value: FloatArray,
    low: FloatArray,
    size: int,
    tol: float,
    gain: FloatArray,
) -> int:
    """Decrease that each partner promises, zero where none; returns how many violate optimality by tol or more."""
    count = 0
    for t in range(size):
        gap = high - value[t] + low[t]
        count += 1 if gap >= tol else 0
        curvature = own + diagonal[t] - 2.0 * row[t]
        curvature = curvature if curvature > 0.0 else TAU
        gain[t] = gap * gap / curvature if gap > 0.0 else 0.0
    return count


@njit(cache=True)
def working_set(
    K: Matrix,
    diagonal: FloatArray,
    value: FloatArray,
    up: FloatArray,
    low: FloatArray,
    size: int,
    tol: float,
    scratch: FloatArray,
) -> tuple[int, int]:
    """The most violating point and the partner that promises the largest decrease, the last ones among equals.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix.
    diagonal : ndarray of shape (n,)
        Its diagonal, in double precision.
    value, up, low : ndarray of shape (n,)
        Values of the points, and where they may move.
    size : int
        How many points to look at.
    tol : float
        Largest violation that is let pass.
    scratch : ndarray of shape (n,)
        Overwritten.

    Returns
    -------
    tuple of int
        The pair; -1, -1 where the optimality conditions hold.
    """
    for t in range(size):
        scratch[t] = value[t] + up[t]
    i = _last_largest(scratch, size) if size > 0 else -1
    if i < 0 or scratch[i] == -np.inf:
        return -1, -1
    if _gains(K[i], diagonal, diagonal[i], scratch[i], value, low, size, tol, scratch) == 0:
        return -1, -1
    j = _last_largest(scratch, size)
    return (i, j) if scratch[j] > 0.0 else (-1, -1)


@njit(cache=True)
def move(alpha: FloatArray, y: FloatArray, value: FloatArray, i: int, j: int, curvature: float, C: float) -> None:
    """Minimise over a pair, then step back into the box.

    Parameters
    ----------
    alpha : ndarray of shape (n,)
        Multipliers, changed in place.
    y, value : ndarray of shape (n,)
        Labels and values of the points.
    i, j : int
        The pair.
    curvature : float
        Second derivative along it.
    C : float
        Upper bound.
    """
    if y[i] != y[j]:
        step = (y[i] * value[i] + y[j] * value[j]) / curvature
        difference = alpha[i] - alpha[j]
        alpha[i] += step
        alpha[j] += step
        if difference > 0 and alpha[j] < 0:
            alpha[i], alpha[j] = difference, 0.0
        elif difference <= 0 and alpha[i] < 0:
            alpha[i], alpha[j] = 0.0, -difference
        if difference > 0 and alpha[i] > C:
            alpha[i], alpha[j] = C, C - difference
        elif difference <= 0 and alpha[j] > C:
            alpha[i], alpha[j] = C + difference, C
        return
    step = (y[j] * value[j] - y[i] * value[i]) / curvature
    total = alpha[i] + alpha[j]
    alpha[i] -= step
    alpha[j] += step
    for first, second in ((i, j), (j, i)):
        if total > C and alpha[first] > C:
            alpha[first], alpha[second] = C, total - C
        elif total <= C and alpha[second] < 0:
            alpha[first], alpha[second] = total, 0.0


@njit(cache=True)
def mark(t: int, alpha: FloatArray, y: FloatArray, C: float, up: FloatArray, low: FloatArray) -> None:
    """Note on which sides a point may move.

    Parameters
    ----------
    t : int
        The point.
    alpha, y : ndarray of shape (n,)
        Multipliers and labels.
    C : float
        Upper bound.
    up, low : ndarray of shape (n,)
        Set to zero where it may move, to minus infinity where not.
    """
    grows, falls = 0.0 if alpha[t] < C else -np.inf, 0.0 if alpha[t] > 0 else -np.inf
    up[t], low[t] = (grows, falls) if y[t] > 0 else (falls, grows)
