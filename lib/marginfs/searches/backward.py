"""Backward elimination: drop the features that matter least, train again, until all are ranked."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from marginfs.errors import ConfigError
from marginfs.searches.tie_order import TieOrder, ascending
from marginfs.types import FloatArray, IntArray, Selection


class Progress(NamedTuple):
    """What a step rule may look at.

    Attributes
    ----------
    retained : int
        How many features are left.
    iteration : int
        Number of the step, from one.
    scores : ndarray
        What the features are worth; empty where the steps are planned ahead.
    """

    retained: int
    iteration: int
    scores: FloatArray


StepRule = Callable[[Progress], int]
"""From the state of the search to how many features leave next."""


class Eliminable(Protocol):
    """What the search asks of a model: the features that remain, and to go on without some of them."""

    @property
    def features(self) -> IntArray:
        """The features that remain."""

    def remove(self, positions: IntArray) -> None:
        """Go on without some features.

        Parameters
        ----------
        positions : ndarray of int
            Their places in `features`.
        """


Model = TypeVar("Model", bound=Eliminable)


def constant(size: int) -> StepRule:
    """Drop the same number of features at every step.

    Parameters
    ----------
    size : int
        The number.

    Returns
    -------
    StepRule
        The rule.
    """
    return lambda now: size


def percentage(share: float) -> StepRule:
    """Drop a share of the features that remain, rounded down, at least one.

    Parameters
    ----------
    share : float
        The share, between 0 and 1.

    Returns
    -------
    StepRule
        The rule.
    """
    return lambda now: max(1, int(share * now.retained))


def halving(floor: int) -> StepRule:
    """Drop half of the features that remain, never below the floor; from there on one at a time.

    Parameters
    ----------
    floor : int
        Where halving ends.

    Returns
    -------
    StepRule
        The rule.
    """
    return lambda now: min(now.retained // 2, now.retained - floor) if now.retained > floor else 1


def step_rule(step: int | float | str, floor: int) -> StepRule:
    """The rule that a configuration means: a whole number, a share between 0 and 1, or the word halving.

    Parameters
    ----------
    step : int, float or str
        A whole number of features, a share between 0 and 1, or the word halving.
    floor : int
        Where halving ends.

    Returns
    -------
    StepRule
        The rule.
    """
    if step == "halving":
        check_floor(floor)
        return halving(floor)
    if isinstance(step, int) and not isinstance(step, bool) and step >= 1:
        return constant(step)
    if isinstance(step, float) and 0 < step < 1:
        return percentage(step)
    raise ConfigError(f"step is {step!r}: write a whole number of features from 1, a share such as 0.1, or halving.")


def check_floor(floor: int) -> None:
    """Raise ConfigError unless the number of features from which on one leaves at a time is positive.

    Parameters
    ----------
    floor : int
        That number.
    """
    if floor < 1:
        raise ConfigError(f"floor is {floor}: write a whole number of features from 1.")


def step_sizes(total: int, step: StepRule) -> IntArray:
    """How many features leave at each step until none is left.

    Parameters
    ----------
    total : int
        Features at the start.
    step : StepRule
        The rule.

    Returns
    -------
    ndarray of int
        One number per step.
    """
    sizes: list[int] = []
    left, unknown = total, np.empty(0)
    while left > 0:
        sizes.append(_size(step, Progress(left, len(sizes) + 1, unknown)))
        left -= sizes[-1]
    return np.array(sizes, dtype=np.int64)


def _size(step: StepRule, now: Progress) -> int:
    return min(max(step(now), 1), now.retained)


def eliminate(
    model: Model,
    relevance: Callable[[Model], FloatArray],
    *,
    step: StepRule,
    value: Callable[[Model], float] | None = None,
    tie_order: TieOrder = "stable",
) -> Selection:
    """Rank all features by removing those of least relevance first (figure 1 of Rakotomamonjy, 2003).

    Parameters
    ----------
    model : Eliminable
        The model on all features; it ends with the last ones that left.
    relevance : callable
        From the model to one number per feature that it has.
    step : StepRule
        How many features leave at once.
    value : callable, optional
        From the model to the worth of its set of features.
    tie_order : {"stable", "introsort"}
        Order in which equal features leave (see `ascending`).

    Returns
    -------
    Selection
        The ranking. Its trace holds, one entry per feature in the order of removal: removed (the feature), retained
        (how many there were when it went), relevance (what it was worth then) and, where `value` is given, value (that
        of the set it was removed from).
    """
    total = model.features.size
    removed = np.empty(total, dtype=np.int64)
    retained = np.empty(total, dtype=np.int64)
    worth, values = np.empty(total), np.empty(total)
    done, iteration = 0, 0
    while done < total:
        iteration += 1
        scores = relevance(model)
        count = _size(step, Progress(total - done, iteration, scores))
        leaving = _smallest(scores, count, tie_order)
        now = slice(done, done + count)
        removed[now], retained[now], worth[now] = model.features[leaving], total - done, scores[leaving]
        if value is not None:
            values[now] = value(model)
        done += count
        if done < total:
            model.remove(leaving)
    trace = {"removed": removed, "retained": retained, "relevance": worth}
    if value is not None:
        trace["value"] = values
    return Selection(ranking=removed[::-1].copy(), trace=trace)


def _smallest(scores: FloatArray, count: int, tie_order: TieOrder) -> IntArray:
    """Positions of the smallest scores, the smallest first."""
    if count == 1 and tie_order == "stable":
        return np.array([np.argmin(scores)])
    return ascending(scores, tie_order)[:count]
