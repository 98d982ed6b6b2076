"""Pages of the published full runs, for readers of the repository."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from marginfs.results.report.compose import paper_section
from marginfs.results.report.outcomes import Outcome
from marginfs.results.report.render import CLAIM_MARKS, render_markdown
from marginfs.results.report.result_files import ResultFiles
from marginfs.results.report.sections import PaperSection, ReportRequest

PAGE = "README.md"


def reference_pages(
    folder: str | Path, papers: Mapping[str, Mapping[str, Any]], claims: Mapping[str, list[Mapping[str, Any]]]
) -> dict[Path, str]:
    """Write the page of every published full run, and the one that lists them.

    Parameters
    ----------
    folder : path
        results/reference.
    papers : mapping
        Key -> protocol.
    claims : mapping
        Key -> claims file.

    Returns
    -------
    dict
        File -> its text.
    """
    root = Path(folder)
    request = ReportRequest(
        folder=str(root),
        reference=str(root),
        run="paper",
        papers=papers,
        claims=claims,
        own_data={},
        sources={},
        reading={},
    )
    pages, rows = {}, []
    for key in papers:
        files = ResultFiles.of_reference(root, key)
        if files.exist:
            paper = paper_section(request, key, files, files)
            pages[root / key / PAGE] = _paper_page(paper, files)
            rows.append(_line(key, paper.outcome))
    return {**pages, root / PAGE: render_markdown("reference_index.md", rows=rows)}


def _paper_page(paper: PaperSection, files: ResultFiles) -> str:
    return render_markdown(
        "reference_paper.md",
        paper=paper,
        record=files.record(),
        texts={
            table.number: (files.tables / f"table_{table.number}.md").read_text(encoding="utf-8")
            for table in paper.tables
        },
        claims=[
            [f"{CLAIM_MARKS[claim.verdict]} {claim.verdict}", f"{claim.statement} ({claim.source})", claim.test]
            for claim in paper.claims
        ],
        choices=[
            [f"`{choice.name}`", choice.value, ", ".join(value for value, _ in choice.alternatives), choice.reason]
            for choice in paper.choices
        ],
    )


def _line(key: str, outcome: Outcome) -> list[object]:
    cells, claims = outcome.cells, outcome.claims
    counts = [cells[name] for name in ("match", "close", "within draws", "differs", "not run")]
    held = [claims[name] for name in ("holds", "fails", "undecided")]
    return [f"[{key}]({key}/{PAGE})", outcome.label, outcome.printed, *counts, *held]
