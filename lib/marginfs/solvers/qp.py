"""Convex quadratic programs with a box and one signed equality: the shape of every kernel problem in this package.

    minimise  1/2 a'Qa + q'a   subject to  s'a = s'a0,  0 <= a <= upper,   s in {-1, +1}

Two moves alternate. Pair steps (sequential minimal optimisation, second-order working set) find out cheaply which
variables are free; a Newton step on the free variables then lands on the exact minimum over that set, where pair steps
alone would creep. From a neighbouring problem's solution one or two Newton steps are usually all there is to do.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from marginfs.types import FloatArray, IntArray

SOLVED, UNBOUNDED, ITERATION_LIMIT = 0, 1, 2

_FAST = {"reassoc", "contract", "nsz", "arcp"}
_RIDGE = 1e-12
_ROUNDING = 1e-15
_UNBOUNDED = 1e-14


@njit(cache=True, fastmath=_FAST)
def violation(sign: FloatArray, upper: float, alpha: FloatArray, gradient: FloatArray) -> tuple[float, float, int]:
    """Largest and smallest multiplier that the two sides of the equality ask for, and the index of the largest.

    a is optimal when the first is not above the second.
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
def cholesky(A: FloatArray, size: int) -> bool:
    """Replace the lower triangle of A[:size, :size] by its Cholesky factor; False where A is not positive definite.

    Works in blocks of two by two, which halves the traffic to memory: below a few hundred rows it beats LAPACK.
    """
    odd = size % 2
    if odd:
        if not A[0, 0] > 0:
            return False
        A[0, 0] = np.sqrt(A[0, 0])
        for i in range(1, size):
            A[i, 0] /= A[0, 0]
    for i in range(odd, size, 2):
        for j in range(odd, i, 2):
            a, b, c, d = _schur_block(A, i, j)
            A[i, j], A[i + 1, j] = a / A[j, j], c / A[j, j]
            A[i, j + 1] = (b - A[i, j] * A[j + 1, j]) / A[j + 1, j + 1]
            A[i + 1, j + 1] = (d - A[i + 1, j] * A[j + 1, j]) / A[j + 1, j + 1]
        a, b, c, d = _schur_block(A, i, i)
        if not (a > 0 and a * d > c * c):
            return False
        A[i, i] = np.sqrt(a)
        A[i + 1, i] = c / A[i, i]
        A[i + 1, i + 1] = np.sqrt(d - A[i + 1, i] * A[i + 1, i])
    return True


@njit(cache=True, fastmath=_FAST, inline="always")
def _schur_block(A: FloatArray, i: int, j: int) -> tuple[float, float, float, float]:
    """Entries (i, j), (i, j+1), (i+1, j), (i+1, j+1) less the part that the first j columns of the factor explain."""
    a, b, c, d = A[i, j], A[i, j + 1], A[i + 1, j], A[i + 1, j + 1]
    for k in range(j):
        a -= A[i, k] * A[j, k]
        b -= A[i, k] * A[j + 1, k]
        c -= A[i + 1, k] * A[j, k]
        d -= A[i + 1, k] * A[j + 1, k]
    return a, b, c, d


@njit(cache=True, fastmath=_FAST)
def cholesky_solve(L: FloatArray, size: int, b: FloatArray) -> None:
    """Solve LL'x = b in place."""
    for i in range(size):
        total = b[i]
        for k in range(i):
            total -= L[i, k] * b[k]
        b[i] = total / L[i, i]
    for i in range(size - 1, -1, -1):
        b[i] /= L[i, i]
        for k in range(i):
            b[k] -= L[i, k] * b[i]


@njit(cache=True, fastmath=_FAST)
def _delete_row(L: FloatArray, size: int, row: int) -> None:
    """Turn the factor of A into that of A without one row and column, by Givens rotations, in O(size^2)."""
    for i in range(row, size - 1):
        for k in range(i + 2):
            L[i, k] = L[i + 1, k]
    for k in range(row, size - 1):
        length = np.hypot(L[k, k], L[k, k + 1])
        c, s = L[k, k] / length, L[k, k + 1] / length
        L[k, k] = length
        for i in range(k + 1, size - 1):
            left, right = L[i, k], L[i, k + 1]
            L[i, k] = c * left + s * right
            L[i, k + 1] = c * right - s * left


@njit(cache=True, fastmath=_FAST)
def _factor_free(Q: FloatArray, sign: FloatArray, free: IntArray, L: FloatArray) -> bool:
    """Factor Q + r ss' + tiny I over the free variables.

    On steps that keep the equality the second term is nothing, but it makes the factor as well conditioned as the
    whole optimality system is; the third lets even that be singular.
    """
    scale = 0.0
    for t in free:
        scale = max(scale, Q[t, t])
    for i in range(free.size):
        for j in range(i + 1):
            L[i, j] = Q[free[i], free[j]] + scale * sign[free[i]] * sign[free[j]]
        L[i, i] += _RIDGE * scale
    return cholesky(L, free.size)


@njit(cache=True, fastmath=_FAST)
def _newton_direction(
    L: FloatArray, size: int, sign: FloatArray, slope: FloatArray, step: FloatArray, normal: FloatArray
) -> None:
    """Solve for the step that cancels the gradient over the free variables and keeps the equality."""
    across = 0.0
    for i in range(size):
        step[i] = -slope[i]
        normal[i] = sign[i]
    cholesky_solve(L, size, step)
    cholesky_solve(L, size, normal)
    for i in range(size):
        across += sign[i] * normal[i]
    for _ in range(2):
        along = 0.0
        for i in range(size):
            along += sign[i] * step[i]
        for i in range(size):
            step[i] -= along / across * normal[i]


@njit(cache=True, fastmath=_FAST)
def _newton(
    Q: FloatArray, sign: FloatArray, upper: float, alpha: FloatArray, gradient: FloatArray, L: FloatArray
) -> int:
    """Newton steps on the free variables, each ending at a bound, until one goes all the way; returns their number.

    A step of length t leaves (1 - t) of the gradient over the variables that stay free, up to a multiple of the signs,
    which the multiplier absorbs: the full gradient is not needed until the end.
    """
    free = np.flatnonzero((alpha > 0) & (alpha < upper))
    size = free.size
    if size < 2 or not _factor_free(Q, sign, free, L):
        return 0
    signs, slope = sign[free], gradient[free]
    step, normal = np.empty(size), np.empty(size)
    steps = 0
    while size > 1:
        steps += 1
        _newton_direction(L, size, signs, slope, step, normal)
        length, blocked = 1.0, -1
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
        _delete_row(L, size, blocked)
        size -= 1
        for i in range(size):
            source = i if i < blocked else i + 1
            free[i], signs[i], slope[i] = free[source], signs[source], (1 - length) * slope[source]
    return steps


@njit(cache=True, fastmath=_FAST)
def refresh_gradient(Q: FloatArray, q: FloatArray, alpha: FloatArray, gradient: FloatArray) -> None:
    """Overwrite gradient by Qa + q."""
    gradient[:] = q
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
    max_iter: int,
) -> tuple[int, int]:
    """Solve in place from a feasible alpha and its gradient Qa + q; returns the status and the number of moves.

    tol bounds the violation of the optimality conditions, in units of the gradient; it is never taken below the
    rounding error of the gradient itself.
    """
    factor = np.empty((alpha.size, alpha.size))
    moves = 0
    high, low, first = violation(sign, upper, alpha, gradient)
    while high - low > tol:
        steps = _newton(Q, sign, upper, alpha, gradient, factor)
        if steps > 0:
            moves += steps
            refresh_gradient(Q, q, alpha, gradient)
            high, low, first = violation(sign, upper, alpha, gradient)
        if high - low <= max(tol, _noise(Q, q, alpha)):
            break
        if upper == np.inf and _is_unbounded(Q, q, alpha, gradient):
            return UNBOUNDED, moves
        if moves >= max_iter:
            return ITERATION_LIMIT, moves
        for _ in range(max(1, _waiting(sign, upper, alpha, gradient, (high + low) / 2))):
            moves += 1
            _pair_step(Q, sign, upper, alpha, gradient, first, high)
            high, low, first = violation(sign, upper, alpha, gradient)
            if high - low <= tol:
                break
    return SOLVED, moves
