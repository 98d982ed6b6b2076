"""Backward elimination: drop the features that matter least, train again, until all are ranked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

import numpy as np

from marginfs.errors import ConfigError
from marginfs.types import FloatArray, IntArray, Selection

StepRule = Callable[[int], int]


class Eliminable(Protocol):
    """What the search asks of a model: the features that remain, and to go on without some of them."""

    @property
    def features(self) -> IntArray: ...

    def remove(self, positions: IntArray) -> None: ...


Model = TypeVar("Model", bound=Eliminable)


def constant(size: int) -> StepRule:
    """Drop the same number of features at every step."""
    return lambda remaining: size


def percentage(share: float) -> StepRule:
    """Drop a share of the features that remain, rounded down, at least one."""
    return lambda remaining: max(1, int(share * remaining))


def halving(floor: int) -> StepRule:
    """Drop half of the features that remain, never below the floor; from there on one at a time."""
    return lambda remaining: min(remaining // 2, remaining - floor) if remaining > floor else 1


def step_rule(step: int | float | str, floor: int) -> StepRule:
    """The rule that a configuration means: a whole number, a share between 0 and 1, or the word halving."""
    if step == "halving" and floor >= 1:
        return halving(floor)
    if isinstance(step, int) and not isinstance(step, bool) and step >= 1:
        return constant(step)
    if isinstance(step, float) and 0 < step < 1:
        return percentage(step)
    raise ConfigError(
        f"step is {step!r} with floor {floor}: write a whole number of features from 1, a share such as 0.1, "
        "or halving with a floor from 1."
    )


def step_sizes(total: int, step: StepRule) -> IntArray:
    """How many features leave at each step until none is left."""
    sizes: list[int] = []
    left = total
    while left > 0:
        sizes.append(min(max(step(left), 1), left))
        left -= sizes[-1]
    return np.array(sizes, dtype=np.int64)


def eliminate(
    model: Model,
    relevance: Callable[[Model], FloatArray],
    *,
    step: StepRule,
    value: Callable[[Model], float] | None = None,
) -> Selection:
    """Rank all features by removing those of least relevance first (figure 1 of Rakotomamonjy, 2003).

    relevance gives one number per remaining feature. The trace holds, one entry per feature in the order of removal:
    removed (the feature), remaining (how many there were when it went), relevance (what it was worth then) and, where
    value is given, value (that of the set it was removed from).
    """
    total = model.features.size
    removed = np.empty(total, dtype=np.int64)
    remaining = np.empty(total, dtype=np.int64)
    worth, values = np.empty(total), np.empty(total)
    done = 0
    for count in step_sizes(total, step):
        scores = relevance(model)
        leaving = _smallest(scores, count)
        now = slice(done, done + count)
        removed[now], remaining[now], worth[now] = model.features[leaving], total - done, scores[leaving]
        if value is not None:
            values[now] = value(model)
        done += count
        if done < total:
            model.remove(leaving)
    trace = {"removed": removed, "remaining": remaining, "relevance": worth}
    if value is not None:
        trace["value"] = values
    return Selection(ranking=removed[::-1].copy(), trace=trace)


def _smallest(scores: FloatArray, count: int) -> IntArray:
    """Positions of the smallest scores, the smallest first."""
    if count == 1:
        return np.array([np.argmin(scores)])
    return np.argsort(scores, kind="stable")[:count]
