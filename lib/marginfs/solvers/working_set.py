"""The pair of multipliers that LIBSVM moves at an iteration, and how far.

A point's value is -y times its gradient. up and low hold zero where alpha may move so that y alpha grows or falls, and
minus infinity where not, so that sums with them can be compared without branches.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from marginfs.types import FloatArray

Matrix = npt.NDArray[np.floating]
TAU = 1e-12
"""Curvature to use where a pair has none."""
_MAXIMUM = {"nnan", "nsz"}


@njit(cache=True, fastmath=_MAXIMUM)
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


@njit(cache=True, fastmath=_MAXIMUM)
def _gains(
    row: Matrix,
    diagonal: FloatArray,
    own: float,
    high: float,
    value: FloatArray,
    low: FloatArray,
    size: int,
    gain: FloatArray,
) -> tuple[float, float]:
    """Decrease that each partner promises, zero where none; returns the largest, and the largest violation."""
    best, violation = 0.0, -np.inf
    for t in range(size):
        gap = high - value[t] + low[t]
        violation = max(violation, gap)
        curvature = own + diagonal[t] - 2.0 * row[t]
        curvature = curvature if curvature > 0.0 else TAU
        gain[t] = gap * gap / curvature if gap > 0.0 else 0.0
        best = max(best, gain[t])
    return best, violation


@njit(cache=True)
def working_set(
    K: Matrix,
    diagonal: FloatArray,
    value: FloatArray,
    up: FloatArray,
    low: FloatArray,
    size: int,
    tol: float,
    gain: FloatArray,
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
    gain : ndarray of shape (n,)
        Scratch.

    Returns
    -------
    tuple of int
        The pair; -1, -1 where the optimality conditions hold.
    """
    high = largest(value, up, size)
    i = size - 1
    while i >= 0 and value[i] + up[i] != high:
        i -= 1
    if high == -np.inf:
        return -1, -1
    best, violation = _gains(K[i], diagonal, diagonal[i], high, value, low, size, gain)
    if violation < tol or best == 0.0:
        return -1, -1
    j = size - 1
    while gain[j] != best:
        j -= 1
    return i, j


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
