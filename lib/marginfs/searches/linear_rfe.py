"""Recursive feature elimination with a linear machine, compiled as one loop.

The same search as backward.eliminate with the criterion ||w||^2, for the case that matters most. Two things make a step
cheaper than training and O(nd) for the weights. Removing a feature is a rank-one change of the dual problem, so as long
as the support vectors stay the same its solution follows in O(n^2); where they change, the solver takes over. And from
step to step w_k = x_k.c, c = alpha y, moves by no more than ||x_k|| ||c - c'||, so a weight is computed again only when
it could have become the smallest by then.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from marginfs.criteria.support_inverse import inverse_block
from marginfs.searches.backward import StepRule, step_sizes
from marginfs.solvers import qp
from marginfs.solvers.svm_dual import raise_unless_solved, sign_gram
from marginfs.solvers.svm_options import Svm
from marginfs.types import ZERO, FloatArray, IntArray, Selection

_FAST = {"reassoc", "contract", "nsz"}
_ROUNDING = 1e-12
_DRIFT = 1e-12
"""Share of the multipliers by which one move may leave the equality: with thousands of moves still nothing."""


def linear_rfe(X: FloatArray, y: FloatArray, svm: Svm, *, step: StepRule, factor: float) -> Selection:
    """Remove the features of smallest w_k^2, train again, until all are ranked.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : ndarray of shape (n,)
        Labels, -1.0 or +1.0.
    svm : Svm
        The linear machine to train.
    step : StepRule
        How many features leave at once.
    factor : float
        Scales the relevance in the trace: one for the change of ||w||^2 on removal, two for its derivative.

    Returns
    -------
    Selection
        The ranking, with the trace of `backward.eliminate`.
    """
    columns = np.array(X.T, dtype=np.float64, order="C")
    sizes = step_sizes(X.shape[1], step)
    removed, worth, values, status = _run(columns, columns.T @ columns, y, svm.ridge, svm.upper, sizes, svm.tol)
    raise_unless_solved(status, y.size, svm)
    retained = np.repeat(X.shape[1] - np.concatenate(([0], np.cumsum(sizes)[:-1])), sizes)
    trace = {"removed": removed, "retained": retained, "relevance": factor * worth, "value": np.repeat(values, sizes)}
    return Selection(ranking=removed[::-1].copy(), trace=trace)


class _Features(NamedTuple):
    """What is known of each feature that remains, in the order of the rows of columns.

    weight: w_k when it was last computed. norm: ||x_k||. low: |w_k| + ||x_k|| times the path that c had gone by then,
    so that |w_k| is now at least low - ||x_k|| times the path gone since the start.
    """

    name: IntArray
    columns: FloatArray
    norm: FloatArray
    weight: FloatArray
    low: FloatArray


@njit(cache=True, fastmath=_FAST)
def _weigh(features: _Features, k: int, c: FloatArray, path: float) -> float:
    """|w_k|, computed and noted."""
    total = 0.0
    for i in range(c.size):
        total += features.columns[k, i] * c[i]
    features.weight[k], features.low[k] = total, abs(total) + features.norm[k] * path
    return abs(total)


@njit(cache=True, fastmath=_FAST)
def _smallest(features: _Features, left: int, count: int, c: FloatArray, path: float) -> IntArray:
    """Positions of the smallest |w| among the first `left` features, the smallest first; ties in the order of rows."""
    if count > 1:
        return np.argsort(np.array([_weigh(features, k, c, path) for k in range(left)]), kind="mergesort")[:count]
    best, least = ZERO, np.inf
    for k in range(left):
        if features.low[k] - features.norm[k] * path <= least:
            weight = _weigh(features, k, c, path)
            if weight < least:
                best, least = k, weight
    return np.array([best])


@njit(cache=True, fastmath=_FAST)
def _advance(c: FloatArray, alpha: FloatArray, y: FloatArray) -> float:
    """Set c to alpha y; returns how far it moved, and a little more that covers the rounding errors of weights."""
    moved, size = 0.0, 0.0
    for i in range(c.size):
        new = alpha[i] * y[i]
        moved += (new - c[i]) ** 2
        size += new * new
        c[i] = new
    return float(np.sqrt(moved) + _ROUNDING * np.sqrt(size))


@njit(cache=True, fastmath=_FAST)
def _add_products(Q: FloatArray, y: FloatArray, x: FloatArray, factor: float) -> None:
    """Q += factor yx(yx)'."""
    for i in range(y.size):
        left = factor * y[i] * x[i]
        for j in range(y.size):
            Q[i, j] += left * y[j] * x[j]


@njit(cache=True)
def _rebuild(Q: FloatArray, y: FloatArray, ridge: float, columns: FloatArray) -> None:
    """Q of the features in columns, from nothing."""
    for i in range(y.size):
        for j in range(y.size):
            Q[i, j] = 0.0
        Q[i, i] = ridge
    for k in range(columns.shape[0]):
        _add_products(Q, y, columns[k], 1.0)


@njit(cache=True)
def _move(features: _Features, source: int, target: int) -> None:
    for values in (features.norm, features.weight, features.low):
        values[target] = values[source]
    features.name[target] = features.name[source]
    for i in range(features.columns.shape[1]):
        features.columns[target, i] = features.columns[source, i]


@njit(cache=True)
def _drop(features: _Features, left: int, leaving: IntArray) -> None:
    """Close the holes among the first rows: by the last row where there is one, else by moving all up."""
    if leaving.size == 1:
        _move(features, left - 1, leaving[0])
        return
    stays = np.ones(left, dtype=np.bool_)
    for k in leaving:
        stays[k] = False
    target = 0
    for k in range(left):
        if stays[k]:
            _move(features, k, target)
            target += 1


@njit(cache=True)
def _free_inverse(Q: FloatArray, y: FloatArray, upper: float, alpha: FloatArray) -> tuple[IntArray, FloatArray]:
    """The free support vectors, and the block P of the inverse of their optimality system."""
    free = np.flatnonzero((alpha > 0) & (alpha < upper))
    block = np.empty((free.size, free.size))
    for i in range(free.size):
        for j in range(free.size):
            block[i, j] = Q[free[i], free[j]]
    return free, inverse_block(block, y[free])


@njit(cache=True, fastmath=_FAST)
def _follow(
    P: FloatArray, free: IntArray, y: FloatArray, x: FloatArray, weight: float, upper: float, alpha: FloatArray
) -> bool:
    """Solution after feature x of that weight has left, if the free support vectors stay the same; else no change.

    Q has lost uu', u = yx. By the Sherman-Morrison formula P gains zz' / (1 - u'z), z = Pu, and alpha moves by
    weight z / (1 - u'z). Where Q is singular, P is so large that rounding would take the move off y'alpha = 0, which no
    later training brings back: no change there either.
    """
    m = free.size
    z = np.zeros(m)
    for i in range(m):
        u = y[free[i]] * x[free[i]]
        for j in range(m):
            z[j] += P[i, j] * u
    room = 1.0
    for i in range(m):
        room -= y[free[i]] * x[free[i]] * z[i]
    if room < 1e-6:
        return False
    drift, total = 0.0, 0.0
    for i in range(m):
        move = weight * z[i] / room
        if not 0 < alpha[free[i]] + move < upper:
            return False
        drift += y[free[i]] * move
        total += alpha[free[i]]
    if abs(drift) > _DRIFT * total:
        return False
    for i in range(m):
        alpha[free[i]] += weight * z[i] / room
        scaled = z[i] / room
        for j in range(m):
            P[i, j] += scaled * z[j]
    return True


@njit(cache=True)
def _run(
    columns: FloatArray, G: FloatArray, y: FloatArray, ridge: float, upper: float, sizes: IntArray, tol: float
) -> tuple[IntArray, FloatArray, FloatArray, int]:
    """Consume columns, one row per feature; returns features and scores as removed, ||w||^2 per step, the status."""
    d, n = columns.shape
    features = _Features(np.arange(d), columns, np.sqrt(np.sum(columns**2, axis=1)), np.zeros(d), np.full(d, -np.inf))
    removed, worth, values = np.empty(d, dtype=np.int64), np.empty(d), np.empty(sizes.size)
    Q, L = np.empty_like(G), np.empty_like(G)
    sign_gram(G, y, ridge, Q)
    q, alpha, gradient, c, path = np.full(n, -1.0), np.zeros(n), np.full(n, -1.0), np.zeros(n), 0.0
    free, P = np.empty(0, dtype=np.int64), np.empty((0, 0))
    synchronised = np.trace(Q) - n * ridge
    left = d
    for step in range(sizes.size):
        high, low, _ = qp.violation(y, upper, alpha, gradient)
        if high - low > tol:
            status, _ = qp.minimise(Q, q, y, upper, alpha, gradient, tol, L)
            if status != qp.SOLVED:
                return removed, worth, values, status
            if sizes[step] == 1:
                free, P = _free_inverse(Q, y, upper, alpha)
        values[step] = np.sum(alpha * (gradient + 1.0))
        path += _advance(c, alpha, y)
        leaving = _smallest(features, left, sizes[step], c, path)
        for k in leaving:
            removed[d - left], worth[d - left] = features.name[k], features.weight[k] ** 2
            _add_products(Q, y, columns[k], -1.0)
            left -= 1
        if leaving.size == 1:
            _follow(P, free, y, columns[leaving[0]], features.weight[leaving[0]], upper, alpha)
        _drop(features, left + leaving.size, leaving)
        if np.trace(Q) - n * ridge < 0.5 * synchronised:
            _rebuild(Q, y, ridge, columns[:left])
            synchronised = np.trace(Q) - n * ridge
        qp.refresh_gradient(Q, q, alpha, gradient)
    return removed, worth, values, qp.SOLVED
