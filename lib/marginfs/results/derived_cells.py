"""Cells that are made of other cells: ratios to a base cell, and a last row that summarises the others."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from marginfs.results.cells import Place, Printed
from marginfs.results.verdicts import Estimate
from marginfs.study.table_parts import Base, SummaryRow


def ratio_cells(
    base: Base, ours: Mapping[Place, Estimate], theirs: Mapping[Place, Printed], but: str | None
) -> tuple[dict[Place, Estimate], dict[Place, Printed]]:
    """Divide all cells by their base; a cell whose base is not known is left out or open.

    Parameters
    ----------
    base : Base
        The cell to divide by.
    ours : mapping of Place to Estimate
        Reproduced numbers; their spreads add up relative to the means.
    theirs : mapping of Place to Printed
        Printed numbers.
    but : str or None
        The row that summarises the others, which stays as it is.

    Returns
    -------
    tuple of dict
        Both as ratios.
    """
    reproduced = {}
    for place, cell in ours.items():
        below = ours.get(_base_of(base, place))
        if below is not None:
            reproduced[place] = _divided(cell, below, same=place == _base_of(base, place))
    printed = {}
    for place, number in theirs.items():
        under = theirs.get(_base_of(base, place))
        if place.row == but or number.value is None:
            printed[place] = number
        elif under is None or not under.value:
            printed[place] = Printed(None, None, number.rounding)
        else:
            ratio = number.value / under.value
            spread = None if number.spread is None else number.spread / under.value
            printed[place] = Printed(ratio, spread, (number.rounding + ratio * under.rounding) / under.value)
    return reproduced, printed


def _base_of(base: Base, place: Place) -> Place:
    return Place(base.row or place.row, base.column or place.column, place.metric)


def _divided(cell: Estimate, below: Estimate, same: bool) -> Estimate:
    ratio = cell.mean / below.mean
    if same or cell.spread is None or below.spread is None:
        return Estimate(ratio, None, cell.trials)
    return Estimate(ratio, ratio * math.hypot(cell.spread / cell.mean, below.spread / below.mean), cell.trials)


def summary_cells(
    summary: SummaryRow, ours: Mapping[Place, Estimate], theirs: Mapping[Place, Printed]
) -> dict[Place, Estimate]:
    """Compute the last row, for the columns of which every row with a printed number was run.

    Parameters
    ----------
    summary : SummaryRow
        What it holds.
    ours : mapping of Place to Estimate
        The reproduced cells of the other rows.
    theirs : mapping of Place to Printed
        The printed cells.

    Returns
    -------
    dict of Place to Estimate
        Its cells, without a spread.
    """
    wanted = [place for place, cell in theirs.items() if cell.value is not None and place.row != summary.label]
    cells = {}
    for column, metric in dict.fromkeys((place.column, place.metric) for place in ours):
        here = (place for place in (*wanted, *ours) if (place.column, place.metric) == (column, metric))
        places = list(dict.fromkeys(here))
        values = _summarised(summary, places, ours)
        if values:
            trials = min(ours[place].trials for place in places)
            cells[Place(summary.label, column, metric)] = Estimate(float(np.mean(values)), None, trials)
    return cells


def _summarised(summary: SummaryRow, places: list[Place], ours: Mapping[Place, Estimate]) -> list[float]:
    """What is averaged; nothing in the base column, or where a cell was not run."""
    if any(place not in ours for place in places):
        return []
    values = [ours[place].mean for place in places]
    if summary.statistic == "mean":
        return values
    bases = [ours.get(Place(place.row, summary.base, place.metric)) for place in places]
    if places[0].column == summary.base or None in bases:
        return []
    ratios = [value / base.mean for value, base in zip(values, bases, strict=True) if base is not None]
    return [100.0 * (ratio if summary.statistic == "mean_ratio" else 1.0 - ratio) for ratio in ratios]
