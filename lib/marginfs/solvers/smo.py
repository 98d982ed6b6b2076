"""Sequential minimal optimisation of the hinge-loss dual, with the iterates of LIBSVM and a cap on them if wanted.

    minimise  1/2 sum_ij a_i a_j y_i y_j K_ij - sum_i a_i   subject to  sum_i a_i y_i = 0,  0 <= a_i <= C

The working set is the most violating point and the partner that promises the largest decrease (Fan, Chen and Lin,
JMLR 6, 2005); points at a bound that have settled are left out every so often (shrinking). A method that stops after a
number of iterations reports what those iterations happened to reach, so rule, ties, rounding and shrinking are those of
LIBSVM: with the points grouped by class, the smaller label first, alpha after k iterations is that of scikit-learn's
SVC(max_iter=k) to the bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit

from marginfs.errors import ConfigError, DataError, MarginfsError
from marginfs.solvers.working_set import TAU, Matrix, largest, mark, most_violating, move, partner
from marginfs.types import FloatArray, IntArray

MOST_ITERATIONS = 10_000_000


@dataclass(frozen=True, slots=True)
class SmoSolution:
    """Where the iterations ended.

    Attributes
    ----------
    alpha : ndarray of shape (n,)
        Multipliers, between 0 and C.
    bias : float
        Offset b of the decision function sum_i alpha_i y_i k(x_i, x) + b.
    scores : ndarray of shape (n,)
        The decision function at the training points.
    iterations : int
        Pairs moved.
    converged : bool
        Whether the optimality conditions hold to the tolerance; False where the cap came first.
    """

    alpha: FloatArray
    bias: float
    scores: FloatArray
    iterations: int
    converged: bool


def solve_smo(
    K: Matrix,
    y: FloatArray,
    *,
    C: float,
    diagonal: FloatArray | None = None,
    tol: float = 1e-3,
    max_iterations: int | None = None,
    shrinking: bool = True,
    single: bool = True,
    alpha: FloatArray | None = None,
) -> SmoSolution:
    """Train a machine with linear slack on a kernel matrix.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix.
    y : ndarray of shape (n,)
        Labels -1.0 and +1.0.
    C : float
        Penalty C sum xi.
    diagonal : ndarray of shape (n,), optional
        The diagonal in double precision, where K is rounded already; K is then overwritten.
    tol : float
        Largest violation of the optimality conditions.
    max_iterations : int, optional
        Cap, after which the solution says that it has not converged; without one, that is an error, after ten million.
    shrinking : bool
        Whether settled points are left out for a while.
    single : bool
        Whether the matrix, but not its diagonal, is rounded to single precision, as LIBSVM does; half the memory. Not
        looked at where `diagonal` is given.
    alpha : ndarray of shape (n,), optional
        Multipliers to start from; they must satisfy the constraints.

    Returns
    -------
    SmoSolution
        Multipliers, bias and scores.
    """
    check_soft_margin(C)
    if max_iterations is not None and max_iterations < 1:
        raise ConfigError(f"max_iterations is {max_iterations}: write a whole number from 1, or leave it out.")
    if y.min() > 0 or y.max() < 0:
        raise DataError("the labels hold a single class: a support vector machine needs points of both.")
    if diagonal is None:
        with np.errstate(over="ignore"):
            diagonal, K = np.diagonal(K).astype(np.float64), K.astype(np.float32) if single else K.copy()
    if not _finite(K):
        raise DataError("the kernel matrix holds values that are too large: scale the features, or lower the degree.")
    cap = MOST_ITERATIONS if max_iterations is None else max_iterations
    a = np.zeros(y.size) if alpha is None else np.array(alpha, dtype=np.float64)
    # In LIBSVM the smaller label has the sign +1.
    iterations, converged, bias, outputs = _minimise(K, diagonal, -y, C, tol, cap, shrinking, a)
    if not converged and max_iterations is None:
        raise MarginfsError(
            f"the support vector machine did not reach tol = {tol:g}: raise tol, lower C = {C:g}, "
            "or set max_iterations to go on with what that many reach."
        )
    return SmoSolution(a, bias, bias - outputs, iterations, converged)


def check_soft_margin(C: float) -> None:
    """Refuse a penalty that is not a positive finite number.

    Parameters
    ----------
    C : float
        The penalty.
    """
    if not 0 < C < np.inf:
        raise ConfigError(f"C is {C}: write a positive number; this solver has no hard margin.")


def _finite(K: Matrix) -> bool:
    """Whether all entries are finite; a finite sum says so without looking at each."""
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(K.sum()) or np.isfinite(K).all())


class _Places(NamedTuple):
    """The kernel matrix of points that change places. Its rows stay where they are, and only a row that is asked for
    gets its columns into the present order.

    K: the matrix, row p being that of point p. order: the point at each place. swaps: pairs of places in the order in
    which they were swapped, the first made[0] of them in use. done: how many of these each row has followed.
    """

    K: Matrix
    order: IntArray
    swaps: IntArray
    made: IntArray
    done: IntArray


@njit(cache=True)
def _follow(places: _Places, point: int) -> None:
    """Bring the columns of a point's row into the present order."""
    row, made = places.K[point], places.made[0]
    for s in range(places.done[point], made):
        first, second = places.swaps[s, 0], places.swaps[s, 1]
        row[first], row[second] = row[second], row[first]
    places.done[point] = made


@njit(cache=True)
def _row(places: _Places, t: int) -> Matrix:
    """Row of the point at place t."""
    point = places.order[t]
    _follow(places, point)
    row: Matrix = places.K[point]
    return row


@njit(cache=True)
def _make_room(places: _Places) -> None:
    """Let all rows follow, where the list of swaps could not take as many as there are points."""
    if places.made[0] + places.order.size > len(places.swaps):
        for point in range(places.order.size):
            _follow(places, point)
        places.made[0] = 0
        places.done[:] = 0


@njit(cache=True)
def _swap(places: _Places, arrays: tuple[FloatArray, ...], first: int, second: int) -> None:
    """Let two points change places."""
    order, made = places.order, places.made[0]
    order[first], order[second] = order[second], order[first]
    for values in arrays:
        values[first], values[second] = values[second], values[first]
    places.swaps[made, 0], places.swaps[made, 1] = first, second
    places.made[0] += 1


@njit(cache=True)
def _settled(t: int, value: FloatArray, up: FloatArray, low: FloatArray, high: float, least: float) -> bool:
    """Whether a point at a bound lies further on its right side than every violating one."""
    return bool((up[t] < 0.0 and value[t] > high) or (low[t] < 0.0 and value[t] < least))


@njit(cache=True)
def _shrink(places: _Places, arrays: tuple[FloatArray, ...], size: int, high: float, least: float) -> int:
    """Move settled points behind the others; returns how many stay."""
    _make_room(places)
    value, up, low = arrays[0], arrays[1], arrays[2]
    t = 0
    while t < size:
        if _settled(t, value, up, low, high, least):
            size -= 1
            while size > t and _settled(size, value, up, low, high, least):
                size -= 1
            if size > t:
                _swap(places, arrays, t, size)
        t += 1
    return size


@njit(cache=True)
def _restore(
    places: _Places, y: FloatArray, alpha: FloatArray, bounded: FloatArray, C: float, size: int, value: FloatArray
) -> None:
    """Bring the values of the points that were left out up to date."""
    for t in range(size, y.size):
        value[t] = y[t] - bounded[t]
    for i in range(size):
        if size < y.size and 0 < alpha[i] < C:
            weight, row = alpha[i] * y[i], _row(places, i)
            for t in range(size, y.size):
                value[t] -= weight * row[t]


@njit(cache=True)
def _step(first: Matrix, second: Matrix, left: float, right: float, size: int, value: FloatArray) -> None:
    for t in range(size):
        value[t] -= first[t] * left + second[t] * right


@njit(cache=True)
def _add(row: Matrix, weight: float, total: FloatArray) -> None:
    for t in range(total.size):
        total[t] += weight * row[t]


@njit(cache=True)
def _working_set(
    places: _Places,
    diagonal: FloatArray,
    value: FloatArray,
    up: FloatArray,
    low: FloatArray,
    size: int,
    tol: float,
    scratch: FloatArray,
) -> tuple[int, int]:
    """The most violating point and its partner; -1 for the second where the optimality conditions hold."""
    i = most_violating(value, up, size, scratch)
    return i, partner(_row(places, i), diagonal, i, value, low, size, tol, scratch) if i >= 0 else -1


@njit(cache=True)
def _bias(value: FloatArray, up: FloatArray, low: FloatArray, size: int) -> float:
    """Minus the mean value of the free points; the middle of its interval where none is free."""
    total, count, above, below = 0.0, 0, np.inf, -np.inf
    for t in range(size):
        if up[t] == 0.0 and low[t] == 0.0:
            total -= value[t]
            count += 1
        elif up[t] == 0.0:
            above = min(above, -value[t])
        else:
            below = max(below, -value[t])
    return total / count if count > 0 else (above + below) / 2


@njit(cache=True)
def _minimise(
    K: Matrix,
    diagonal: FloatArray,
    sign: FloatArray,
    C: float,
    tol: float,
    cap: int,
    shrinking: bool,
    solution: FloatArray,
) -> tuple[int, bool, float, FloatArray]:
    """Iterate from solution, in place; returns iterations, whether converged, bias, and sum_j a_j y_j K_jt for all t.

    value is -y times the gradient; bounded is the part of sum_j a_j y_j K_jt that comes from points at C.
    """
    n = sign.size
    y, alpha, value, bounded = sign.copy(), solution.copy(), sign.copy(), np.zeros(n)
    up, low, scratch, order = np.empty(n), np.empty(n), np.empty(n), np.arange(n)
    places = _Places(K, order, np.empty((2 * n, 2), np.int64), np.zeros(1, np.int64), np.zeros(n, np.int64))
    for t in range(n):
        mark(t, alpha, y, C, up, low)
        if alpha[t] > 0:
            _add(K[t], -alpha[t] * y[t], value)
            if alpha[t] >= C:
                _add(K[t], C * y[t], bounded)
    arrays = (value, up, low, y, alpha, diagonal, bounded)
    size, period, iterations, converged, unshrunk = n, min(n, 1000), 0, False, False
    countdown = period + 1
    while iterations < cap:
        countdown -= 1
        if countdown == 0:
            countdown = period
            if shrinking:
                high, least = largest(value, up, size), -largest(-value, low, size)
                if not unshrunk and high - least <= 10 * tol:
                    unshrunk = True
                    _restore(places, y, alpha, bounded, C, size, value)
                    size = n
                size = _shrink(places, arrays, size, high, least)
        i, j = _working_set(places, diagonal, value, up, low, size, tol, scratch)
        if j < 0:
            _restore(places, y, alpha, bounded, C, size, value)
            size = n
            i, j = _working_set(places, diagonal, value, up, low, size, tol, scratch)
            if j < 0:
                converged = True
                break
            countdown = 1
        iterations += 1
        before_i, before_j = alpha[i], alpha[j]
        first, second = _row(places, i), _row(places, j)
        curvature = diagonal[i] + diagonal[j] - 2.0 * first[j]
        move(alpha, y, value, i, j, curvature if curvature > 0.0 else TAU, C)
        _step(first, second, (alpha[i] - before_i) * y[i], (alpha[j] - before_j) * y[j], size, value)
        for t, row, before in ((i, first, before_i), (j, second, before_j)):
            mark(t, alpha, y, C, up, low)
            if shrinking and (before >= C) != (alpha[t] >= C):
                _add(row, C * y[t] if alpha[t] >= C else -C * y[t], bounded)
    bias = _bias(value, up, low, size)
    _restore(places, y, alpha, bounded, C, size, value)
    outputs = np.empty(n)
    for t in range(n):
        solution[order[t]], outputs[order[t]] = alpha[t], y[t] - value[t]
    return iterations, converged, bias, outputs
