"""The dual of the support vector machine, with linear or quadratic slack, and the hard margin as their limit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

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


def signed_gram(K: FloatArray, y: FloatArray, C: float, slack: Slack) -> FloatArray:
    """Q = yy'K, plus I/C for quadratic slack."""
    Q = K * y * y[:, None]
    if slack == "l2":
        np.einsum("ii->i", Q)[:] += 1.0 / C
    return Q


def solve_dual(
    K: FloatArray,
    y: FloatArray,
    *,
    C: float = np.inf,
    slack: Slack = "l1",
    tol: float = 1e-8,
    alpha: FloatArray | None = None,
    gradient: FloatArray | None = None,
    max_iter: int = 1_000_000,
) -> DualSolution:
    """Maximise sum alpha - 1/2 alpha'Q alpha subject to y'alpha = 0 and alpha >= 0.

    slack="l1" adds alpha <= C (penalty C sum xi), slack="l2" adds I/C to the kernel (penalty C/2 sum xi^2, equation 4
    of Rakotomamonjy, 2003); with C = inf both are the hard margin.

    alpha, the solution of a neighbouring problem, is a warm start; its gradient in this problem, if given with it,
    spares a matrix product.
    """
    if slack not in ("l1", "l2"):
        raise ConfigError(f"slack is {slack!r}: write 'l1' (linear penalty) or 'l2' (quadratic penalty).")
    if not C > 0:
        raise ConfigError(f"C is {C}: write a positive number, or inf for the hard margin.")
    if not (np.any(y > 0) and np.any(y < 0)):
        raise DataError("The labels hold a single class: a support vector machine needs points of both.")
    Q = signed_gram(K, y, C, slack)
    q = np.full(y.size, -1.0)
    upper = C if slack == "l1" else np.inf
    start = np.zeros(y.size) if alpha is None else alpha * min(1.0, upper / max(alpha.max(), 1e-300))
    if gradient is None:
        slope = np.empty(y.size)
        qp.refresh_gradient(Q, q, start, slope)
    else:
        slope = gradient.copy()
    status, moves = qp.minimise(Q, q, y, upper, start, slope, tol, max_iter)
    if status == qp.UNBOUNDED:
        raise NotSeparableError(
            f"The {y.size} training points are not separable with this kernel, but C = {C:g} asks for a hard margin: "
            "set a smaller C."
        )
    if status == qp.ITERATION_LIMIT:
        raise MarginfsError(
            f"The support vector machine did not reach tol = {tol:g} in {moves} moves: raise tol or max_iter, "
            "or lower C."
        )
    # alpha'Q alpha = alpha'(gradient + 1)
    objective = 0.5 * float(start.sum() - start @ slope)
    return DualSolution(start, bias(y, upper, start, slope), slope, objective, moves)


def bias(y: FloatArray, upper: float, alpha: FloatArray, gradient: FloatArray) -> float:
    """Offset at which the free support vectors have margin one; the middle of its interval where none is free."""
    free = (alpha > 0) & (alpha < upper)
    if free.any():
        return float(np.mean(-y[free] * gradient[free]))
    high, low, _ = qp.violation(y, upper, alpha, gradient)
    return (high + low) / 2


def weights(X: FloatArray, y: FloatArray, solution: DualSolution) -> FloatArray:
    """Weight vector w = sum_i alpha_i y_i x_i of the linear kernel."""
    return (solution.alpha * y) @ X
