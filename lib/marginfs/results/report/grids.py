"""A table in the paper's own layout, every number with the published one, its verdict and the full run's."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from marginfs.results.layouts import MARKS
from marginfs.results.tables import decimals_of
from marginfs.results.verdicts import Verdict
from marginfs.results.words import counted
from marginfs.study.table_specs import TableSpec

PLACE = ["row", "column", "metric"]


@dataclass(frozen=True)
class Entry:
    """One number of a table.

    Attributes
    ----------
    row, column, metric : str
        The key under which it stands in the CSV file.
    heading : str
        What it is, where several numbers share a cell.
    ours, theirs, full : str
        The reproduced number, the published one and the full run's, as the paper rounds; empty where there is none.
    verdict : str
        On the reproduced number.
    full_verdict : str
        On that of the full run.
    difference : str
        Reproduced less published.
    uncertainty : str
        The standard error of the difference, or of the reproduced number where the paper gives no spread.
    draws : str
        The range over other draws of the data.
    trials : int
        Behind the reproduced number.
    best, best_printed : bool
        Whether the reproduced number, or the published one, is the best of the selectors beside it.
    """

    row: str
    column: str
    metric: str
    heading: str
    ours: str
    theirs: str
    verdict: Verdict
    difference: str
    uncertainty: str
    draws: str
    trials: int
    full: str = ""
    full_verdict: str = ""
    best: bool = False
    best_printed: bool = False

    @property
    def mark(self) -> str:
        """The verdict as a sign."""
        return MARKS[self.verdict]

    @property
    def detail(self) -> str:
        """Difference and uncertainty in words."""
        parts: list[str] = [self.verdict]
        if self.difference:
            parts.append(f"difference {self.difference}")
        if self.uncertainty:
            parts.append(f"standard error {self.uncertainty}")
        if self.trials:
            parts.append(counted(self.trials, "trial"))
        if self.draws:
            parts.append(f"95 % of other draws: {self.draws}")
        if self.full:
            parts.append(f"full run: {self.full}, {self.full_verdict}")
        return "; ".join(parts)


@dataclass(frozen=True)
class Grid:
    """A table as the paper lays it out.

    Attributes
    ----------
    corner : str
        The heading of the first column.
    columns : tuple of str
        The headings of the others.
    rows : tuple of (str, tuple of tuple of Entry)
        The name of each row, and the entries of its cells.
    """

    corner: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[tuple[Entry, ...], ...]], ...]

    @property
    def entries(self) -> list[Entry]:
        """All its numbers."""
        return [entry for _, cells in self.rows for cell in cells for entry in cell]

    @property
    def has_best(self) -> bool:
        """Whether any number is marked as the best."""
        return any(entry.best or entry.best_printed for entry in self.entries)


def grid_of(spec: TableSpec, table: pd.DataFrame, published_trials: int, full: pd.DataFrame | None = None) -> Grid:
    """Lay out a table.

    Parameters
    ----------
    spec : TableSpec
        The table.
    table : pandas.DataFrame
        Its cells.
    published_trials : int
        The repetitions behind a published number.
    full : pandas.DataFrame or None
        The cells of the full run, where these are to stand beside.

    Returns
    -------
    Grid
        Rows and columns in the order in which they first stand in the table.
    """
    several = len(spec.metrics) > 1 and "metric" not in (spec.rows.by, spec.columns.by)
    beside = {} if full is None else {tuple(cell[:3]): cell for cell in full[_columns(full)].itertuples(index=False)}
    cells: dict[tuple[str, str], list[Entry]] = {}
    best, best_printed = (best_places(spec, table, name) for name in ("reproduced", "published"))
    for place, cell in enumerate(table.itertuples(index=False)):
        other = beside.get((cell.row, cell.column, cell.metric))
        entry = _entry(spec, cell, published_trials, other, spec.metric(cell.metric).heading if several else "")
        entry = replace(entry, best=place in best, best_printed=place in best_printed)
        cells.setdefault((cell.row, cell.column), []).append(entry)
    rows, columns = list(dict.fromkeys(table["row"])), list(dict.fromkeys(table["column"]))
    return Grid(
        spec.rows.title or spec.rows.by.replace("_", " "),
        tuple(columns),
        tuple((row, tuple(tuple(cells.get((row, column), ())) for column in columns)) for row in rows),
    )


def best_places(spec: TableSpec, table: pd.DataFrame, column: str) -> set[int]:
    """Find the best number of every line of selectors.

    Parameters
    ----------
    spec : TableSpec
        The table.
    table : pandas.DataFrame
        Its cells.
    column : {"reproduced", "published"}
        Which numbers.

    Returns
    -------
    set of int
        Places of the cells that are best, as the paper rounds, along the axis that goes by selector: of errors and
        costs the lowest, of accuracies and margins the highest. None where no axis does, or it shows one selector.
    """
    if "selector" not in (spec.rows.by, spec.columns.by):
        return set()
    across = "column" if spec.rows.by == "selector" else "row"
    selectors = "row" if across == "column" else "column"
    known = table.reset_index(drop=True).dropna(subset=[column])
    if spec.summary and selectors == "row":
        known = known[known["row"] != spec.summary.label]
    places: set[int] = set()
    for (_, metric), line in known.groupby([across, "metric"], sort=False):
        sign = _better(str(metric))
        if sign and line[selectors].nunique() > 1:
            rounded = [
                sign * round(cell[column], decimals_of(spec, cell["row"], metric)) for _, cell in line.iterrows()
            ]
            places |= {int(place) for place, value in zip(line.index, rounded, strict=True) if value == max(rounded)}
    return places


def _better(metric: str) -> int:
    """1 where higher is better, -1 where lower is, 0 where neither."""
    if any(word in metric for word in ("accuracy", "margin")):
        return 1
    return -1 if any(word in metric for word in ("error", "cost")) else 0


def _columns(table: pd.DataFrame) -> list[str]:
    return [*PLACE, *(name for name in table.columns if name not in PLACE)]


def _entry(spec: TableSpec, cell: Any, published_trials: int, full: Any, heading: str) -> Entry:
    decimals = decimals_of(spec, cell.row, cell.metric)
    low, high = getattr(cell, "draws_low", None), getattr(cell, "draws_high", None)
    return Entry(
        cell.row,
        cell.column,
        cell.metric,
        heading,
        ours=_number(cell.reproduced, cell.reproduced_spread, decimals),
        theirs=_number(cell.published, cell.published_spread, decimals),
        verdict=cell.verdict,
        difference="" if pd.isna(cell.difference) else f"{cell.difference:+.{decimals}f}",
        uncertainty=_uncertainty(spec, cell, published_trials, decimals),
        draws="" if pd.isna(low) else f"{low:.{decimals}f} to {high:.{decimals}f}",
        trials=int(cell.trials),
        full="" if full is None else _number(full.reproduced, full.reproduced_spread, decimals),
        full_verdict="" if full is None else full.verdict,
    )


def _number(mean: float, spread: float, decimals: int) -> str:
    if pd.isna(mean):
        return ""
    return f"{mean:.{decimals}f}" + ("" if pd.isna(spread) else f" ± {spread:.{decimals}f}")


def _uncertainty(spec: TableSpec, cell: Any, published_trials: int, decimals: int) -> str:
    """Standard error of the difference as far as spreads are known, with one digit more than the number."""
    if pd.isna(cell.reproduced) or pd.isna(cell.reproduced_spread):
        return ""
    spreads = [(cell.reproduced_spread, cell.trials), (cell.published_spread, published_trials)]
    errors = [s if spec.spread == "error" else s / math.sqrt(trials) for s, trials in spreads if not pd.isna(s)]
    return f"{math.hypot(*errors):.{decimals + 1}f}"


def verdict_counts(entries: list[Entry]) -> Mapping[str, int]:
    """Count the verdicts of a table.

    Parameters
    ----------
    entries : list of Entry
        Its numbers.

    Returns
    -------
    mapping
        Verdict -> number, in the order of the marks.
    """
    found = [entry.verdict for entry in entries]
    return {name: found.count(name) for name in MARKS if name in found}
