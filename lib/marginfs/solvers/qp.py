"""Convex quadratic programs with a box and one signed equality: the shape of every kernel problem in this package.

    minimise  1/2 a'Qa + q'a   subject to  s'a = s'a0,  0 <= a <= upper,   s in {-1, +1}

Two moves alternate. Pair steps (sequential minimal optimisation, second-order working set) find out cheaply which
variables are free; a Newton step on the free variables then lands on the exact minimum over that set, where pair steps
alone would creep. From a neighbouring problem's solution one or two Newton steps are usually all there is to do.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from marginfs.solvers.cholesky import append, backward, cholesky, delete, forward
from marginfs.types import ZERO, BoolArray, FloatArray, IntArray

SOLVED, UNBOUNDED, ITERATION_LIMIT = 0, 1, 2
MAX_MOVES = 1_000_000

_FAST = {"reassoc", "contract", "nsz", "arcp"}
_RIDGE = 1e-12
_ROUNDING = 1e-15
_UNBOUNDED = 1e-14


@njit(cache=True, fastmath=_FAST)
def violation(sign: FloatArray, upper: float, alpha: FloatArray, gradient: FloatArray) -> tuple[float, float, int]:
    """Largest and smallest multiplier that the two sides of the equality ask for.

    a is optimal when the first is not above the second.

    Parameters
    ----------
    sign : ndarray of float
        Signs s of the equality.
    upper : float
        Upper bound of every variable.
    alpha : ndarray of float
        A feasible point a.
    gradient : ndarray of float
        Qa + q.

    Returns
    -------
    tuple of float, float and int
        The largest and the smallest multiplier, and the index of the largest.
    """
    high, low, first = -np.inf, np.inf, -1
    for t in range(alpha.size):
        value = -sign[t] * gradient[t]
        if value > high and (alpha[t] < upper if sign[t] > 0 else alpha[t] > 0):
            high, first = value, t
        if value < low and (alpha[t] > 0 if sign[t] > 0 else alpha[t] < upper):
            low = value
    return high, low, first


@njit(cache=True, fastmath=_FAST)
def _pair_step(
    Q: FloatArray, sign: FloatArray, upper: float, alpha: FloatArray, gradient: FloatArray, first: int, high: float
) -> None:
    """Move the most violating variable and the partner that promises the largest decrease."""
    best, second, curvature = 0.0, -1, 0.0
    for t in range(alpha.size):
        if alpha[t] > 0 if sign[t] > 0 else alpha[t] < upper:
            gap = high + sign[t] * gradient[t]
            if gap > 0:
                bend = Q[first, first] + Q[t, t] - 2 * sign[first] * sign[t] * Q[first, t]
                bend = max(bend, _RIDGE * (Q[first, first] + Q[t, t]) + 1e-300)
                if gap * gap > best * bend:
                    best, second, curvature = gap * gap / bend, t, bend
    if second < 0:
        return
    step = (high + sign[second] * gradient[second]) / curvature
    step = min(step, upper - alpha[first] if sign[first] > 0 else alpha[first])
    step = min(step, alpha[second] if sign[second] > 0 else upper - alpha[second])
    for index, move in ((first, sign[first] * step), (second, -sign[second] * step)):
        alpha[index] = min(max(alpha[index] + move, 0.0), upper)
        for t in range(alpha.size):
            gradient[t] += move * Q[index, t]


@njit(cache=True, fastmath=_FAST)
def _fill_row(Q: FloatArray, sign: FloatArray, scale: float, free: IntArray, row: int, L: FloatArray) -> None:
    """Row of A = Q + scale ss' + tiny I over the free variables, up to the diagonal.

    On steps that keep the equality the second term is nothing, but it makes A as well conditioned as the whole
    optimality system is; the third lets even that be singular.
    """
    t = free[row]
    for j in range(row + 1):
        L[row, j] = Q[t, free[j]] + scale * sign[t] * sign[free[j]]
    L[row, row] += _RIDGE * scale


@njit(cache=True, fastmath=_FAST)
def _factor_free(
    Q: FloatArray, sign: FloatArray, is_free: BoolArray, free: IntArray, size: int, scale: float, L: FloatArray
) -> tuple[int, float]:
    """Bring the factor over the first size entries of free up to date; returns its new size, 0 on failure, and scale.

    A few changes are made one by one; for many, or where that fails, the factor is computed afresh.
    """
    known, nothing = np.zeros(is_free.size, dtype=np.bool_), np.empty(0)
    for i in range(size):
        known[free[i]] = True
    sound = 20 * np.sum(known != is_free) <= size
    if sound:
        for i in range(size - 1, -1, -1):
            if not is_free[free[i]]:
                delete(L, size, i, nothing, nothing)
                size -= 1
                for k in range(i, size):
                    free[k] = free[k + 1]
        for t in np.flatnonzero(is_free & ~known):
            free[size] = t
            _fill_row(Q, sign, scale, free, size, L)
            sound = sound and append(L, size)
            size += 1
    if not sound:
        size, scale = ZERO, 0.0
        for t in np.flatnonzero(is_free):
            free[size] = t
            scale = max(scale, Q[t, t])
            size += 1
        for i in range(size):
            _fill_row(Q, sign, scale, free, i, L)
        if not cholesky(L, size):
            size = ZERO
    return size, scale


@njit(cache=True, fastmath=_FAST)
def _direction(L: FloatArray, size: int, slope: FloatArray, normal: FloatArray, step: FloatArray) -> None:
    """Newton step -inv(A)(g + m s), where slope = inv(L) g, normal = inv(L) s and m keeps the equality."""
    along, across = 0.0, 0.0
    for i in range(size):
        along += normal[i] * slope[i]
        across += normal[i] * normal[i]
    for i in range(size):
        step[i] = along / across * normal[i] - slope[i]
    backward(L, size, step)


@njit(cache=True, fastmath=_FAST)
def _newton(
    sign: FloatArray, upper: float, alpha: FloatArray, gradient: FloatArray, free: IntArray, size: int, L: FloatArray
) -> tuple[int, int]:
    """Newton steps on the free variables, each ending at a bound, until one goes all the way.

    A step of length t leaves (1 - t) of the gradient over the variables that stay free, up to a multiple of the signs,
    which the multiplier absorbs: neither the full gradient nor a second factorisation is needed on the way. Returns the
    number of steps and of the variables still free.
    """
    slope, normal, step = gradient[free[:size]], sign[free[:size]], np.empty(size)
    forward(L, size, slope)
    forward(L, size, normal)
    steps = 0
    while size > 1:
        steps += 1
        _direction(L, size, slope, normal, step)
        length, blocked = 1.0, ZERO - 1
        for i in range(size):
            a, p = alpha[free[i]], step[i]
            if p < 0 and a + length * p < 0:
                length, blocked = a / -p, i
            elif p > 0 and a + length * p > upper:
                length, blocked = (upper - a) / p, i
        for i in range(size):
            alpha[free[i]] = min(max(alpha[free[i]] + length * step[i], 0.0), upper)
        if blocked < 0:
            break
        alpha[free[blocked]] = 0.0 if step[blocked] < 0 else upper
        delete(L, size, blocked, slope, normal)
        size -= 1
        for i in range(size):
            slope[i] *= 1 - length
        for i in range(blocked, size):
            free[i] = free[i + 1]
    return steps, size


@njit(cache=True, fastmath=_FAST)
def refresh_gradient(Q: FloatArray, q: FloatArray, alpha: FloatArray, gradient: FloatArray) -> None:
    """Overwrite gradient by Qa + q.

    Parameters
    ----------
    Q : ndarray of shape (n, n)
        Matrix of the problem.
    q : ndarray of shape (n,)
        Its linear term.
    alpha : ndarray of float
        The point a.
    gradient : ndarray of float
        Written here.
    """
    for k in range(alpha.size):
        gradient[k] = q[k]
    for t in range(alpha.size):
        if alpha[t] != 0:
            for k in range(alpha.size):
                gradient[k] += alpha[t] * Q[t, k]


@njit(cache=True, fastmath=_FAST)
def _noise(Q: FloatArray, q: FloatArray, alpha: FloatArray) -> float:
    """Rounding error to expect in the gradient."""
    total, largest, offset = 0.0, 0.0, 0.0
    for t in range(alpha.size):
        total += alpha[t]
        largest = max(largest, Q[t, t])
        offset = max(offset, abs(q[t]))
    return _ROUNDING * (total * largest + offset)


@njit(cache=True, fastmath=_FAST)
def _is_unbounded(Q: FloatArray, q: FloatArray, alpha: FloatArray, gradient: FloatArray) -> bool:
    """Whether a/sum(a) is a direction of descent without curvature, to working precision."""
    total, curvature, slope, largest = 0.0, 0.0, 0.0, 0.0
    for t in range(alpha.size):
        total += alpha[t]
        curvature += alpha[t] * (gradient[t] - q[t])
        slope += alpha[t] * q[t]
        largest = max(largest, Q[t, t])
    return slope < 0 and curvature / total / total <= _UNBOUNDED * largest


@njit(cache=True, fastmath=_FAST)
def _waiting(sign: FloatArray, upper: float, alpha: FloatArray, gradient: FloatArray, multiplier: float) -> int:
    """How many variables want to leave their bound."""
    count = 0
    for t in range(alpha.size):
        pull = -gradient[t] - multiplier * sign[t]
        if (alpha[t] <= 0 and pull > 0) or (alpha[t] >= upper and pull < 0):
            count += 1
    return count


@njit(cache=True, fastmath=_FAST)
def minimise(
    Q: FloatArray,
    q: FloatArray,
    sign: FloatArray,
    upper: float,
    alpha: FloatArray,
    gradient: FloatArray,
    tol: float,
    L: FloatArray,
) -> tuple[int, int]:
    """Solve in place from a feasible point.

    Parameters
    ----------
    Q : ndarray of shape (n, n)
        Matrix of the problem.
    q : ndarray of shape (n,)
        Its linear term.
    sign : ndarray of float
        Signs s of the equality.
    upper : float
        Upper bound of every variable.
    alpha : ndarray of float
        A feasible point, replaced by the solution.
    gradient : ndarray of float
        Qa + q at that point, replaced by that of the solution.
    tol : float
        Largest violation of the optimality conditions, in units of the gradient; it is never taken below the
        rounding error of the gradient itself.
    L : ndarray of shape (n, n)
        Scratch, which callers who solve often allocate once.

    Returns
    -------
    tuple of int and int
        The status (SOLVED, UNBOUNDED or ITERATION_LIMIT) and the number of moves.
    """
    free, size, scale = np.empty(alpha.size, dtype=np.int64), ZERO, 0.0
    moves = 0
    high, low, first = violation(sign, upper, alpha, gradient)
    while high - low > tol:
        size, scale = _factor_free(Q, sign, (alpha > 0) & (alpha < upper), free, size, scale, L)
        if size > 1:
            steps, size = _newton(sign, upper, alpha, gradient, free, size, L)
            moves += steps
            refresh_gradient(Q, q, alpha, gradient)
            high, low, first = violation(sign, upper, alpha, gradient)
        if upper == np.inf and _is_unbounded(Q, q, alpha, gradient):
            return UNBOUNDED, moves
        if high - low <= max(tol, _noise(Q, q, alpha)):
            break
        if moves >= MAX_MOVES:
            return ITERATION_LIMIT, moves
        for _ in range(max(1, _waiting(sign, upper, alpha, gradient, (high + low) / 2))):
            moves += 1
            _pair_step(Q, sign, upper, alpha, gradient, first, high)
            high, low, first = violation(sign, upper, alpha, gradient)
            if high - low <= tol:
                break
    return SOLVED, moves
