"""Decision values of a linear machine at every number of features, each trained from the last, compiled as one loop.

A feature that joins adds x_k x_k' to the inner products of the training points, and z_k x_k' to those between test and
training points; the solution on k features starts the solver on k + 1. A size costs O(n^2 + nt) and a few moves.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from marginfs.solvers import qp
from marginfs.solvers.svm_dual import raise_unless_solved
from marginfs.solvers.svm_options import Svm
from marginfs.types import FloatArray, IntArray

_FAST = {"reassoc", "contract", "nsz"}


def growing_decisions(X: FloatArray, y: FloatArray, Z: FloatArray, svm: Svm, sizes: IntArray) -> FloatArray:
    """Decision values of the machines on the first features, for every number of them.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points, the features in the order in which they join.
    y : ndarray of shape (n,)
        Labels -1.0 and +1.0.
    Z : ndarray of shape (t, d)
        Test points.
    svm : Svm
        C, slack and tol; the kernel is linear.
    sizes : ndarray of int
        Numbers of features, ascending.

    Returns
    -------
    ndarray of shape (len(sizes), t)
        w.z + b of every machine.
    """
    columns, tests = np.ascontiguousarray(X.T), np.ascontiguousarray(Z.T)
    values, status = _run(columns, y, tests, svm.ridge, svm.upper, svm.tol, sizes)
    raise_unless_solved(status, y.size, svm)
    return np.asarray(values)


@njit(cache=True, fastmath=_FAST)
def _add_outer(A: FloatArray, left: FloatArray, right: FloatArray) -> None:
    """A += left right'."""
    for i in range(left.size):
        for j in range(right.size):
            A[i, j] += left[i] * right[j]


@njit(cache=True)
def _run(
    columns: FloatArray, y: FloatArray, tests: FloatArray, ridge: float, upper: float, tol: float, sizes: IntArray
) -> tuple[FloatArray, int]:
    """The decision values, and the solver's status."""
    n, t = y.size, tests.shape[1]
    Q, L, cross = np.zeros((n, n)), np.empty((n, n)), np.zeros((t, n))
    for i in range(n):
        Q[i, i] = ridge
    q, alpha, gradient = np.full(n, -1.0), np.zeros(n), np.empty(n)
    values = np.empty((sizes.size, t))
    joined = 0
    for place in range(sizes.size):
        for k in range(joined, sizes[place]):
            signed = y * columns[k]
            _add_outer(Q, signed, signed)
            _add_outer(cross, tests[k], signed)
        joined = sizes[place]
        qp.refresh_gradient(Q, q, alpha, gradient)
        status, _ = qp.minimise(Q, q, y, upper, alpha, gradient, tol, L)
        if status != qp.SOLVED:
            return values, status
        high, low, _ = qp.violation(y, upper, alpha, gradient)
        values[place] = cross @ alpha + 0.5 * (high + low)
    return values, qp.SOLVED
