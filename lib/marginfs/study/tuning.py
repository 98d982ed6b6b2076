"""The choice of options from what tuning tried: the best mean over inner folds, ties broken by a stated rule.

Where the number of features is chosen too, the smallest one wins whose mean is within one standard error of the best.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from marginfs.study.protocol import SIZE, Tuning

Record = dict[str, Any]

DIGITS = 12
"""Mean scores that agree to so many decimals are equal: the order of summation must not decide."""


def choose(tuning: Tuning, records: Iterable[Record]) -> Iterator[Record]:
    """Choose the options of each unit.

    Parameters
    ----------
    tuning : Tuning
        Grid, goal and ties.
    records : iterable of dict
        What `marginfs.study.unit_jobs.tune` gave for all folds and points of these units, in order.

    Yields
    ------
    dict
        split, point, the options chosen, their mean score and how many points had the same; or why data is missing.
    """
    pending = iter(records)
    while trials := list(islice(pending, tuning.trials)):
        unit = {"split": trials[0]["split"], "point": trials[0]["point"]}
        if "missing" in trials[0]:
            yield {**unit, "missing": trials[0]["missing"]}
        else:
            yield {**unit, **_best(tuning, trials)}


def _best(tuning: Tuning, trials: list[Record]) -> Record:
    tried = _tried(trials)
    means = [(options, round(sum(values) / len(values), DIGITS)) for options, values in tried]
    best = (min if tuning.goal == "min" else max)(score for _, score in means)
    tied = [options for options, score in means if score == best]
    candidates = tied
    for option, side in tuning.ties.items():
        values = [options[option] for options in candidates if option in options]
        if values:
            wanted = min(values) if side == "smallest" else max(values)
            candidates = [options for options in candidates if options[option] == wanted]
    found, score = candidates[0], best
    if tuning.size == "one_standard_error":
        error = _standard_error(next(values for options, values in tried if options == found))
        found, score = min(
            (
                (options, mean)
                for options, mean in means
                if _same_but_size(options, found) and abs(mean - best) <= error
            ),
            key=lambda point: point[0][SIZE],
        )
    return {"options": dict(found), "score": score, "tied": len(tied)}


def _tried(trials: list[Record]) -> list[tuple[Mapping[str, Any], list[float]]]:
    """The options tried, each with its scores in the folds."""
    found: dict[tuple[Any, ...], tuple[Mapping[str, Any], list[float]]] = {}
    for trial in trials:
        for options, value in trial["scores"]:
            found.setdefault(tuple(options.values()), (options, []))[1].append(value)
    return list(found.values())


def _standard_error(values: list[float]) -> float:
    """Of the mean over the folds; zero where there is one fold."""
    return statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0


def _same_but_size(options: Mapping[str, Any], others: Mapping[str, Any]) -> bool:
    return all(options[key] == others[key] for key in options if key != SIZE)
