"""How many features leave at a step: the dynamic rules that planas2021 compares (sections 5.2 and 5.4)."""

from __future__ import annotations

from math import isqrt, log2
from typing import Literal, get_args

import numpy as np

from marginfs.errors import ConfigError
from marginfs.searches.backward import Progress, StepRule, check_floor, step_rule
from marginfs.types import FloatArray

Word = Literal["all", "annealing", "entropy", "halving", "reflective", "square_root"]
_CONCENTRATED = 0.2


def dynamic_rule(
    step: int | float | Word, *, floor: int = 100, percentage: float = 0.1, centre: int = 0, minimum: int = 1
) -> StepRule:
    """The rule that a configuration means.

    Parameters
    ----------
    step : int, float or str
        A number of features, a share of those that remain, or one of the words: "all" (one step, a filter),
        "square_root" (their square root), "annealing" (a 1/(i+1)th of them at step i), "entropy" (by the distribution
        of the scores), "reflective" (equation 5.2), or "halving".
    floor : int
        Number of features from which on "halving" and "entropy" drop one at a time.
    percentage : float
        For "reflective": the share p.
    centre : int
        For "reflective": the number c of features around which steps are smallest.
    minimum : int
        For "reflective": the smallest step.

    Returns
    -------
    StepRule
        The rule.
    """
    if step == "reflective":
        return reflective(percentage, centre, minimum)
    if step == "all":
        return lambda now: now.retained
    if step == "square_root":
        return lambda now: isqrt(now.retained)
    if step == "annealing":
        return lambda now: now.retained // (now.iteration + 1)
    if step == "entropy":
        check_floor(floor)
        return lambda now: entropy_step(now, floor)
    if isinstance(step, str) and step not in get_args(Word):
        raise ConfigError(
            f"step is {step!r}: write a number of features, a share, or one of {', '.join(get_args(Word))}."
        )
    return step_rule(step, floor)


def reflective(percentage: float, centre: int, minimum: int) -> StepRule:
    """Steps that are small around a number of features: max(int(p |n - c|), minimum), equation 5.2.

    Parameters
    ----------
    percentage : float
        The share p of the distance.
    centre : int
        The number c of features.
    minimum : int
        The smallest step.

    Returns
    -------
    StepRule
        The rule.
    """
    if not 0 < percentage < 1:
        raise ConfigError(f"percentage is {percentage}: write a share between 0 and 1, such as 0.2.")
    if minimum < 1 or centre < 0:
        raise ConfigError(f"minimum is {minimum} and centre {centre}: write a minimum from 1 and a centre from 0.")
    return lambda now: max(int(percentage * abs(now.retained - centre)), minimum)


def entropy_step(now: Progress, floor: int) -> int:
    """Step of E-RFE (Furlanello et al., Neural Networks 16, 2003), which planas2021 names without a formula or result.

    It could not be checked against the text of its authors, and no table or figure uses it.
    The scores, scaled to [0, 1], are counted in sqrt(R) intervals. Where they spread (entropy above half its maximum,
    mean above 0.2) those of the first interval leave. Where they crowd near zero, those whose scaled logarithm is below
    its mean leave; the bound is halved until that is at most half of them.

    Parameters
    ----------
    now : Progress
        The R features that remain, and their scores.
    floor : int
        Number of features from which on one leaves at a time.

    Returns
    -------
    int
        How many leave.
    """
    if now.retained <= floor:
        return 1
    scores, intervals = _unit(now.scores), isqrt(now.retained)
    counts = np.bincount(np.minimum((scores * intervals).astype(int), intervals - 1), minlength=intervals)
    shares = counts[counts > 0] / now.retained
    entropy = -float(shares @ np.log2(shares))
    if entropy > 0.5 * log2(intervals) and scores.mean() > _CONCENTRATED:
        return int(counts[0])
    positive = np.maximum(now.scores, np.finfo(float).tiny)
    logarithms = np.sort(_unit(np.log(positive)))
    bound = logarithms.mean()
    while np.searchsorted(logarithms, bound, side="right") > now.retained // 2 and bound > 0:
        bound /= 2
    return max(int(np.searchsorted(logarithms, bound, side="right")), 1)


def _unit(values: FloatArray) -> FloatArray:
    """Scaled linearly to [0, 1]; zeros where all are equal."""
    low, high = values.min(), values.max()
    return (values - low) / (high - low) if high > low else np.zeros(values.size)
