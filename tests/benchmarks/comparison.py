"""The library against another way to the same answer: both timed alike, and their answers compared."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Comparison:
    """What is compared.

    Attributes
    ----------
    group, what, peer : str
        The kind of problem, the problem, and the other way.
    ours, theirs : callable
        Each solves the problem and returns its answer.
    quality : callable
        From both answers to words that say how they agree.
    target : float
        The ratio of their time to ours that is wanted.
    repeats, peer_repeats : int
        Runs of each, after one that compiles and warms up.
    """

    group: str
    what: str
    peer: str
    ours: Callable[[], Any]
    theirs: Callable[[], Any]
    quality: Callable[[Any, Any], str]
    target: float
    repeats: int = 5
    peer_repeats: int = 1


@dataclass(frozen=True)
class Result:
    """Median CPU seconds with the least and the most, and the ratio of the medians."""

    group: str
    what: str
    ours: float
    ours_low: float
    ours_high: float
    peer: str
    theirs: float
    theirs_low: float
    theirs_high: float
    ratio: float
    target: float
    quality: str

    @property
    def met(self) -> bool:
        return self.ratio >= self.target

    def row(self) -> dict[str, Any]:
        """Plain values for a file."""
        return {**asdict(self), "met": "yes" if self.met else "no"}


def run(case: Comparison) -> Result:
    """Time both sides; the answers of the last runs are compared."""
    case.ours()
    ours, found = _timed(case.ours, case.repeats)
    theirs, reference = _timed(case.theirs, case.peer_repeats)
    ratio = float(np.median(theirs) / np.median(ours))
    sides = [*_spread(ours), case.peer, *_spread(theirs)]
    return Result(case.group, case.what, *sides, ratio, case.target, case.quality(found, reference))


def _timed(task: Callable[[], Any], repeats: int) -> tuple[list[float], Any]:
    times, answer = [], None
    for _ in range(repeats):
        start = time.process_time()
        answer = task()
        times.append(time.process_time() - start)
    return times, answer


def _spread(times: Sequence[float]) -> list[float]:
    return [float(f"{value:.4g}") for value in (np.median(times), min(times), max(times))]


def overlap(count: int) -> Callable[[Any, Any], str]:
    """Of two rankings: how many of the best features they share."""
    return lambda ours, theirs: f"{len(set(ours[:count]) & set(theirs[:count]))} of the top {count} in common"
