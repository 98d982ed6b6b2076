"""Smoothed hinges of linear margins plus a quadratic, minimised in a box by a projected Newton method.

    minimise  C sum_i V(m_i + G_i's) + c's + 1/2 s'Bs   subject to  l <= s <= u

with the smoothed hinge V of tayal2014 (equation 8) and B positive semidefinite: convex, and quadratic between kinks. A
Newton step takes the variables that do not press against a bound, and its path is bent along the bounds. Where losses
are flat the matrix is singular, so that a ridge holds steps to the size of the box; it vanishes with the slope.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from marginfs.solvers.cholesky import Quadruple, backward, cholesky, forward
from marginfs.types import FloatArray, IntArray

_FAST = {"reassoc", "contract", "nsz", "arcp"}

RELATIVE = 1e-3
"""The iteration ends when a Newton step promises less than this share of the decrease so far."""
MOST = 20
"""Most Newton steps: the next subproblem gains what further ones would."""
HALVINGS = 25
SUFFICIENT = 1e-4
"""Share of the slope's promise that a step must keep."""


@njit(cache=True, fastmath=_FAST)
def minimise_hinges(
    margins: FloatArray,
    G: FloatArray,
    linear: FloatArray,
    B: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
    C: float,
    epsilon: float,
) -> tuple[FloatArray, float]:
    """Minimise from s = 0, a point of the box.

    Parameters
    ----------
    margins : ndarray of shape (n,)
        m.
    G : ndarray of shape (n, d)
        How the margins follow s.
    linear : ndarray of shape (d,)
        c.
    B : ndarray of shape (d, d)
        The quadratic's matrix.
    lower, upper : ndarray of shape (d,)
        Bounds, below and above zero.
    C : float
        Weight of the losses.
    epsilon : float
        Half the width of the loss's quadratic part.

    Returns
    -------
    s : ndarray of shape (d,)
        The minimiser.
    decrease : float
        By how much it lowers the sum.
    """
    s = np.zeros(linear.size)
    start, pull, bend = _losses(margins, C, epsilon)
    value = start
    for _ in range(MOST):
        slope = linear + _times(B, s)
        for i in np.flatnonzero(pull):
            slope -= pull[i] * G[i]
        moving = np.flatnonzero(np.where(slope < 0.0, s < upper, s > lower))
        if moving.size == 0:
            break
        H = _matrix(G, bend, B, moving)
        largest = np.abs(slope[moving]).max()
        for k in range(moving.size):
            H[k, k] += largest / (3.0 * upper[moving[k]]) + 1e-12 * H[k, k]
        step = np.zeros(s.size)
        step[moving] = _newton_step(H, slope[moving], s[moving], lower[moving], upper[moving])
        if -0.5 * np.sum(slope * step) <= RELATIVE * (start - value):
            break
        share, trial, trial_value = 1.0, s, value
        for _ in range(HALVINGS):
            trial = np.minimum(np.maximum(s + share * step, lower), upper)
            losses, pull, bend = _losses(margins + _times(G, trial), C, epsilon)
            trial_value = losses + np.sum(trial * (linear + 0.5 * _times(B, trial)))
            if trial_value <= value + SUFFICIENT * np.sum(slope * (trial - s)):
                break
            share *= 0.5
        else:
            break
        s, value = trial, trial_value
    return s, start - value


@njit(cache=True, fastmath=_FAST)
def _matrix(G: FloatArray, bend: FloatArray, B: FloatArray, columns: IntArray) -> FloatArray:
    """The lower triangle of G' diag(bend) G + B over some columns, in blocks of four by two; rows of zeros fill up."""
    rows, size = np.flatnonzero(bend), columns.size
    T = np.zeros((size + -size % 4, rows.size))
    for i in range(rows.size):
        row, root = G[rows[i]], np.sqrt(bend[rows[i]])
        for k in range(size):
            T[k, i] = root * row[columns[k]]
    H = np.empty((len(T), len(T)))
    for i in range(0, len(T), 4):
        for j in range(0, i + 4, 2):
            left, right = _products(T, i, j)
            for row in range(4):
                H[i + row, j], H[i + row, j + 1] = left[row], right[row]
    for k in range(size):
        for j in range(k + 1):
            H[k, j] += B[columns[k], columns[j]]
    return H[:size, :size]


@njit(cache=True, fastmath=_FAST, inline="always")
def _products(T: FloatArray, i: int, j: int) -> tuple[Quadruple, Quadruple]:
    """Inner products of rows i..i+3 with rows j and j+1."""
    a, b, c, d, e, f, g, h = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(T.shape[1]):
        left, right = T[j, k], T[j + 1, k]
        a += T[i, k] * left
        b += T[i + 1, k] * left
        c += T[i + 2, k] * left
        d += T[i + 3, k] * left
        e += T[i, k] * right
        f += T[i + 1, k] * right
        g += T[i + 2, k] * right
        h += T[i + 3, k] * right
    return (a, b, c, d), (e, f, g, h)


@njit(cache=True, fastmath=_FAST)
def _times(A: FloatArray, x: FloatArray) -> FloatArray:
    """A x."""
    result = np.empty(A.shape[0])
    for i in range(A.shape[0]):
        total, row = 0.0, A[i]
        for k in range(x.size):
            total += row[k] * x[k]
        result[i] = total
    return result


@njit(cache=True)
def _newton_step(H: FloatArray, slope: FloatArray, s: FloatArray, lower: FloatArray, upper: FloatArray) -> FloatArray:
    """The Newton step; a variable that it presses against a bound is held. If all are: one by one."""
    free = np.arange(s.size)
    while free.size > 0:
        found, solved = _solve(H, -slope, free)
        if not solved:
            break
        pressed = np.where(found < 0.0, s[free] <= lower[free], s[free] >= upper[free])
        if not pressed.any():
            step = np.zeros(s.size)
            step[free] = found
            return step
        free = free[~pressed]
    return -slope / np.diag(H)


@njit(cache=True)
def _solve(H: FloatArray, b: FloatArray, free: IntArray) -> tuple[FloatArray, bool]:
    """Solve for the free variables by the lower triangle of H; False where that is not positive definite."""
    size = free.size
    block, x = np.empty((size, size)), b[free]
    for i in range(size):
        for j in range(i + 1):
            block[i, j] = H[free[i], free[j]]
    if not cholesky(block, size):
        return x, False
    forward(block, size, x)
    backward(block, size, x)
    return x, True


@njit(cache=True)
def _losses(margins: FloatArray, C: float, epsilon: float) -> tuple[float, FloatArray, FloatArray]:
    """C sum V, and C times the negative slopes and the bends of V."""
    total, width = 0.0, 2.0 * epsilon
    pull, bend = np.zeros(margins.size), np.zeros(margins.size)
    for i in range(margins.size):
        gap = 1.0 - margins[i]
        if gap > width:
            total += C * (gap - epsilon)
            pull[i] = C
        elif gap > 0.0:
            total += C * gap * gap / (2.0 * width)
            pull[i], bend[i] = C * gap / width, C / width
    return total, pull, bend
