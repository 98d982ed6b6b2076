"""The pair of multipliers that LIBSVM moves at an iteration, and how far.

A point's value is -y times its gradient. up and low hold zero where alpha may move so that y alpha grows or falls, and
minus infinity where not, so that sums with them can be compared without branches. The largest of many numbers is found
among their bits, because compilers vectorise the maximum of integers but not that of floats; those of numbers that are
not negative compare as they are. No number may be -0.0 or not a number.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from marginfs.types import FloatArray, IntArray

Matrix = npt.NDArray[np.floating]
TAU = 1e-12
"""Curvature to use where a pair has none."""
_SIGN_LESS = 0x7FFFFFFFFFFFFFFF
_LOWEST = -_SIGN_LESS - 1


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
    """The bits of a float as an integer that compares as the float does; of that integer, the bits again."""
    return bits ^ ((bits >> 63) & _SIGN_LESS)


@njit(cache=True)
def _last(bits: IntArray, wanted: int, size: int) -> int:
    """The last place of a number; -1 where it is not found."""
    place = -1
    for t in range(size):
        place = max(place, t if bits[t] == wanted else -1)
    return place


@njit(cache=True)
def most_violating(value: FloatArray, up: FloatArray, size: int, scratch: FloatArray) -> int:
    """The point of largest value among those that may move up, the last one among equals.

    Parameters
    ----------
    value, up : ndarray of shape (n,)
        Values of the points, and which may move.
    size : int
        How many points to look at.
    scratch : ndarray of shape (n,)
        Overwritten.

    Returns
    -------
    int
        The point; -1 where none may move.
    """
    bits = scratch.view(np.int64)
    best: int = _LOWEST
    for t in range(size):
        scratch[t] = value[t] + up[t]
        best = max(best, _ordered(bits[t]))
    i = _last(bits, _ordered(best), size)
    return i if i >= 0 and scratch[i] > -np.inf else -1


@njit(cache=True)
def partner(
    row: Matrix,
    diagonal: FloatArray,
    i: int,
    value: FloatArray,
    low: FloatArray,
    size: int,
    tol: float,
    scratch: FloatArray,
) -> int:
    """The point that promises the largest decrease together with i, the last one among equals.

    Parameters
    ----------
    row : ndarray of shape (n,)
        Row i of the kernel matrix.
    diagonal : ndarray of shape (n,)
        Its diagonal, in double precision.
    i : int
        The most violating point.
    value, low : ndarray of shape (n,)
        Values of the points, and which may move down.
    size : int
        How many points to look at.
    tol : float
        Largest violation that is let pass.
    scratch : ndarray of shape (n,)
        Overwritten.

    Returns
    -------
    int
        The point; -1 where the optimality conditions hold.
    """
    bits, own, high = scratch.view(np.int64), diagonal[i], value[i]
    violating, best = 0, 0
    for t in range(size):
        gap = high - value[t] + low[t]
        violating += 1 if gap >= tol else 0
        curvature = own + diagonal[t] - 2.0 * row[t]
        curvature = curvature if curvature > 0.0 else TAU
        scratch[t] = gap * gap / curvature if gap > 0.0 else 0.0
        best = max(best, bits[t])
    return _last(bits, best, size) if violating > 0 and best > 0 else -1


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
