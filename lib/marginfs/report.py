"""The summary of a run, and the publication of a full one under results/reference."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from marginfs.claims import overall
from marginfs.data.dataset import load_provenance

FIDELITY_TEXT = {
    "smoke": "a test of the workflow, with far too few trials for any conclusion",
    "quick": "the published protocol with fewer trials and, where a table says so, smaller grids",
    "paper": "the published protocol, nothing reduced",
}
VERDICTS = ("match", "close", "differs", "not run", "unpublished")


def summary(
    folder: str,
    fidelity: str,
    papers: Mapping[str, Any],
    claims: Mapping[str, Any],
    own_data: Mapping[str, Any],
    data_provenance: Iterable[str],
) -> str:
    """Markdown: the verdicts of all papers in one table, missing data, then each paper's differences and claims."""
    root = Path(folder)
    tables = {key: _tables(root, key, paper) for key, paper in papers.items()}
    lines = [
        f"# Results at fidelity `{fidelity}`",
        "",
        f"Fidelity `{fidelity}`: {FIDELITY_TEXT[fidelity]}.",
        "",
        "| paper | cells | " + " | ".join(VERDICTS) + " | claims that hold |",
        "|---" * (len(VERDICTS) + 3) + "|",
        *(_overview(root, key, tables[key]) for key in papers),
        "",
        "Verdicts: `match`, within 2.58 standard errors of the difference or the rounding of the printed number; "
        "`close`, within 2 percentage points or 10 % of the published value; `differs`, anything else.",
        "",
        "Where the data came from: [data card](data_card.md).",
        *_missing(data_provenance),
    ]
    for key, paper in papers.items():
        lines += ["", f"## {key}", "", f"{paper['authors']} ({paper['year']}): {paper['title']}.", ""]
        lines += _artefacts(key, paper) + _differing(tables[key], paper) + _claims(root, key, claims[key])
    for key, study in own_data.items():
        links = f"[ranked features](tables/{key}/ranking.md), [error curve](figures/{key}/figure_error.png)"
        lines += ["", f"## {key}", "", f"{study['title']}. {links}."]
    return "\n".join(lines) + "\n"


def publish(paper: str, source: str, target: str) -> None:
    """Copy the tables, the curves, the claims and the provenance of `paper` from a full run to `target`/<paper>/."""
    folder = Path(target, paper)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    files = [*Path(source, "tables", paper).iterdir(), *Path(source, "figures", paper).iterdir()]
    for path in files:
        if path.suffix in (".csv", ".md", ".png"):
            shutil.copyfile(path, folder / path.name)
    shutil.copyfile(Path(source, "claims", f"{paper}.csv"), folder / "claims.csv")
    shutil.copyfile(Path(source, "provenance", f"{paper}.json"), folder / "provenance.json")


def _tables(root: Path, key: str, paper: Mapping[str, Any]) -> pd.DataFrame:
    """All cells of a paper's tables, with the table's number."""
    parts = [
        pd.read_csv(root / "tables" / key / f"table_{number}.csv", dtype={"row": str, "column": str}).assign(
            table=number
        )
        for number in paper.get("tables", {})
    ]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["table", "row", "column", "verdict"])


def _missing(data_provenance: Iterable[str]) -> list[str]:
    """The data sets that could not be obtained: why, every source tried, and what to put where."""
    missing = [record for record in map(load_provenance, data_provenance) if record.status == "missing"]
    if not missing:
        return []
    lines = ["", "## Missing data", "", "Cells and curves that need these data sets are `not run`."]
    for record in missing:
        lines += ["", f"### {record.name}", "", "```", record.reason, "```"]
    return lines


def _overview(root: Path, key: str, cells: pd.DataFrame) -> str:
    counts = cells["verdict"].value_counts()
    claims = pd.read_csv(root / "claims" / f"{key}.csv")
    verdicts = [overall(list(group["verdict"])) for _, group in claims.groupby("claim", sort=False)]
    numbers = " | ".join(str(counts.get(verdict, 0)) for verdict in VERDICTS)
    return f"| [{key}](#{key}) | {len(cells)} | {numbers} | {verdicts.count('holds')} of {len(verdicts)} |"


def _artefacts(key: str, paper: Mapping[str, Any]) -> list[str]:
    tables = [f"[table {number}](tables/{key}/table_{number}.md)" for number in paper.get("tables", {})]
    figures = [f"[figure {number}](figures/{key}/figure_{number}.png)" for number in paper.get("figures", {})]
    return [", ".join([*tables, *figures, f"[claims](claims/{key}.csv)", f"[provenance](provenance/{key}.json)"]) + "."]


def _differing(cells: pd.DataFrame, paper: Mapping[str, Any]) -> list[str]:
    """The cells that differ, and what is known about the paper's numbers."""
    lines = []
    differing = cells[cells["verdict"] == "differs"]
    if len(differing):
        lines += ["", "Cells that differ:", ""]
        lines += [
            f"- table {cell.table}, {cell.row}, {cell.column}: {cell.reproduced:.1f} instead of {cell.published:g}"
            for cell in differing.itertuples(index=False)
        ]
    notes = paper.get("notes", [])
    if notes:
        lines += ["", "Notes:", "", *(f"- {note['about']}: {note['text']}" for note in notes)]
    return lines


def _claims(root: Path, key: str, claims: list[Mapping[str, Any]]) -> list[str]:
    """Each claim with its verdict, and the points where it does not hold."""
    results = pd.read_csv(root / "claims" / f"{key}.csv", keep_default_na=False)
    lines = ["", "| claim | verdict | where it does not hold |", "|---|---|---|"]
    for claim in claims:
        points = results[results["claim"] == claim["id"]]
        missed = [
            f"{p.at}{': ' if p.at else ''}{p.verdict}, p = {float(p.p_value):.2g}"
            for p in points.itertuples(index=False)
            if p.verdict != "holds"
        ]
        result = overall(list(points["verdict"])) if len(points) else "not run"
        lines.append(f"| {claim['statement']} ({claim['source']}) | {result} | {'; '.join(missed)} |")
    return lines
