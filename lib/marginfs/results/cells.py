"""The numbers in the cells of a table: the printed ones, ours, and the range of ours over other draws of the data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from marginfs.errors import ConfigError
from marginfs.results.evaluations import chosen, fixed
from marginfs.results.optima import at_optimum, flat_places
from marginfs.results.verdicts import Estimate
from marginfs.study.axes import Axis
from marginfs.study.table_specs import TableSpec

MOST_OUTSIDE = (2.5, 97.5)
"""Percentiles that bound the 95 % range over draws."""
FEWEST_DRAWS = 10
"""Of fewer draws no range is given."""


class Place(NamedTuple):
    """Where a number stands: row, column and metric, as the table writes the first two."""

    row: str
    column: str
    metric: str


@dataclass(frozen=True)
class Printed:
    """A number as the paper prints it.

    Attributes
    ----------
    value : float or None
        The number; None where the paper leaves the cell open.
    spread : float or None
        What stands after ±.
    rounding : float
        Half a unit of the last printed digit.
    """

    value: float | None
    spread: float | None
    rounding: float


def printed_cells(published: pd.DataFrame) -> dict[Place, Printed]:
    """Take the printed numbers of one table.

    Parameters
    ----------
    published : pandas.DataFrame
        Lines of config/published/<key>.csv as text, so that the printed decimals are known.

    Returns
    -------
    dict of Place to Printed
        In the order of the file.
    """
    cells = {}
    for line in published.itertuples(index=False):
        known = not pd.isna(line.value)
        decimals = len(str(line.value).partition(".")[2])
        cells[Place(line.row, line.column, line.metric)] = Printed(
            value=float(line.value) if known else None,
            spread=None if pd.isna(line.spread) else float(line.spread),
            rounding=0.5 * 10.0**-decimals,
        )
    return cells


def reproduced_cells(spec: TableSpec, evaluation: pd.DataFrame) -> dict[Place, Estimate]:
    """Compute the cells of a table that an evaluation covers.

    Parameters
    ----------
    spec : TableSpec
        The table.
    evaluation : pandas.DataFrame
        The evaluations of its experiments.

    Returns
    -------
    dict of Place to Estimate
        Mean, spread and number of trials, in the order of the axes.
    """
    return _cells(spec, evaluation[evaluation["experiment"].isin(spec.experiments)])


def flat_cells(spec: TableSpec, evaluation: pd.DataFrame) -> dict[Place, list[float]]:
    """Find the places of every optimum that its curve does not tell apart.

    Parameters
    ----------
    spec : TableSpec
        The table, whose optimum says what is flat.
    evaluation : pandas.DataFrame
        The evaluations of its experiments.

    Returns
    -------
    dict of Place to list
        For the cells that show the place, all that would do as well, as the table shows them.
    """
    assert spec.optimum is not None
    data, keys = _shown(spec, evaluation[evaluation["experiment"].isin(spec.experiments)])
    scale = spec.metric(spec.optimum.size).scale
    found = {}
    for name, part in data.groupby(keys, sort=False):
        values = dict(zip(keys, name, strict=True))
        place = Place(
            spec.rows.name(values[spec.rows.by]), spec.columns.name(values[spec.columns.by]), spec.optimum.size
        )
        found[place] = [scale * size for size in flat_places(part, spec.optimum)]
    return found


def draw_ranges(spec: TableSpec, evaluation: pd.DataFrame) -> dict[Place, tuple[float, float]]:
    """Compute the range of every cell over other draws of the data.

    Parameters
    ----------
    spec : TableSpec
        The table, with its draws.
    evaluation : pandas.DataFrame
        The evaluations of its experiments and of the one with the draws.

    Returns
    -------
    dict of Place to tuple
        The 2.5 % and 97.5 % points of the cell over at least ten draws.
    """
    assert spec.draws is not None
    data = evaluation[evaluation["experiment"] == spec.draws.experiment]
    found: dict[Place, list[float]] = {}
    for _, draw in data.groupby(spec.draws.by, sort=False):
        for place, estimate in _cells(spec, draw).items():
            found.setdefault(place, []).append(estimate.mean)
    ranges = {}
    for place, values in found.items():
        if len(values) >= FEWEST_DRAWS:
            low, high = np.percentile(values, MOST_OUTSIDE)
            ranges[place] = (float(low), float(high))
    return ranges


def _shown(spec: TableSpec, data: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """The measures that a table shows, and the keys of its axes."""
    data = fixed(spec.at, data)
    for axis in spec.axes:
        if axis.by != "metric":
            data = chosen(axis, data)
    return data, [axis.by for axis in spec.axes if axis.by != "metric"]


def _cells(spec: TableSpec, data: pd.DataFrame) -> dict[Place, Estimate]:
    data, keys = _shown(spec, data)
    groups = _optimal(spec, data, keys) if spec.optimum else _averaged(spec, data, keys)
    found = []
    for name, estimates in groups.items():
        for metric, estimate in estimates.items():
            values = {**dict(zip(keys, name, strict=True)), "metric": metric}
            found.append(([values[axis.by] for axis in spec.axes], metric, estimate))
    found.sort(key=lambda cell: [_order(spec, axis, value) for axis, value in zip(spec.axes, cell[0], strict=True)])
    cells = {}
    for (row, column), metric, estimate in found:
        place = Place(spec.rows.name(row), spec.columns.name(column), metric)
        cells[place] = _scaled(estimate, spec.metric(metric).scale)
    return cells


def _order(spec: TableSpec, axis: Axis, value: Any) -> Any:
    """The place of a value along the axis: as the table names them, otherwise by size or by the alphabet."""
    if axis.by == "metric":
        return spec.metrics.index(spec.metric(value))
    return axis.shown.index(value) if axis.shown else value


def _scaled(estimate: Estimate, scale: float) -> Estimate:
    spread = None if estimate.spread is None else estimate.spread * scale
    return replace(estimate, mean=estimate.mean * scale, spread=spread)


Group = tuple[Any, ...]


def _averaged(spec: TableSpec, data: pd.DataFrame, keys: list[str]) -> dict[Group, dict[str, Estimate]]:
    """Group -> metric -> mean over the trials at the table's step."""
    if "step" not in keys:
        data = _at_step(spec, data)
    found: dict[Group, dict[str, Estimate]] = {}
    for metric in spec.metrics:
        part = data[data["metric"] == metric.name]
        cells = part.groupby(keys, sort=False)["value"].agg(["mean", "std", "count"])
        for name, (mean, spread, count) in zip(cells.index, cells.to_numpy(), strict=True):
            group = name if isinstance(name, tuple) else (name,)
            found.setdefault(group, {})[metric.name] = Estimate(mean, spread, int(count))
    return found


def _at_step(spec: TableSpec, data: pd.DataFrame) -> pd.DataFrame:
    """The measures at the table's step; a step that no curve has is a mistake, not a table of empty cells."""
    measured = data[data["metric"].isin([metric.name for metric in spec.metrics])]
    found = measured[measured["step"] == spec.step]
    if found.empty and not measured.empty:
        steps = f"{measured['step'].min()} to {measured['step'].max()}"
        raise ConfigError(f"table {spec.title!r}: step is {spec.step}, but its metrics have steps {steps}")
    return found


def _optimal(spec: TableSpec, data: pd.DataFrame, keys: list[str]) -> dict[Group, dict[str, Estimate]]:
    """Group -> metric -> what it is at the optimum."""
    assert spec.optimum is not None
    return {name: at_optimum(part, spec.optimum, spec.metrics) for name, part in data.groupby(keys, sort=False)}
