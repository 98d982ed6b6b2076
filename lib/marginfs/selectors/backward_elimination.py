"""Backward elimination by the criteria of Rakotomamonjy, Variable selection using SVM-based criteria, JMLR 3, 2003."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np

from marginfs.criteria import CRITERIA, Criterion, Machine
from marginfs.errors import ConfigError
from marginfs.kernels import Kernel
from marginfs.searches.backward import eliminate, step_rule
from marginfs.searches.linear_rfe import linear_rfe
from marginfs.solvers.svm_dual import Slack
from marginfs.types import FloatArray, Selection

Order = Literal["zero", "zero_retrained", "first"]
RankBy = Literal["change", "minimum", "dual"]


def backward_elimination(
    X: FloatArray,
    y: FloatArray,
    *,
    rng: np.random.Generator,
    criterion: str = "w2",
    order: Order = "first",
    rank_by: RankBy = "change",
    kernel: Literal["linear", "polynomial", "gaussian"] = "linear",
    sigma: float = 1.0,
    degree: int = 2,
    offset: float = 1.0,
    C: float = np.inf,
    slack: Slack = "l2",
    step: int | float | str = 1,
    floor: int = 100,
    tol: float = 1e-8,
) -> Selection:
    """Rank features by what a support vector machine loses with each.

    criterion: w2 (||w||^2), r2w2 (R^2 ||w||^2) or span (sum_p alpha_p S_p^2).
    order: zero (the criterion without the feature, multipliers kept), zero_retrained (trained again without it), or
        first (absolute derivative with respect to the feature's scale, equation 11).
    rank_by: for the zero orders, remove the feature whose absence changes the criterion least (change, equation 8) or
        leaves it smallest (minimum, equation 9 read literally; dual, with ||w||^2 measured by the dual objective).
    step: features dropped at once: a number, a share, or "halving" down to floor and then one at a time.
    """
    if criterion not in CRITERIA:
        raise ConfigError(f"criterion is {criterion!r}: write one of {', '.join(CRITERIA)}.")
    chosen, rule = CRITERIA[criterion], step_rule(step, floor)
    ranking_term = relevance(chosen, order, rank_by)
    if criterion == "w2" and kernel == "linear" and (order == "first" or (order, rank_by) == ("zero", "change")):
        factor = 2.0 if order == "first" else 1.0
        return linear_rfe(X, y, C=C, slack=slack, step=rule, tol=tol, factor=factor)
    machine = Machine(X, y, kernel=Kernel(kernel, degree, offset, sigma), C=C, slack=slack, tol=tol)
    return eliminate(machine, ranking_term, step=rule, value=chosen.value)


def relevance(criterion: Criterion, order: Order, rank_by: RankBy) -> Callable[[Machine], FloatArray]:
    """The ranking term R_c(i) of section 2.3: the feature with the smallest goes first."""
    if order == "first":
        return lambda machine: np.abs(criterion.first(machine))
    if order not in ("zero", "zero_retrained"):
        raise ConfigError(f"order is {order!r}: write zero, zero_retrained or first.")
    if rank_by not in get_args(RankBy):
        raise ConfigError(f"rank_by is {rank_by!r}: write change (equation 8), minimum or dual (both equation 9).")
    if order == "zero" and rank_by == "dual":
        return criterion.zero_dual
    without = criterion.zero if order == "zero" else criterion.zero_retrained
    if rank_by != "change":
        return without
    return lambda machine: np.abs(without(machine) - criterion.value(machine))
