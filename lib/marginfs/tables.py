"""Tables: one line a cell with its verdict, and the paper's own layout as Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from marginfs.compare import Estimate, verdict

MARKS = {"match": "=", "close": "≈", "differs": "≠", "not run": "–", "unpublished": "new"}
LATEX_MARKS = {"match": "$=$", "close": r"$\approx$", "differs": r"$\neq$", "not run": "--", "unpublished": "new"}
LEGEND = (
    "Cells: reproduced ± standard deviation [published ± standard deviation] = match, ≈ close, ≠ differs, – not run."
)
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


def label(axis: Mapping[str, Any], value: Any) -> str:
    """How the paper writes `value` of this axis."""
    return str(axis.get("labels", {}).get(value, axis.get("label", "{}").format(value)))


def read_evaluations(paths: Iterable[str | Path]) -> pd.DataFrame:
    """The evaluations of one or more experiments under each other, with the column `experiment`.

    An experiment whose data is missing has a header only: its values are still numbers.
    """
    parts = [pd.read_csv(path).astype({"value": float}).assign(experiment=Path(path).stem) for path in paths]
    columns = list(dict.fromkeys(column for part in parts for column in part))
    return pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True).reindex(columns=columns)


def chosen(axis: Mapping[str, Any], data: pd.DataFrame) -> pd.DataFrame:
    """The lines of `data` that the axis shows: those of its values or labels, all where it names none."""
    wanted = axis.get("values") or list(axis.get("labels", {}))
    return data[data[axis["by"]].isin(wanted)] if wanted else data


def reproduced_cells(spec: Mapping[str, Any], evaluation: pd.DataFrame) -> pd.DataFrame:
    """Mean, standard deviation and number of trials of every cell that the evaluation covers."""
    rows, columns = spec["rows"], spec["columns"]
    data = evaluation[evaluation["metric"] == spec["metric"]]
    if "step" not in (rows["by"], columns["by"]):
        data = data[data["step"] == spec.get("step", 0)]
    for axis in (rows, columns):
        data = chosen(axis, data)
    scale = 100.0 if spec["unit"] == "%" else 1.0
    cells = data.groupby([rows["by"], columns["by"]], sort=False)["value"].agg(["mean", "std", "count"]).reset_index()
    return pd.DataFrame(
        {
            "row": [label(rows, value) for value in cells[rows["by"]]],
            "column": [label(columns, value) for value in cells[columns["by"]]],
            "reproduced": cells["mean"] * scale,
            "reproduced_spread": cells["std"] * scale,
            "trials": cells["count"],
        }
    )


def build_table(
    spec: Mapping[str, Any], evaluation: pd.DataFrame, published: pd.DataFrame, trials: int
) -> pd.DataFrame:
    """The tidy table: every published cell in the paper's order, then what only we computed.

    `published` holds text, so that the printed decimals are known; `trials` is the paper's number of repetitions.
    """
    cells = published[["row", "column", "value", "spread"]].merge(
        reproduced_cells(spec, evaluation), on=["row", "column"], how="outer", sort=False
    )
    order = {name: place for place, name in enumerate(zip(published["row"], published["column"], strict=True))}
    cells["order"] = [order.get(name, len(order)) for name in zip(cells["row"], cells["column"], strict=True)]
    cells = cells.sort_values("order", kind="stable")
    rows = [
        (cell.row, cell.column, spec["metric"], *_compare(cell, trials, spec["unit"]))
        for cell in cells.itertuples(index=False)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _compare(cell: Any, trials: int, unit: str) -> tuple[Any, ...]:
    """(published, its spread, reproduced, its spread, trials, difference, verdict) of one cell."""
    published = None if pd.isna(cell.value) else float(cell.value)
    spread = None if pd.isna(cell.spread) else float(cell.spread)
    if pd.isna(cell.reproduced):
        return published, spread, None, None, 0, None, "not run"
    estimate = Estimate(cell.reproduced, cell.reproduced_spread, int(cell.trials))
    ours = (estimate.mean, cell.reproduced_spread, estimate.trials)
    if published is None:
        return None, None, *ours, None, "unpublished"
    decimals = len(str(cell.value).partition(".")[2])
    result = verdict(Estimate(published, spread, trials), estimate, decimals=decimals, unit=unit)
    return published, spread, *ours, estimate.mean - published, result


def caption(spec: Mapping[str, Any], number: str, paper: str, fidelity: str, table: pd.DataFrame, trials: int) -> str:
    """Title, and in plain words how much was run."""
    unit = f" ({spec['unit']})" if spec["unit"] else ""
    missing = int((table["verdict"] == "not run").sum())
    runs = f"{table['trials'].max()} trials; published: {trials}" + (f"; {missing} cells not run" if missing else "")
    return f"{paper}, table {number}: {spec['title']}{unit}. Fidelity {fidelity}: {runs}."


def to_markdown(table: pd.DataFrame, spec: Mapping[str, Any], text: str) -> str:
    grid = _layout(table, spec, MARKS, "±")
    head = [spec["rows"].get("title", ""), *grid.columns]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += [
        "| " + " | ".join([str(row), *cells]) + " |" for row, cells in zip(grid.index, grid.to_numpy(), strict=True)
    ]
    return f"**{text}**\n\n" + "\n".join(lines) + f"\n\n{LEGEND}\n"


def to_latex(table: pd.DataFrame, spec: Mapping[str, Any], text: str) -> str:
    grid = _layout(table, spec, LATEX_MARKS, r"$\pm$")
    lines = [
        r"\begin{table}",
        rf"\caption{{{_escape(text)}}}",
        rf"\begin{{tabular}}{{l{'l' * len(grid.columns)}}}",
        r"\toprule",
        " & ".join([_escape(spec["rows"].get("title", "")), *map(_escape, grid.columns)]) + r" \\",
        r"\midrule",
        *(
            " & ".join([_escape(str(row)), *cells]) + r" \\"
            for row, cells in zip(grid.index, grid.to_numpy(), strict=True)
        ),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _layout(table: pd.DataFrame, spec: Mapping[str, Any], marks: Mapping[str, str], plus_minus: str) -> pd.DataFrame:
    """Rows and columns in the order in which they first stand in the tidy table."""
    cells = table.assign(
        text=[_cell(cell, spec.get("decimals", 1), marks, plus_minus) for cell in table.itertuples(index=False)]
    )
    grid = cells.pivot(index="row", columns="column", values="text")
    return grid.reindex(index=table["row"].unique(), columns=table["column"].unique()).fillna("")


def _cell(cell: Any, decimals: int, marks: Mapping[str, str], plus_minus: str) -> str:
    def number(mean: float, spread: float) -> str:
        return f"{mean:.{decimals}f}" + ("" if pd.isna(spread) else f" {plus_minus} {spread:.{decimals}f}")

    ours = "" if pd.isna(cell.reproduced) else number(cell.reproduced, cell.reproduced_spread) + " "
    theirs = "" if pd.isna(cell.published) else f"[{number(cell.published, cell.published_spread)}] "
    return f"{ours}{theirs}{marks[cell.verdict]}"


def _escape(text: str) -> str:
    return "".join(rf"\{c}" if c in "%_&#" else c for c in text)
