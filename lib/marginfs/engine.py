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
from marginfs.protocol import Job, Unit
from marginfs.streams import Streams, streams
from marginfs.types import Measure, Selection


def select(job: Job, start: int, stop: int, folder: str) -> Iterator[dict[str, Any]]:
    """The selections of units start..stop-1, each as a JSON-able record; `folder` holds the prepared data sets."""
    method = registry.selector(job.method)
    for unit in job.units(start, stop):
        random = _streams_of(job, unit)
        record = {"split": unit.split, "point": dict(unit.point)}
        with _named(job, unit):
            try:
                data = load_split(unit.data, unit.split, random, folder=folder, test=False)
                selection = method(data.X_train, data.y_train, rng=random(unit.split).selector, **unit.options)
            except MissingDataError as error:
                yield {**record, "missing": str(error)}
            else:
                yield {**record, **pack(selection)}


def evaluate(
    job: Job, start: int, stop: int, selections: Iterable[Mapping[str, Any]], folder: str
) -> Iterator[list[Any]]:
    """Rows of `columns(job)`: what the evaluation measures of the selections of units start..stop-1."""
    method = registry.evaluation(job.evaluation["method"])
    for unit, record in zip(job.units(start, stop), selections, strict=True):
        if "missing" in record:
            continue
        options = {key: value for key, value in unit.evaluation.items() if key != "method"}
        with _named(job, unit):
            data = load_split(unit.data, unit.split, _streams_of(job, unit), folder=folder)
            measures: list[Measure] = method(unpack(record), data, **options)
        for measure in measures:
            yield [job.selector, unit.split, *unit.point.values(), *measure]


def columns(job: Job) -> list[str]:
    """The columns of an evaluation: who, where, and what was measured."""
    return ["selector", "split", *job.data_grid, *job.grid, *Measure._fields]


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


def _streams_of(job: Job, unit: Unit) -> Callable[[int], Streams]:
    """The random streams of any split of the unit's data set."""
    return functools.partial(streams, job.seed, job.paper, job.experiment, unit.data_key)


@contextlib.contextmanager
def _named(job: Job, unit: Unit) -> Iterator[None]:
    """Adds to an error's message which unit it happened in."""
    try:
        yield
    except MarginfsError as error:
        point = "".join(f", {key}={value}" for key, value in unit.point.items())
        where = f"{job.paper}/{job.experiment}, selector {job.selector}, split {unit.split}{point}"
        raise type(error)(f"{where}: {error}") from None
