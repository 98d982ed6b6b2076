"""The dual of the support vector machine, with linear or quadratic slack, and the hard margin as their limit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numba import njit

from marginfs.errors import ConfigError, DataError, MarginfsError, NotSeparableError
from marginfs.solvers import qp
from marginfs.types import FloatArray

Slack = Literal["l1", "l2"]


@dataclass(frozen=True, slots=True)
class DualSolution:
    """Optimum of the dual.

    alpha: multipliers, one per point, >= 0.
    bias: offset b of the decision function sum_i alpha_i y_i k(x_i, x) + b.
    gradient: Q alpha - 1, with Q = yy'K, plus I/C for quadratic slack.
    objective: the maximised dual, sum alpha - 1/2 alpha'Q alpha.
    iterations: moves that the solver made.
    """

    alpha: FloatArray
    bias: float
    gradient: FloatArray
    objective: float
    iterations: int


@njit(cache=True)
def sign_gram(K: FloatArray, y: FloatArray, ridge: float, Q: FloatArray) -> None:
    """Overwrite Q by yy'K + ridge I."""
    for i in range(y.size):
        for j in range(y.size):
            Q[i, j] = y[i] * y[j] * K[i, j]
        Q[i, i] += ridge


def solve_dual(
    K: FloatArray,
    y: FloatArray,
    *,
    C: float = np.inf,
    slack: Slack = "l1",
    tol: float = 1e-8,
    alpha: FloatArray | None = None,
    gradient: FloatArray | None = None,
    work: FloatArray | None = None,
) -> DualSolution:
    """Maximise sum alpha - 1/2 alpha'Q alpha subject to y'alpha = 0 and alpha >= 0.

    slack="l1" adds alpha <= C (penalty C sum xi), slack="l2" adds I/C to the kernel (penalty C/2 sum xi^2, equation 4
    of Rakotomamonjy, 2003); with C = inf both are the hard margin.

    alpha, the solution of a neighbouring problem, is a warm start; its gradient in this problem, if given with it,
    spares a matrix product. work is scratch of shape (2, n, n), for callers who solve often.
    """
    if slack not in ("l1", "l2"):
        raise ConfigError(f"slack is {slack!r}: write 'l1' (linear penalty) or 'l2' (quadratic penalty).")
    if not C > 0:
        raise ConfigError(f"C is {C}: write a positive number, or inf for the hard margin.")
    if y.min() > 0 or y.max() < 0:
        raise DataError("The labels hold a single class: a support vector machine needs points of both.")
    upper = C if slack == "l1" else np.inf
    ridge = 1.0 / C if slack == "l2" else 0.0
    trained = np.zeros(y.size) if alpha is None else alpha * min(1.0, upper / max(alpha.max(), 1e-300))
    slope = np.empty(0) if alpha is None or gradient is None else gradient.copy()
    Q, L = np.empty((2, y.size, y.size)) if work is None else work
    status, moves, slope, offset, objective = _train(K, y, ridge, upper, trained, slope, tol, Q, L)
    raise_unless_solved(status, y.size, C, tol)
    return DualSolution(trained, offset, slope, objective, moves)


def raise_unless_solved(status: int, n: int, C: float, tol: float) -> None:
    """Say in words why training failed."""
    if status == qp.UNBOUNDED:
        raise NotSeparableError(
            f"The {n} training points are not separable with this kernel, but C = {C:g} asks for a hard margin: "
            "set a smaller C."
        )
    if status == qp.ITERATION_LIMIT:
        raise MarginfsError(f"The support vector machine did not reach tol = {tol:g}: raise tol, or lower C = {C:g}.")


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
    """Weight vector w = sum_i alpha_i y_i x_i of the linear kernel."""
    return (solution.alpha * y) @ X
