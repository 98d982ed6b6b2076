"""What the unit jobs do: run a chunk of selections, then evaluate it."""

from __future__ import annotations

import contextlib
import csv
import functools
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from marginfs import registry
from marginfs.data.load import load_split
from marginfs.errors import MarginfsError, MissingDataError
from marginfs.protocol import Plan, Selector, Unit
from marginfs.streams import Streams, streams
from marginfs.types import Measure, Selection


def select(plan: Plan, selector: Selector, start: int, stop: int, folder: str) -> Iterator[dict[str, Any]]:
    """What `selector` finds on units start..stop-1, each as a JSON-able record; `folder` holds the prepared data."""
    method = registry.selector(selector.method)
    for unit in plan.units(start, stop):
        random = _streams_of(plan, unit)
        record = {"split": unit.split, "point": dict(unit.point)}
        with _named(plan, unit, selector.name):
            try:
                data = load_split(unit.data, unit.split, random, folder=folder, test=False)
                options = {**selector.options, **unit.options}
                selection = method(data.X_train, data.y_train, rng=random(unit.split).selector, **options)
            except MissingDataError as error:
                yield {**record, "missing": str(error)}
            else:
                yield {**record, **pack(selection)}


def evaluate(
    plan: Plan,
    evaluation: Mapping[str, Any],
    selections: Mapping[str, Iterable[Mapping[str, Any]]],
    start: int,
    stop: int,
    folder: str,
) -> Iterator[list[Any]]:
    """Rows of `columns(plan)`: what the evaluation measures of units start..stop-1, for every selector in turn.

    selections: what `select` gave for the same units, by the selector's name. Each split is loaded once.
    """
    method = registry.evaluation(evaluation["method"])
    for unit, *records in zip(plan.units(start, stop), *selections.values(), strict=True):
        if any("missing" in record for record in records):
            continue
        options = evaluation_options(evaluation, unit)
        data = load_split(unit.data, unit.split, _streams_of(plan, unit), folder=folder)
        for name, record in zip(selections, records, strict=True):
            with _named(plan, unit, name):
                measures: list[Measure] = method(unpack(record), data, **options)
            for measure in measures:
                yield [name, unit.split, *unit.point.values(), *measure]


def evaluation_options(evaluation: Mapping[str, Any], unit: Unit) -> dict[str, Any]:
    """What the evaluation's function is called with: its own options, and those of the grid that it follows."""
    own = {key: value for key, value in evaluation.items() if key not in ("method", "follows")}
    return own | {key: unit.options[key] for key in evaluation.get("follows", [])}


def columns(plan: Plan) -> list[str]:
    """The columns of an evaluation: who, where, and what was measured."""
    return ["selector", "split", *plan.data_grid, *plan.grid, *Measure._fields]


def to_csv(header: list[str], rows: Iterable[list[Any]]) -> str:
    """CSV text; floats are written so that reading gives the same bits back."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    for row in rows:
        if len(row) != len(header) or not np.isfinite(row[-1]):
            raise ValueError(f"a measurement does not fit the columns {header}: {row}")
        writer.writerow(row)
    return text.getvalue()


def pack(selection: Selection) -> dict[str, Any]:
    """A selection as plain values, refused unless it ranks every feature once."""
    ranking = selection.ranking
    if not np.array_equal(np.sort(ranking), np.arange(len(ranking))):
        raise ValueError("a selector must rank every feature exactly once")
    return {
        "ranking": ranking.tolist(),
        "selected": selection.selected,
        "trace": {name: np.asarray(values).tolist() for name, values in selection.trace.items()},
        "model": {name: np.asarray(values).tolist() for name, values in selection.model.items()},
    }


def unpack(record: Mapping[str, Any]) -> Selection:
    return Selection(
        ranking=np.array(record["ranking"], dtype=np.int64),
        selected=record["selected"],
        trace={name: np.array(values) for name, values in record["trace"].items()},
        model={name: np.array(values) for name, values in record["model"].items()},
    )


def _streams_of(plan: Plan, unit: Unit) -> Callable[[int], Streams]:
    """The random streams of any split of the unit's data set."""
    return functools.partial(streams, plan.seed, plan.paper, plan.experiment, unit.data_key)


@contextlib.contextmanager
def _named(plan: Plan, unit: Unit, selector: str) -> Iterator[None]:
    """Adds to an error's message which unit it happened in."""
    try:
        yield
    except MarginfsError as error:
        point = "".join(f", {key}={value}" for key, value in unit.point.items())
        where = f"{plan.paper}/{plan.experiment}, selector {selector}, split {unit.split}{point}"
        raise type(error)(f"{where}: {error}") from None
