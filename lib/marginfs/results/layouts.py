"""Tables in the paper's own layout, as Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from marginfs.markdown import markdown_table
from marginfs.results.tables import decimals_of
from marginfs.results.verdicts import Verdict
from marginfs.study.table_specs import TableSpec

MARKS: Mapping[Verdict, str] = {
    "match": "=",
    "compatible": "~",
    "close": "≈",
    "within draws": "∈",
    "differs": "≠",
    "not run": "–",
    "unpublished": "new",
}
SPREADS = {"deviation": "standard deviation", "error": "standard error"}


def legend(table: pd.DataFrame, spec: TableSpec) -> str:
    """Explain the cells of a table.

    Parameters
    ----------
    table : pandas.DataFrame
        Its cells.
    spec : TableSpec
        Its specification.

    Returns
    -------
    str
        One sentence with the marks that occur.
    """
    spread = SPREADS[spec.spread]
    draws = " {95 % range over other draws}" if spec.draws else ""
    marks = ", ".join(f"{mark} {name}" for name, mark in MARKS.items() if name in set(table["verdict"]))
    return f"Cells: reproduced ± {spread} [published ± {spread}]{draws}; {marks}."


def to_markdown(table: pd.DataFrame, spec: TableSpec, text: str) -> str:
    """Write a table in the paper's layout.

    Parameters
    ----------
    table : pandas.DataFrame
        The cells.
    spec : TableSpec
        The table.
    text : str
        Its caption.

    Returns
    -------
    str
        Markdown.
    """
    grid = _grid(table, spec)
    rows = [[row, *cells] for row, cells in zip(grid.index, grid.to_numpy(), strict=True)]
    return f"**{text}**\n\n{markdown_table([spec.rows.title, *grid.columns], rows)}\n\n{legend(table, spec)}\n"


def _grid(table: pd.DataFrame, spec: TableSpec) -> pd.DataFrame:
    """Rows and columns in the order in which they first stand in the tidy table, the metrics of a column together."""
    by_metric = "metric" in (spec.rows.by, spec.columns.by)
    several = len(spec.metrics) > 1 and not by_metric
    heads = {
        (column, metric.name): f"{column}: {metric.heading}" if several else str(column)
        for column in table["column"].unique()
        for metric in spec.metrics
    }
    cells = table.assign(
        text=[_cell(cell, spec) for cell in table.itertuples(index=False)],
        head=[heads[cell.column, cell.metric] for cell in table.itertuples(index=False)],
    )
    grid = cells.pivot(index="row", columns="head", values="text")
    return grid.reindex(index=table["row"].unique(), columns=list(dict.fromkeys(heads.values()))).fillna("")


def _cell(cell: Any, spec: TableSpec) -> str:
    decimals = decimals_of(spec, cell.row, cell.metric)

    def number(mean: float, spread: float) -> str:
        return f"{mean:.{decimals}f}" + ("" if pd.isna(spread) else f" ± {spread:.{decimals}f}")

    ours = "" if pd.isna(cell.reproduced) else number(cell.reproduced, cell.reproduced_spread) + " "
    theirs = "" if pd.isna(cell.published) else f"[{number(cell.published, cell.published_spread)}] "
    low, high = getattr(cell, "draws_low", None), getattr(cell, "draws_high", None)
    draws = "" if pd.isna(low) else f"{{{low:.{decimals}f} to {high:.{decimals}f}}} "
    return f"{ours}{theirs}{draws}{MARKS[cell.verdict]}"
