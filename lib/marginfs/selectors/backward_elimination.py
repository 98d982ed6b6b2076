"""Backward elimination by the criteria of Rakotomamonjy, Variable selection using SVM-based criteria, JMLR 3, 2003."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal, Unpack, get_args

import numpy as np

from marginfs.criteria import CRITERIA, Criterion, load_criterion
from marginfs.criteria.machine import Machine
from marginfs.errors import ConfigError
from marginfs.kernels import LINEAR
from marginfs.labels import signs
from marginfs.searches.backward import eliminate, step_rule
from marginfs.searches.linear_rfe import linear_rfe
from marginfs.selectors.guard import guarded
from marginfs.solvers.svm_options import Svm, SvmKeys
from marginfs.types import FloatArray, Labels, NameOf, Selection

Order = Literal["zero", "zero_retrained", "first"]
RankBy = Literal["change", "minimum", "dual"]


@guarded
def backward_elimination(
    X: FloatArray,
    y: Labels,
    *,
    rng: np.random.Generator,
    criterion: Annotated[str, NameOf(CRITERIA)] = "w2",
    order: Order = "first",
    rank_by: RankBy = "change",
    step: int | float | Literal["halving"] = 1,
    floor: int = 100,
    **keys: Unpack[SvmKeys],
) -> Selection:
    """Rank features by what a support vector machine loses with each.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : ndarray of shape (n,)
        Their labels, of two classes.
    rng : Generator
        Not used: nothing is drawn.
    criterion : str
        w2 (||w||^2), r2w2 (R^2 ||w||^2) or span (sum_p alpha_p S_p^2).
    order : {"zero", "zero_retrained", "first"}
        The criterion without the feature, multipliers kept ("zero") or trained again without it ("zero_retrained"); or
        its absolute derivative with respect to the feature's scale ("first", equation 11).
    rank_by : {"change", "minimum", "dual"}
        For the zero orders, remove the feature whose absence changes the criterion least ("change", equation 8) or
        leaves it smallest ("minimum", equation 9 read literally; "dual", ||w||^2 measured by the dual objective).
    step : int, float or "halving"
        Features dropped at once: a number, a share, or half of them down to `floor` and then one at a time.
    floor : int
        Where halving ends.
    **keys : SvmKeys
        The machine that is trained.

    Returns
    -------
    Selection
        The ranking, with the trace of `eliminate`.
    """
    y = signs(y)
    chosen, rule, svm = load_criterion(criterion), step_rule(step, floor), Svm.of(**keys)
    ranking_term = relevance(chosen, order, rank_by)
    is_rfe = criterion == "w2" and (order == "first" or (order, rank_by) == ("zero", "change"))
    if is_rfe and svm.kernel.code == LINEAR:
        return linear_rfe(X, y, svm, step=rule, factor=2.0 if order == "first" else 1.0)
    return eliminate(Machine(X, y, svm), ranking_term, step=rule, value=chosen.value)


def relevance(criterion: Criterion, order: Order, rank_by: RankBy) -> Callable[[Machine], FloatArray]:
    """The ranking term R_c(i) of section 2.3: the feature with the smallest goes first.

    Parameters
    ----------
    criterion : Criterion
        What is measured.
    order, rank_by : str
        As in `backward_elimination`.

    Returns
    -------
    callable
        R_c for every feature that a machine still has.
    """
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
