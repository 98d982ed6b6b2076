"""Tables: one row per cell, with what was published, what was reproduced, and the verdict."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from marginfs.errors import DataError
from marginfs.results.cells import Place, Printed, draw_ranges, flat_cells, printed_cells, reproduced_cells
from marginfs.results.derived_cells import ratio_cells, summary_cells
from marginfs.results.readings import reading_text
from marginfs.results.verdicts import Estimate, verdict
from marginfs.results.words import counted
from marginfs.study.table_specs import TableSpec

COLUMNS = [
    "row",
    "column",
    "metric",
    "published",
    "published_spread",
    "reproduced",
    "reproduced_spread",
    "trials",
    "difference",
    "verdict",
]
DRAW_COLUMNS = ["draws_low", "draws_high"]
"""In tables with other draws of the data, the range over them."""


def build_table(spec: TableSpec, evaluation: pd.DataFrame, published: pd.DataFrame, trials: int) -> pd.DataFrame:
    """Make the tidy table: every published cell in the paper's order, then what only we computed, then the last row.

    Parameters
    ----------
    spec : TableSpec
        The table.
    evaluation : pandas.DataFrame
        The evaluations of its experiments.
    published : pandas.DataFrame
        The printed numbers of the table, as text.
    trials : int
        The paper's number of repetitions, where the table has none of its own.

    Returns
    -------
    pandas.DataFrame
        `COLUMNS`, and `DRAW_COLUMNS` where the table has draws.
    """
    theirs = printed_cells(published)
    shown = [metric.name for metric in spec.metrics]
    for place in theirs:
        if place.metric not in shown:
            raise DataError(f"published numbers of '{spec.title}': the table shows no '{place.metric}', but {shown}")
    ours = reproduced_cells(spec, evaluation)
    last = spec.summary.label if spec.summary else None
    if spec.ratio:
        ours, theirs = ratio_cells(spec.ratio, ours, theirs, but=last)
    if spec.summary:
        ours |= summary_cells(spec.summary, ours, theirs)
    ranges = draw_ranges(spec, evaluation) if spec.draws else {}
    flat = flat_cells(spec, evaluation) if spec.optimum and spec.optimum.flat else {}
    open_cell = Printed(None, None, 0.0)
    rows = []
    for place in _ordered(theirs, ours, last):
        printed, range_ = theirs.get(place, open_cell), ranges.get(place)
        compared = _compare(spec, place, printed, ours.get(place), spec.trials or trials, range_, flat.get(place, ()))
        rows.append((*place, *compared, *(range_ or (None, None))))
    table = pd.DataFrame(rows, columns=[*COLUMNS, *DRAW_COLUMNS])
    return table if spec.draws else table[COLUMNS]


def _ordered(theirs: Mapping[Place, Printed], ours: Mapping[Place, Estimate], last: str | None) -> list[Place]:
    """Printed cells first, those of a row and column together, the row called `last` at the end."""
    places = dict.fromkeys([*theirs, *ours])
    groups = {name: order for order, name in enumerate(dict.fromkeys((row, column) for row, column, _ in places))}
    return sorted(places, key=lambda place: (place.row == last, groups[place.row, place.column]))


def _compare(
    spec: TableSpec,
    place: Place,
    printed: Printed,
    ours: Estimate | None,
    trials: int,
    draws: tuple[float, float] | None,
    flat: Sequence[float],
) -> tuple[Any, ...]:
    """(published, its spread, reproduced, its spread, trials, difference, verdict) of one cell."""
    if ours is None:
        return printed.value, printed.spread, None, None, 0, None, "not run"
    spread, published_spread = ours.spread, printed.spread
    if spec.spread == "error":
        spread = None if spread is None else spread / math.sqrt(ours.trials)
        published_spread = None if published_spread is None else published_spread * math.sqrt(trials)
    mine = (ours.mean, spread, ours.trials)
    if printed.value is None:
        return None, None, *mine, None, "unpublished"
    result = verdict(
        Estimate(printed.value, published_spread, trials),
        ours,
        rounding=printed.rounding,
        unit=_unit(spec, place),
        accuracy="accuracy" in place.metric and not _summarises(spec, place) and spec.ratio is None,
        draws=draws,
    )
    if result in ("within draws", "differs") and any(abs(size - printed.value) <= printed.rounding for size in flat):
        result = "close"
    return printed.value, printed.spread, *mine, ours.mean - printed.value, result


def _summarises(spec: TableSpec, place: Place) -> bool:
    """Whether a cell is a percentage that the last row makes of the others."""
    return spec.summary is not None and spec.summary.statistic != "mean" and place.row == spec.summary.label


def _unit(spec: TableSpec, place: Place) -> str:
    if _summarises(spec, place):
        return "%"
    return "" if spec.ratio else spec.metric(place.metric).unit


def decimals_of(spec: TableSpec, row: str, metric: str) -> int:
    """Tell how many digits of a cell are shown.

    Parameters
    ----------
    spec : TableSpec
        The table.
    row : str
        The row of the cell.
    metric : str
        The metric of the cell.

    Returns
    -------
    int
        Digits behind the point.
    """
    if spec.summary and _summarises(spec, Place(row, "", metric)):
        return spec.summary.decimals
    return spec.metric(metric).decimals


def caption(
    spec: TableSpec,
    number: str,
    paper: str,
    fidelity: str,
    table: pd.DataFrame,
    trials: int,
    reading: Mapping[str, Any] | None = None,
) -> str:
    """Say what the table is, and in plain words how much was run.

    Parameters
    ----------
    spec : TableSpec
        The table.
    number : str
        Its number in the paper.
    paper : str
        The paper's key.
    fidelity : str
        The fidelity of the run.
    table : pandas.DataFrame
        Its cells.
    trials : int
        The paper's number of repetitions, where the table has none of its own.
    reading : mapping or None
        The choices, and the seed, that are not the default.

    Returns
    -------
    str
        One line.
    """
    units = {metric.unit for metric in spec.metrics}
    unit = f" ({units.pop()})" if len(spec.metrics) == 1 and units != {""} and not spec.ratio else ""
    missing = int((table["verdict"] == "not run").sum())
    runs = f"{counted(table['trials'].max(), 'trial')}; published: {spec.trials or trials}"
    runs += f"; {counted(missing, 'cell')} not run" if missing else ""
    base = ", ".join(filter(None, (spec.ratio.row, spec.ratio.column))) if spec.ratio else ""
    ratio = f" Ratios to {base}." if base else ""
    return f"{paper}, table {number}: {spec.title}{unit}.{ratio} Fidelity {fidelity}: {runs}.{reading_text(reading)}"
