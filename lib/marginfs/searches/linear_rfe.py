"""Recursive feature elimination with a linear machine, compiled as one loop.

The same search as backward.eliminate with the criterion ||w||^2, for the case that matters most: at a few dozen
microseconds a step the interpreter would take longer than the mathematics.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from marginfs.searches.backward import StepRule, step_sizes
from marginfs.solvers import qp
from marginfs.solvers.svm_dual import Slack, raise_unless_solved
from marginfs.types import FloatArray, IntArray, Selection


def linear_rfe(
    X: FloatArray, y: FloatArray, *, C: float, slack: Slack, step: StepRule, tol: float, factor: float
) -> Selection:
    """Remove the features of smallest w_k^2, train again, until all are ranked.

    factor scales the relevance in the trace: one for the change of ||w||^2 on removal, two for its derivative.
    """
    columns = np.array(X.T, dtype=np.float64, order="C")
    ridge, upper = (1.0 / C, np.inf) if slack == "l2" else (0.0, C)
    sizes = step_sizes(X.shape[1], step)
    removed, worth, values, status = _run(columns, columns.T @ columns, y, ridge, upper, sizes, tol)
    raise_unless_solved(status, y.size, C, tol)
    remaining = np.repeat(X.shape[1] - np.concatenate(([0], np.cumsum(sizes)[:-1])), sizes)
    trace = {"removed": removed, "remaining": remaining, "relevance": factor * worth, "value": np.repeat(values, sizes)}
    return Selection(ranking=removed[::-1].copy(), trace=trace)


@njit(cache=True, fastmath={"reassoc", "contract", "nsz"})
def _squared_weights(columns: FloatArray, coefficients: FloatArray, scores: FloatArray) -> None:
    for k in range(scores.size):
        total = 0.0
        for i in range(coefficients.size):
            total += columns[k, i] * coefficients[i]
        scores[k] = total * total


@njit(cache=True, fastmath={"reassoc", "contract", "nsz"})
def _add_products(Q: FloatArray, y: FloatArray, x: FloatArray, factor: float) -> None:
    """Q += factor yx(yx)'."""
    for i in range(y.size):
        left = factor * y[i] * x[i]
        for j in range(y.size):
            Q[i, j] += left * y[j] * x[j]


@njit(cache=True)
def _drop(columns: FloatArray, features: IntArray, left: int, leaving: IntArray) -> None:
    """Close the holes among the first rows: by the last row where there is one, else by moving all up."""
    if leaving.size == 1:
        columns[leaving[0]], features[leaving[0]] = columns[left - 1], features[left - 1]
        return
    stays = np.ones(left, dtype=np.bool_)
    stays[leaving] = False
    for target, k in enumerate(np.flatnonzero(stays)):
        columns[target], features[target] = columns[k], features[k]


@njit(cache=True)
def _run(
    columns: FloatArray, G: FloatArray, y: FloatArray, ridge: float, upper: float, sizes: IntArray, tol: float
) -> tuple[IntArray, FloatArray, FloatArray, int]:
    """Consume columns, one row per feature; returns features and scores as removed, ||w||^2 per step, and the status."""
    d, n = columns.shape
    features = np.arange(d)
    removed, worth, values = np.empty(d, dtype=np.int64), np.empty(d), np.empty(sizes.size)
    Q = G * y * y.reshape(-1, 1)
    for i in range(n):
        Q[i, i] += ridge
    q, alpha, gradient, scores = np.full(n, -1.0), np.zeros(n), np.full(n, -1.0), np.empty(d)
    synchronised = np.trace(Q)
    left = d
    for step in range(sizes.size):
        status, _ = qp.minimise(Q, q, y, upper, alpha, gradient, tol, 1_000_000)
        if status != qp.SOLVED:
            return removed, worth, values, status
        values[step] = np.sum(alpha * (gradient + 1.0))
        _squared_weights(columns, alpha * y, scores[:left])
        if sizes[step] == 1:
            leaving = np.array([np.argmin(scores[:left])])
        else:
            leaving = np.argsort(scores[:left], kind="mergesort")[: sizes[step]]
        for k in leaving:
            removed[d - left], worth[d - left] = features[k], scores[k]
            _add_products(Q, y, columns[k], -1.0)
            left -= 1
        _drop(columns, features, left + leaving.size, leaving)
        if np.trace(Q) - n * ridge < 0.5 * synchronised:
            Q[:] = ridge * np.eye(n)
            for k in range(left):
                _add_products(Q, y, columns[k], 1.0)
            synchronised = np.trace(Q) - n * ridge
        qp.refresh_gradient(Q, q, alpha, gradient)
    return removed, worth, values, qp.SOLVED
