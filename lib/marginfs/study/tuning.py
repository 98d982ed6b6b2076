"""The choice of options from what tuning tried: the best mean over inner folds, ties broken by a stated rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from marginfs.study.protocol import Tuning

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
    means = _means(trials)
    scores = {key: round(value, DIGITS) for key, (_, value) in means.items()}
    best = (min if tuning.goal == "min" else max)(scores.values())
    tied = [means[key][0] for key, score in scores.items() if score == best]
    candidates = tied
    for option, side in tuning.ties.items():
        values = [options[option] for options in candidates if option in options]
        if values:
            wanted = min(values) if side == "smallest" else max(values)
            candidates = [options for options in candidates if options[option] == wanted]
    return {"options": dict(candidates[0]), "score": best, "tied": len(tied)}


def _means(trials: list[Record]) -> dict[tuple[Any, ...], tuple[Mapping[str, Any], float]]:
    """Values of the options -> the options and their mean score over the folds."""
    found: dict[tuple[Any, ...], tuple[Mapping[str, Any], list[float]]] = {}
    for trial in trials:
        for options, value in trial["scores"]:
            found.setdefault(tuple(options.values()), (options, []))[1].append(value)
    return {key: (options, sum(values) / len(values)) for key, (options, values) in found.items()}
