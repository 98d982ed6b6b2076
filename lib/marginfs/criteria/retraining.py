"""Criteria without each feature in turn, each one a problem of its own, solved from the solution with all features."""

from __future__ import annotations

import numpy as np
from numba import njit

from marginfs.criteria.machine import Machine
from marginfs.criteria.support_inverse import squared_spans
from marginfs.solvers import qp
from marginfs.solvers.gram import gram_without
from marginfs.solvers.sphere import solve_sphere
from marginfs.types import FloatArray

SQUARED_NORM, RADIUS_MARGIN, SPAN, SPAN_FIXED = 0, 1, 2, 3


def run(machine: Machine, what: int) -> FloatArray:
    """The criterion without each feature, for all features in one compiled loop.

    Parameters
    ----------
    machine : Machine
        The machine with all features.
    what : int
        SQUARED_NORM, RADIUS_MARGIN, SPAN, or SPAN_FIXED (multipliers kept).

    Returns
    -------
    ndarray of float
        One value per feature that remains; infinite where training fails without it.
    """
    gram, kernel = machine.gram, machine.gram.kernel
    beta = machine.sphere.beta if what == RADIUS_MARGIN else np.empty(0)
    return _all_features(
        what,
        kernel.code,
        kernel.degree,
        kernel.offset,
        kernel.gamma,
        gram.products,
        gram.columns,
        machine.y,
        machine.svm.ridge,
        machine.svm.upper,
        machine.solution.alpha,
        beta,
        machine.svm.tol,
    )


@njit(cache=True)
def _all_features(
    what: int,
    code: int,
    degree: int,
    offset: float,
    gamma: float,
    G: FloatArray,
    columns: FloatArray,
    y: FloatArray,
    ridge: float,
    upper: float,
    alpha: FloatArray,
    beta: FloatArray,
    tol: float,
) -> FloatArray:
    d, n = columns.shape
    K, Q, L = np.empty((n, n)), np.empty((n, n)), np.empty((n, n))
    q = np.full(n, -1.0)
    gradient = np.empty(n)
    result = np.empty(d)
    for k in range(d):
        gram_without(code, degree, offset, gamma, G, columns[k], K)
        for i in range(n):
            K[i, i] += ridge
            for j in range(n):
                Q[i, j] = y[i] * y[j] * K[i, j]
        trained = alpha.copy()
        if what != SPAN_FIXED:
            qp.refresh_gradient(Q, q, trained, gradient)
            status, _ = qp.minimise(Q, q, y, upper, trained, gradient, tol, L)
            if status != qp.SOLVED:
                result[k] = np.inf
                continue
        if what in (SPAN, SPAN_FIXED):
            result[k] = _span_estimate(Q, y, trained)
            continue
        result[k] = np.sum(trained * (gradient + 1.0))
        if what == RADIUS_MARGIN:
            result[k] *= solve_sphere(K, beta.copy(), tol)[0]
    return result


@njit(cache=True)
def _span_estimate(Q: FloatArray, y: FloatArray, alpha: FloatArray) -> float:
    s = np.flatnonzero(alpha)
    block = np.empty((s.size, s.size))
    for i in range(s.size):
        for j in range(s.size):
            block[i, j] = Q[s[i], s[j]]
    return float(np.sum(alpha[s] * squared_spans(block, y[s])))
