"""The summary of a run: the page that a reviewer reads first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from marginfs.data.dataset import load_provenance
from marginfs.markdown import markdown_table
from marginfs.results.claims import overall
from marginfs.results.readings import read_cells, reading_text
from marginfs.results.tuned import tuned_table
from marginfs.results.verdicts import MEANINGS, VERDICTS

FIDELITY_TEXT = {
    "smoke": "a test of the workflow, with far too few trials for any conclusion",
    "quick": "the published protocol with fewer trials and, where a table says so, smaller grids",
    "paper": "the published protocol, nothing reduced",
}


def summary(
    folder: str | Path,
    fidelity: str,
    papers: Mapping[str, Any],
    claims: Mapping[str, Any],
    own_data: Mapping[str, Any],
    data_provenance: Iterable[str],
    reading: Mapping[str, Any] | None = None,
    tuned: Iterable[str | Path] = (),
) -> str:
    """Write the summary of a run.

    Parameters
    ----------
    folder : path
        The folder of the run.
    fidelity : str
        Its fidelity.
    papers : mapping
        The protocols, by paper.
    claims : mapping
        The claims files, by paper.
    own_data : mapping
        The protocols of the user's own data, by name.
    data_provenance : iterable of paths
        Where each data set came from.
    reading : mapping or None
        The choices, and the seed, that are not the default.
    tuned : iterable of paths
        The evaluations of experiments with tuning.

    Returns
    -------
    str
        Markdown: the verdicts of all papers in one table, missing data, then each paper's differences and claims.
    """
    root = Path(folder)
    cells = {key: _cells(root, key, paper) for key, paper in papers.items()}
    values = {key: table[~table["timing"]] for key, table in cells.items()}
    timings = {key: table[table["timing"]] for key, table in cells.items() if table["timing"].any()}
    lines = [
        f"# Results at fidelity `{fidelity}`",
        "",
        f"Fidelity `{fidelity}`: {FIDELITY_TEXT[fidelity]}.{reading_text(reading)}",
        "",
        markdown_table(
            ["paper", "cells", *VERDICTS, "claims that hold"],
            [[f"[{key}](#{key})", *_counts(values[key]), _holding(root, key)] for key in papers],
        ),
        "",
        "Verdicts: " + "; ".join(f"`{name}`, {meaning}" for name, meaning in MEANINGS.items()) + ".",
    ]
    if timings:
        rows = [[key, *_counts(table)] for key, table in timings.items()]
        lines += ["", "Times, as ratios inside one table:", "", markdown_table(["paper", "cells", *VERDICTS], rows)]
    lines += ["", "Where the data came from: [data card](data_card.md).", *_missing(data_provenance)]
    for key, paper in papers.items():
        lines += ["", f"## {key}", "", f"{paper['authors']} ({paper['year']}): {paper['title']}.", ""]
        lines += _artefacts(key, paper) + _differing(cells[key], paper) + _claims(root, key, claims[key])
    if chosen := tuned_table(tuned):
        lines += ["", "## Tuned options", "", "What tuning chose, over all units of an experiment.", "", chosen]
    for key, study in own_data.items():
        links = f"[ranked features](tables/{key}/ranking.md), [error curve](figures/{key}/figure_error.png)"
        lines += ["", f"## {key}", "", f"{study['title']}. {links}."]
    return "\n".join(lines) + "\n"


def _cells(root: Path, key: str, paper: Mapping[str, Any]) -> pd.DataFrame:
    """All cells of a paper's tables; `timing` tells those of timing tables."""
    tables = paper.get("tables", {})
    cells = read_cells(root / "tables" / key / f"table_{number}.csv" for number in tables)
    timing = {number for number, table in tables.items() if table.get("kind") == "timing"}
    return cells.assign(timing=cells["table"].isin(timing))


def _counts(cells: pd.DataFrame) -> list[int]:
    """The number of cells, then of those with each verdict."""
    counts = cells["verdict"].value_counts()
    return [len(cells), *(int(counts.get(verdict, 0)) for verdict in VERDICTS)]


def _holding(root: Path, key: str) -> str:
    claims = pd.read_csv(root / "claims" / f"{key}.csv")
    verdicts = [overall(list(group["verdict"])) for _, group in claims.groupby("claim", sort=False)]
    return f"{verdicts.count('holds')} of {len(verdicts)}"


def _missing(data_provenance: Iterable[str]) -> list[str]:
    """The data sets that could not be obtained: why, every source tried, and what to put where."""
    missing = [record for record in map(load_provenance, data_provenance) if record.status == "missing"]
    if not missing:
        return []
    lines = ["", "## Missing data", "", "Cells and curves that need these data sets are `not run`."]
    for record in missing:
        lines += ["", f"### {record.name}", "", "```", record.reason, "```"]
    return lines


def _artefacts(key: str, paper: Mapping[str, Any]) -> list[str]:
    tables = [f"[table {number}](tables/{key}/table_{number}.md)" for number in paper.get("tables", {})]
    figures = [f"[figure {number}](figures/{key}/figure_{number}.png)" for number in paper.get("figures", {})]
    return [", ".join([*tables, *figures, f"[claims](claims/{key}.csv)", f"[provenance](provenance/{key}.json)"]) + "."]


def _differing(cells: pd.DataFrame, paper: Mapping[str, Any]) -> list[str]:
    """The cells that differ, and what is known about the paper's numbers."""
    lines = []
    differing = cells[(cells["verdict"] == "differs") & ~cells["timing"]]
    if len(differing):
        several = cells.groupby("table")["metric"].nunique()
        lines += ["", "Cells that differ:", ""]
        for cell in differing.itertuples(index=False):
            metric = f", {cell.metric}" if several[cell.table] > 1 else ""
            ours, theirs = f"{cell.reproduced:.{_digits(cell.published)}f}", f"{cell.published:g}"
            lines.append(f"- table {cell.table}, {cell.row}, {cell.column}{metric}: {ours} instead of {theirs}")
    notes = paper.get("notes", [])
    if notes:
        lines += ["", "Notes:", "", *(f"- {note['about']}: {note['text']}" for note in notes)]
    return lines


def _digits(published: float) -> int:
    """As many decimals as tell a number of this size from its neighbours."""
    return 1 if abs(published) >= 1 else 3


def _claims(root: Path, key: str, claims: list[Mapping[str, Any]]) -> list[str]:
    """Each claim with its verdict, and the points where it does not hold."""
    results = pd.read_csv(root / "claims" / f"{key}.csv", keep_default_na=False, dtype=str)
    rows = []
    for claim in claims:
        points = results[results["claim"] == claim["id"]]
        missed = [
            ", ".join(filter(None, [f"{p.at}{': ' if p.at else ''}{p.verdict}", _p_value(p.p_value)]))
            for p in points.itertuples(index=False)
            if p.verdict != "holds"
        ]
        result = overall(list(points["verdict"])) if len(points) else "not run"
        rows.append([f"{claim['statement']} ({claim['source']})", result, "; ".join(missed)])
    return ["", markdown_table(["claim", "verdict", "where it does not hold"], rows)]


def _p_value(text: str) -> str:
    """Nothing for a law, which has none."""
    return f"p = {float(text):.2g}" if text else ""
