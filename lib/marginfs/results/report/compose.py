"""From the files of a run to what its report shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from marginfs.results.layouts import legend
from marginfs.results.own_rankings import best_features, ranking_text
from marginfs.results.own_summary import Listing, comparison_listing, summary_listing, summary_text
from marginfs.results.pieces import commits
from marginfs.results.readings import reading_text
from marginfs.results.report.choice_rows import choice_sections
from marginfs.results.report.claim_rows import claim_sections
from marginfs.results.report.comparisons import comparison_section
from marginfs.results.report.figure_sections import figure_section
from marginfs.results.report.grids import Grid, grid_of, verdict_counts
from marginfs.results.report.outcomes import outcome_of
from marginfs.results.report.result_files import ResultFiles
from marginfs.results.report.run_facts import data_card, failures, missing_data, provenance_of, tuned_options
from marginfs.results.report.sections import (
    FigureSection,
    Note,
    OwnSection,
    OwnTable,
    PaperSection,
    Report,
    ReportRequest,
    TableSection,
)
from marginfs.results.tables import caption
from marginfs.study.artefacts import experiments_of
from marginfs.study.runs import split_run
from marginfs.study.table_specs import TableSpec

FIDELITY_TEXT = {
    "smoke": "a test of the workflow, with far too few trials for any conclusion",
    "quick": "the published protocol with fewer trials and, where a table says so, smaller grids",
    "paper": "the published protocol, nothing reduced",
}
FAILED = "Not made: a job behind it failed."
PAIRED = "Paired t-tests over the splits, corrected for the points that they share (Nadeau and Bengio 2003)."


def compose(request: ReportRequest) -> Report:
    """Gather everything that a report shows; files that a failed run lacks are said to be missing.

    Parameters
    ----------
    request : ReportRequest
        What to show.

    Returns
    -------
    Report
        The page.
    """
    fidelity, _ = split_run(request.run)
    papers = tuple(
        paper_section(
            request,
            key,
            ResultFiles.of_run(request.folder, key),
            ResultFiles.of_reference(request.reference, key),
        )
        for key in request.papers
    )
    return Report(
        run=request.run,
        fidelity=fidelity,
        fidelity_text=FIDELITY_TEXT[fidelity],
        reading=reading_text(request.reading).strip(),
        papers=papers,
        comparisons=tuple(comparison_section(request, key) for key in request.comparisons),
        own=tuple(_own(request, key) for key in request.own_data),
        provenance=provenance_of(request),
        data=data_card(Path(request.folder) / "data_card.csv"),
        missing_data=tuple(missing_data(request).items()),
        failures=failures(Path(request.folder)),
        tuned=tuned_options(request),
    )


def paper_section(request: ReportRequest, key: str, files: ResultFiles, reference: ResultFiles) -> PaperSection:
    """Gather everything about one paper.

    Parameters
    ----------
    request : ReportRequest
        What is shown.
    key : str
        The paper.
    files : ResultFiles
        Its results.
    reference : ResultFiles
        Those of its full run, which stand beside where the results are not a whole full run themselves.

    Returns
    -------
    PaperSection
        The paper.
    """
    protocol, claims = request.papers[key], request.claims.get(key, [])
    ids = [claim["id"] for claim in claims]
    whole = files == reference or (split_run(request.run) == ("paper", "") and not _incomplete(files, protocol))
    beside = reference.exist and not whole
    notes = [_note(note, reference.exist) for note in protocol.get("notes", [])]
    unobtained = missing_data(request)
    tables = tuple(
        _table(request, key, number, files, reference if beside else None, _about(notes, "table", number), unobtained)
        for number in protocol.get("tables", {})
    )
    figures = tuple(
        figure_section(key, number, spec, files, reference if beside else None, _about(notes, "figure", number))
        for number, spec in protocol.get("figures", {}).items()
    )
    placed = {note for table in tables for note in table.notes} | {note for f in figures for note in f.notes}
    full_points = reference.claim_points() if beside else None
    return PaperSection(
        key=key,
        title=protocol["title"],
        authors=protocol["authors"],
        year=str(protocol["year"]),
        outcome=outcome_of(_cells(files, protocol), ids, files.claim_points()),
        full=outcome_of(_cells(reference, protocol), ids, full_points) if beside else None,
        full_commit=", ".join(commits(reference.provenance.parent)) if beside else "",
        tables=tables,
        figures=figures,
        claims=claim_sections(key, claims, files.claim_points(), full_points),
        choices=choice_sections(
            key,
            protocol.get("choices", {}),
            request.reading,
            Path(request.folder).parent / split_run(request.run)[0] / "readings" / f"{key}.csv",
        ),
        notes=tuple(note for note in notes if note not in placed),
        missing=_to_do(request, key, tables, figures),
    )


def _cells(files: ResultFiles, protocol: Mapping[str, Any]) -> list[tuple[pd.DataFrame | None, bool]]:
    """The tables, None where one was not made, and whether they show times."""
    specs = protocol.get("tables", {})
    return [(files.table(number), spec.get("kind") == "timing") for number, spec in specs.items()]


def _incomplete(files: ResultFiles, protocol: Mapping[str, Any]) -> bool:
    return any(table is None or (table["verdict"] == "not run").any() for table, _ in _cells(files, protocol))


def _table(
    request: ReportRequest,
    key: str,
    number: str,
    files: ResultFiles,
    reference: ResultFiles | None,
    notes: tuple[Note, ...],
    missing: Mapping[str, str],
) -> TableSection:
    protocol = request.papers[key]
    spec = TableSpec.from_config(protocol["tables"][number], f"{key}: tables.{number}")
    table = files.table(number)
    full = reference.table(number) if reference else None
    grid: Grid | None = None
    text = explained = ""
    if table is not None:
        trials, fidelity = protocol["trials"], split_run(request.run)[0]
        grid = grid_of(spec, table, spec.trials or trials, full)
        text = caption(spec, number, key, fidelity, table, trials, request.reading)
        explained = legend(table, spec)
    return TableSection(
        number=number,
        title=spec.title,
        caption=text,
        legend=explained,
        file=f"tables/{key}/table_{number}.csv",
        timing=spec.kind == "timing",
        grid=grid,
        counts=verdict_counts(grid.entries) if grid else {},
        beside=full is not None,
        notes=notes,
        missing=_why(request, key, number, table, missing),
    )


def _why(request: ReportRequest, key: str, number: str, table: pd.DataFrame | None, missing: Mapping[str, str]) -> str:
    """Why numbers of a table are missing; empty where none is."""
    if table is None:
        return FAILED
    lacking = int((table["verdict"] == "not run").sum())
    if not lacking:
        return ""
    experiments = experiments_of(request.papers[key]["tables"][number])
    needed = {file for name in experiments for file in request.sources.get(key, {}).get(name, [])}
    sets = sorted(needed & missing.keys())
    if sets:
        return f"{lacking} numbers not run: {', '.join(sets)} could not be obtained."
    return f"{lacking} numbers not run at fidelity {split_run(request.run)[0]}."


def _note(note: Mapping[str, Any], published: bool) -> Note:
    default = "the full run" if published else "trial runs"
    table = note.get("table", {"header": (), "rows": ()})
    rows = tuple(tuple(row) for row in table["rows"])
    return Note(note["about"], note["text"], note.get("run", default), tuple(table["header"]), rows)


def _about(notes: Iterable[Note], kind: str, number: str) -> tuple[Note, ...]:
    """The notes about one table or figure alone, which stand beside it."""
    found = []
    for note in notes:
        numbers = re.match(rf"{kind} ([\w.]+)\b", note.about)
        if numbers and numbers[1] == number and not re.search(r"\b(tables|figures)\b", note.about):
            found.append(note)
    return tuple(found)


def _to_do(
    request: ReportRequest, key: str, tables: tuple[TableSection, ...], figures: tuple[FigureSection, ...]
) -> tuple[tuple[str, str], ...]:
    """What was not run, and the command that runs it."""
    fidelity = split_run(request.run)[0]
    rows = [(table.name, table.missing) for table in tables if table.missing]
    rows += [
        (f"Figure {figure.number}", "Not made: a job behind it failed.") for figure in figures if not figure.picture
    ]
    again = [f"`snakemake --cores 8 {key}`"] if rows else []
    if fidelity != "paper":
        again = [f"`snakemake --cores 8 --config fidelity=paper {key}`"]
        rows.append(("The published number of trials", f"Fidelity {fidelity} is {FIDELITY_TEXT[fidelity]}."))
    return tuple((what, f"{why} Run {again[0]}.") for what, why in rows)


def _own(request: ReportRequest, key: str) -> OwnSection:
    protocol = request.own_data[key]
    files = ResultFiles.of_run(request.folder, key)
    tables = {name: files.tables / f"{name}.csv" for name in ("summary", "comparisons", "ranking")}
    parts: tuple[OwnTable, ...] = ()
    if all(path.exists() for path in tables.values()):
        summary, comparisons, ranking = (pd.read_csv(path) for path in tables.values())
        parts = (
            _own_table(key, "summary", "How good the selectors are", summary_listing(summary), summary_text(summary)),
            _own_table(key, "comparisons", "Selectors against each other", comparison_listing(comparisons), PAIRED),
            _own_table(key, "ranking", "The final ranking", best_features(ranking), ranking_text(ranking)),
        )
    return OwnSection(
        key=key,
        title=protocol["title"],
        tables=tuple(part for part in parts if part.rows),
        figures=tuple(figure_section(key, number, spec, files) for number, spec in protocol["figures"].items()),
    )


def _own_table(key: str, name: str, title: str, listing: Listing, text: str) -> OwnTable:
    header, rows = listing
    return OwnTable(title, text, tuple(header), tuple(map(tuple, rows)), f"tables/{key}/{name}.csv")
