"""The dual of the support vector machine, with linear or quadratic slack, and the hard margin as their limit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from marginfs.errors import DataError, MarginfsError, NotSeparableError
from marginfs.solvers import qp
from marginfs.solvers.svm_options import HARD_MARGIN, Svm
from marginfs.types import FloatArray


@dataclass(frozen=True, slots=True)
class DualSolution:
    """Optimum of the dual.

    Attributes
    ----------
    alpha : ndarray of float
        Multipliers, one per point, >= 0.
    bias : float
        Offset b of the decision function sum_i alpha_i y_i k(x_i, x) + b.
    gradient : ndarray of float
        Q alpha - 1, with Q = yy'K, plus I/C for quadratic slack.
    objective : float
        The maximised dual, sum alpha - 1/2 alpha'Q alpha.
    iterations : int
        Moves that the solver made.
    """

    alpha: FloatArray
    bias: float
    gradient: FloatArray
    objective: float
    iterations: int


@njit(cache=True)
def sign_gram(K: FloatArray, y: FloatArray, ridge: float, Q: FloatArray) -> None:
    """Overwrite Q by yy'K + ridge I.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix.
    y : ndarray of shape (n,)
        Labels, -1.0 or +1.0.
    ridge : float
        What is added to the diagonal.
    Q : ndarray of shape (n, n)
        Written here.
    """
    for i in range(y.size):
        for j in range(y.size):
            Q[i, j] = y[i] * y[j] * K[i, j]
        Q[i, i] += ridge


def solve_dual(
    K: FloatArray,
    y: FloatArray,
    svm: Svm = HARD_MARGIN,
    *,
    alpha: FloatArray | None = None,
    gradient: FloatArray | None = None,
    work: FloatArray | None = None,
) -> DualSolution:
    """Maximise sum alpha - 1/2 alpha'Q alpha subject to y'alpha = 0 and alpha >= 0.

    Q is yy'K. Linear slack adds alpha <= C, quadratic slack I/C to the kernel (equation 4 of Rakotomamonjy, 2003); with
    C = inf both are the hard margin.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix of the training points.
    y : ndarray of shape (n,)
        Labels, -1.0 or +1.0.
    svm : Svm
        C, slack and tol; its kernel is not looked at, since K is given.
    alpha : ndarray of shape (n,), optional
        A warm start: the solution of a neighbouring problem.
    gradient : ndarray of shape (n,), optional
        The gradient of this problem at `alpha`, which spares a matrix product.
    work : ndarray of shape (2, n, n), optional
        Scratch, for callers who solve often.

    Returns
    -------
    DualSolution
        The optimum.
    """
    if y.min() > 0 or y.max() < 0:
        raise DataError("The labels hold a single class: a support vector machine needs points of both.")
    trained = np.zeros(y.size) if alpha is None else alpha * min(1.0, svm.upper / max(alpha.max(), 1e-300))
    slope = np.empty(0) if alpha is None or gradient is None else gradient.copy()
    Q, L = np.empty((2, y.size, y.size)) if work is None else work
    status, moves, slope, offset, objective = _train(K, y, svm.ridge, svm.upper, trained, slope, svm.tol, Q, L)
    raise_unless_solved(status, y.size, svm)
    return DualSolution(trained, offset, slope, objective, moves)


def raise_unless_solved(status: int, n: int, svm: Svm) -> None:
    """Say in words why training failed.

    Parameters
    ----------
    status : int
        What `qp.minimise` returned.
    n : int
        Number of training points.
    svm : Svm
        What was to be trained.
    """
    if status == qp.UNBOUNDED:
        raise NotSeparableError(
            f"The {n} training points are not separable with this kernel, but C = {svm.C:g} asks for a hard margin: "
            "set a smaller C."
        )
    if status == qp.ITERATION_LIMIT:
        raise MarginfsError(
            f"The support vector machine did not reach tol = {svm.tol:g}: raise tol, or lower C = {svm.C:g}."
        )


@njit(cache=True)
def _train(
    K: FloatArray,
    y: FloatArray,
    ridge: float,
    upper: float,
    alpha: FloatArray,
    gradient: FloatArray,
    tol: float,
    Q: FloatArray,
    L: FloatArray,
) -> tuple[int, int, FloatArray, float, float]:
    """Solve from alpha, in place; returns status, moves, gradient, bias and objective. Q and L are scratch."""
    sign_gram(K, y, ridge, Q)
    q = np.full(y.size, -1.0)
    if gradient.size == 0:
        gradient = np.empty(y.size)
        qp.refresh_gradient(Q, q, alpha, gradient)
    status, moves = qp.minimise(Q, q, y, upper, alpha, gradient, tol, L)
    objective = 0.5 * np.sum(alpha * (1.0 - gradient))
    return status, moves, gradient, _bias(y, upper, alpha, gradient), objective


@njit(cache=True)
def _bias(y: FloatArray, upper: float, alpha: FloatArray, gradient: FloatArray) -> float:
    """Offset at which the free support vectors have margin one; the middle of its interval where none is free."""
    total, count = 0.0, 0
    for t in range(y.size):
        if 0 < alpha[t] < upper:
            total -= y[t] * gradient[t]
            count += 1
    if count > 0:
        return total / count
    high, low, _ = qp.violation(y, upper, alpha, gradient)
    return float((high + low) / 2)


def weights(X: FloatArray, y: FloatArray, solution: DualSolution) -> FloatArray:
    """Weight vector w = sum_i alpha_i y_i x_i of the linear kernel.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : ndarray of shape (n,)
        Labels, -1.0 or +1.0.
    solution : DualSolution
        The optimum.

    Returns
    -------
    ndarray of shape (d,)
        w.
    """
    return (solution.alpha * y) @ X
