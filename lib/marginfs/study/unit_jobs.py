"""What the unit jobs do: tune, select, evaluate or time a chunk of units."""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from marginfs.data.load import Prepared, SplitData, load_inner_splits, load_split
from marginfs.errors import MarginfsError, MissingDataError
from marginfs.lookup import look_up
from marginfs.study.protocol import SIZE, Evaluation, Plan, Selector, Tuning, Unit, product_of
from marginfs.study.streams import Streams, streams
from marginfs.types import Measure, Selection

Record = dict[str, Any]
"""One unit's result in plain values, as it stands on a line of a file."""


def select(
    plan: Plan, selector: Selector, start: int, stop: int, prepared: Prepared, tuned: Iterable[Record] | None = None
) -> Iterator[Record]:
    """Run a selector on a chunk of units.

    Parameters
    ----------
    plan : Plan
        What the units are.
    selector : Selector
        What to run.
    start, stop : int
        The units.
    prepared : Prepared
        The data sets of the job.
    tuned : iterable of dict, optional
        What tuning chose for each of these units.

    Yields
    ------
    dict
        The selection, or why the data is missing.
    """
    method = look_up(selector.method)
    for unit, chosen in zip(plan.units(start, stop), tuned or [{}] * (stop - start), strict=True):
        random = _streams_of(plan, unit)
        record = {"split": unit.split, "point": dict(unit.point)}
        with _named(plan, unit, selector.name):
            try:
                data = load_split(unit.data, unit.split, random, prepared, test=False)
            except MissingDataError as error:
                yield {**record, "missing": str(error)}
                continue
            found = chosen.get("options", {})
            options = selector.options_for({**unit.options, **found})
            selection = method(data.X_train, data.y_train, rng=random(unit.split).selector, **options)
            yield {**record, "tuned": found, **pack(selection)} if found else {**record, **pack(selection)}


def evaluate(
    plan: Plan,
    evaluation: Evaluation,
    selections: Mapping[str, Iterable[Record]],
    start: int,
    stop: int,
    prepared: Prepared,
) -> Iterator[list[Any]]:
    """Measure what every selector found on a chunk of units; each split is loaded once.

    Parameters
    ----------
    plan : Plan
        What the units are.
    evaluation : Evaluation
        What to measure.
    selections : mapping
        Selector -> what `select` gave for the same units.
    start, stop : int
        The units.
    prepared : Prepared
        The data sets of the job.

    Yields
    ------
    list
        Rows of `columns(plan)`; options that were tuned are measures called tuned_...
    """
    method = look_up(evaluation.method)
    for unit, *records in zip(plan.units(start, stop), *selections.values(), strict=True):
        if any("missing" in record for record in records):
            continue
        data = load_split(unit.data, unit.split, _streams_of(plan, unit), prepared)
        for name, record in zip(selections, records, strict=True):
            tuned = record.get("tuned", {})
            with _named(plan, unit, name):
                options = evaluation.options_for({**unit.options, **tuned})
                measures: list[Measure] = method(unpack(record), data, **options)
            measures += [Measure(f"tuned_{key}", 0, value) for key, value in tuned.items() if _is_number(value)]
            for measure in measures:
                yield [name, unit.split, *unit.point.values(), *measure]


def tune(
    plan: Plan, selector: Selector, evaluation: Evaluation, start: int, stop: int, prepared: Prepared
) -> Iterator[Record]:
    """Try options of a selector on inner splits.

    Units of tuning are counted unit by unit, then fold by fold, then point by point; the sweep runs inside each.

    Parameters
    ----------
    plan : Plan
        What the units are.
    selector : Selector
        What to run; it has a tuning.
    evaluation : Evaluation
        What to measure on the inner test parts.
    start, stop : int
        The units of tuning.
    prepared : Prepared
        The data sets of the job.

    Yields
    ------
    dict
        split, point, fold, and the scores: a list of (options, value).
    """
    tuning = selector.tuning
    assert tuning is not None
    points = tuning.points()
    measure = look_up(evaluation.method)
    inner: dict[int, list[SplitData]] = {}
    for index in range(start, stop):
        position, trial = divmod(index, tuning.trials)
        fold, place = divmod(trial, len(points))
        unit = next(plan.units(position, position + 1))
        random = _streams_of(plan, unit)
        record = {"split": unit.split, "point": dict(unit.point), "fold": fold}
        with _named(plan, unit, selector.name):
            try:
                if position not in inner:
                    parts = load_inner_splits(unit.data, unit.split, random, prepared, folds=tuning.folds)
                    inner = {position: parts}
            except MissingDataError as error:
                yield {**record, "missing": str(error)}
                continue
            data, scores = inner[position][fold], []
            base = {**selector.options, **unit.options, **points[place]}
            for options, selection in _sweep(selector, tuning, data, random(unit.split), base):
                for judged in product_of(tuning.judged):
                    tried = {**options, **judged}
                    varied = {SIZE: None, **unit.options, **tried}
                    found = measure(selection, data, **evaluation.options_for(varied))
                    scores += _scores(tuning, tried, found)
            yield {**record, "scores": scores}


def _scores(tuning: Tuning, tried: dict[str, Any], found: list[Measure]) -> list[list[Any]]:
    """What the tuned metric says of the options tried; where the number of features is chosen, of each number."""
    values = {measure.step: measure.value for measure in found if measure.metric == tuning.metric}
    if not tuning.size:
        return [[tried, values[0]]]
    return [[{**tried, SIZE: step}, value] for step, value in values.items()]


def _sweep(
    selector: Selector, tuning: Tuning, data: SplitData, random: Streams, base: Mapping[str, Any]
) -> Iterator[tuple[dict[str, Any], Selection]]:
    """The tuned options and the selection at every value of the sweep, in order; one call where there is none.

    A method that can start from its last solution has a companion `<name>_sweep`, which takes all values at once.
    """
    point = {key: base[key] for key in tuning.grid if key != tuning.sweep}
    module, _, name = selector.method.partition(":")
    if tuning.sweep is None:
        yield point, look_up(selector.method)(data.X_train, data.y_train, rng=random.selector, **base)
        return
    values = list(tuning.grid[tuning.sweep])
    companion = getattr(look_up(module), f"{name}_sweep", None)
    if companion is not None:
        fits = companion(data.X_train, data.y_train, rng=random.selector, **base, **{tuning.sweep: values})
        for value, selection in zip(values, fits, strict=True):
            yield {**point, tuning.sweep: value}, selection
        return
    for value in values:
        options = {**base, tuning.sweep: value}
        yield (
            {**point, tuning.sweep: value},
            look_up(selector.method)(data.X_train, data.y_train, rng=random.selector, **options),
        )


def time_units(
    plan: Plan,
    selector: Selector,
    start: int,
    stop: int,
    prepared: Prepared,
    *,
    repeats: int,
    tuned: Iterable[Record] | None = None,
) -> Iterator[list[Any]]:
    """Measure how long a selector takes on a chunk of units, kernels being compiled and data loaded.

    Parameters
    ----------
    plan : Plan
        What the units are.
    selector : Selector
        What to run.
    start, stop : int
        The units.
    prepared : Prepared
        The data sets of the job.
    repeats : int
        Runs of each unit, of which the shortest counts.
    tuned : iterable of dict, optional
        What tuning chose for each of these units, and perhaps for others after them.

    Yields
    ------
    list
        Rows of `columns(plan)` with the metric cpu_seconds.
    """
    method = look_up(selector.method)
    warm = False
    for unit, chosen in zip(plan.units(start, stop), tuned or [{}] * (stop - start), strict=False):
        random = _streams_of(plan, unit)
        with _named(plan, unit, selector.name), contextlib.suppress(MissingDataError):
            data = load_split(unit.data, unit.split, random, prepared, test=False)
            options = selector.options_for({**unit.options, **chosen.get("options", {})})
            seconds = []
            for _ in range(repeats + (not warm)):
                rng = random(unit.split).selector
                began = time.process_time()
                method(data.X_train, data.y_train, rng=rng, **options)
                seconds.append(time.process_time() - began)
            warm = True
            yield [selector.name, unit.split, *unit.point.values(), *Measure("cpu_seconds", 0, min(seconds))]


def columns(plan: Plan) -> list[str]:
    """Name the columns of an evaluation.

    Parameters
    ----------
    plan : Plan
        What the units are.

    Returns
    -------
    list of str
        Who, where, and what was measured.
    """
    return ["selector", "split", *plan.data_grid, *plan.grid, *Measure._fields]


def pack(selection: Selection) -> Record:
    """Turn a selection into plain values, refused unless it ranks every feature once.

    Parameters
    ----------
    selection : Selection
        What a selector returned.

    Returns
    -------
    dict
        What `unpack` takes.
    """
    ranking = selection.ranking
    if not np.array_equal(np.sort(ranking), np.arange(len(ranking))):
        raise ValueError("a selector must rank every feature exactly once")
    return {
        "ranking": ranking.tolist(),
        "selected": selection.selected,
        "ranked": selection.ranked,
        "trace": {name: np.asarray(values).tolist() for name, values in selection.trace.items()},
        "model": {name: np.asarray(values).tolist() for name, values in selection.model.items()},
    }


def unpack(record: Mapping[str, Any]) -> Selection:
    """Turn what `pack` made into a selection again.

    Parameters
    ----------
    record : mapping
        Plain values.

    Returns
    -------
    Selection
        The selection, with the same bits.
    """
    return Selection(
        ranking=np.array(record["ranking"], dtype=np.int64),
        selected=record["selected"],
        ranked=record["ranked"],
        trace={name: np.array(values) for name, values in record["trace"].items()},
        model={name: np.array(values) for name, values in record["model"].items()},
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


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
