"""The file of kept scores: what tuning has found so far of an experiment, a line for every score.

A unit of tuning is one inner fold of one unit at one point of the grid; its sweep gives several scores. Lines stand in
the order of the protocol, and scores with all their digits, so that the records of the jobs come back as they were.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from marginfs.errors import DataError
from marginfs.study.protocol import SIZE, Plan, Tuning, product_of

Record = dict[str, Any]
"""What `marginfs.study.unit_jobs.tune` gives of a unit of tuning."""
Scores = dict[str, dict[int, Record]]
"""Selector -> number of the unit of tuning -> its record."""


class TuningUnit(NamedTuple):
    """A unit of tuning in any split: the unit's point, the inner fold, and the options that are tried, in order."""

    point: Mapping[str, Any]
    fold: int
    options: list[dict[str, Any]]


def tuning_units(plan: Plan, tuning: Tuning) -> list[TuningUnit]:
    """List the units of tuning that every split has, as `marginfs.study.unit_jobs.tune` counts them.

    Parameters
    ----------
    plan : Plan
        What the units are.
    tuning : Tuning
        What is tried.

    Returns
    -------
    list of TuningUnit
        Those of split s have the numbers from s times the length of this list.
    """
    swept = product_of({tuning.sweep: tuning.grid[tuning.sweep]}) if tuning.sweep else [{}]
    tried = [
        [{**point, **value, **judged} for value in swept for judged in product_of(tuning.judged)]
        for point in tuning.points()
    ]
    units, folds = plan.units(0, len(plan.points())), range(tuning.folds or 1)
    return [TuningUnit(unit.point, fold, options) for unit in units for fold in folds for options in tried]


def is_of(record: Record, index: int, units: list[TuningUnit]) -> bool:
    """Tell whether a record is the whole one of a unit of tuning.

    Parameters
    ----------
    record : dict
        What a job wrote; it has no scores where its data was missing.
    index : int
        The number of the unit of tuning.
    units : list of TuningUnit
        Those of every split.

    Returns
    -------
    bool
        Whether it has this split, point and fold, and a score of all options that the protocol tries.
    """
    split, place = divmod(index, len(units))
    unit = units[place]
    tried: list[dict[str, Any]] = []
    for options, _ in record.get("scores", ()):
        found = {key: value for key, value in options.items() if key != SIZE}
        if tried[-1:] != [found]:
            tried.append(found)
    where = (record["split"], record["point"], record["fold"])
    return tried == unit.options and where == (split, unit.point, unit.fold)


def read_scores(path: str | Path, plan: Plan, tunings: Mapping[str, Tuning]) -> Scores:
    """Read the kept scores of an experiment.

    Parameters
    ----------
    path : path
        The file.
    plan : Plan
        What the units of the experiment are.
    tunings : mapping
        Selector -> what is tried.

    Returns
    -------
    dict
        What `scores_text` was given; DataError where a line fits nothing that the protocol tries.
    """
    header, *rows = [*csv.reader(io.StringIO(Path(path).read_text(encoding="utf-8")))] or [[]]
    keys = _keys(tunings)
    if header != _header(plan, keys):
        raise DataError(f"it has the columns {','.join(header)}, and the protocol {','.join(_header(plan, keys))}")
    units = {name: tuning_units(plan, tuning) for name, tuning in tunings.items()}
    known = {name: _lines(of_split, keys) for name, of_split in units.items()}
    found: Scores = {}
    for number, row in enumerate(rows, start=2):
        try:
            name, split, *line, size, score = (cell for _, cell in zip(header, row, strict=True))
            place, options = known[name][tuple(line if SIZE in keys else [*line, size])]
            index = int(split) * len(units[name]) + place
            tried = [{**options, SIZE: int(size)} if tunings[name].size else options, json.loads(score)]
        except (KeyError, ValueError):
            raise DataError(f"line {number} is of nothing that the protocol tries") from None
        unit = units[name][place]
        blank = {"split": int(split), "point": dict(unit.point), "fold": unit.fold, "scores": []}
        found.setdefault(name, {}).setdefault(index, blank)["scores"].append(tried)
    for name, records in found.items():
        if not all(is_of(record, index, units[name]) for index, record in records.items()):
            raise DataError(f"it lacks lines of {name} that the protocol has")
    return found


def scores_text(scores: Scores, plan: Plan, tunings: Mapping[str, Tuning]) -> str:
    """Write scores as CSV.

    Parameters
    ----------
    scores : dict
        Those of whole units of tuning.
    plan, tunings : Plan and mapping
        As for `read_scores`.

    Returns
    -------
    str
        The text, the same for the same scores in any order.
    """
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    keys = _keys(tunings)
    table.writerow(_header(plan, keys))
    for name in tunings:
        for _, record in sorted(scores.get(name, {}).items()):
            table.writerows(_rows(name, record, keys))
    return text.getvalue()


def _keys(tunings: Mapping[str, Tuning]) -> list[str]:
    """All options that are tuned, the number of features last."""
    keys = dict.fromkeys(key for tuning in tunings.values() for key in tuning.chosen)
    return sorted(keys, key=lambda key: key == SIZE)


def _header(plan: Plan, keys: list[str]) -> list[str]:
    return ["selector", "split", *plan.data_grid, *plan.grid, "fold", *keys, "score"]


def _rows(name: str, record: Record, keys: list[str]) -> Iterator[list[str]]:
    where = [name, *map(_text, (record["split"], *record["point"].values(), record["fold"]))]
    for options, score in record["scores"]:
        yield [*where, *(_text(options.get(key, "")) for key in keys), json.dumps(score)]


def _lines(units: list[TuningUnit], keys: list[str]) -> dict[tuple[str, ...], tuple[int, dict[str, Any]]]:
    """What stands in a line between split and size -> the place of the unit of tuning, and the options."""
    columns = [key for key in keys if key != SIZE]
    lines = {}
    for place, unit in enumerate(units):
        for options in unit.options:
            line = (*unit.point.values(), unit.fold, *(options.get(key, "") for key in columns))
            lines[tuple(map(_text, line))] = place, options
    return lines


def _text(value: Any) -> str:
    """A value as JSON has it, with all its digits; words without quotes."""
    return value if isinstance(value, str) else json.dumps(value)
