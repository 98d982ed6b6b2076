"""What the unit jobs do: run a chunk of selections, then evaluate it."""

from __future__ import annotations

import contextlib
import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from marginfs import registry
from marginfs.data.load import load_split
from marginfs.errors import MarginfsError
from marginfs.protocol import Job, Unit
from marginfs.streams import streams
from marginfs.types import Measure, Selection


def select(job: Job, start: int, stop: int) -> Iterator[dict[str, Any]]:
    """The selections of units start..stop-1, each as a JSON-able record."""
    method = registry.selector(job.method)
    for unit in job.units(start, stop):
        random = streams(job.seed, job.paper, job.experiment, unit.data_key, unit.split)
        with _named(job, unit):
            split = load_split(unit.data, random, test=False)
            selection = method(split.X_train, split.y_train, rng=random.selector, **unit.options)
        yield {"split": unit.split, "point": dict(unit.point), **pack(selection)}


def evaluate(job: Job, start: int, stop: int, selections: Iterable[Mapping[str, Any]]) -> Iterator[list[Any]]:
    """Rows of `columns(job)`: what the evaluation measures of the selections of units start..stop-1."""
    options = dict(job.evaluation)
    method = registry.evaluation(options.pop("method"))
    for unit, record in zip(job.units(start, stop), selections, strict=True):
        random = streams(job.seed, job.paper, job.experiment, unit.data_key, unit.split)
        with _named(job, unit):
            split = load_split(unit.data, random)
            measures: list[Measure] = method(unpack(record), split, **options)
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


@contextlib.contextmanager
def _named(job: Job, unit: Unit) -> Iterator[None]:
    """Adds to an error's message which unit it happened in."""
    try:
        yield
    except MarginfsError as error:
        point = "".join(f", {key}={value}" for key, value in unit.point.items())
        where = f"{job.paper}/{job.experiment}, selector {job.selector}, split {unit.split}{point}"
        raise type(error)(f"{where}: {error}") from None
