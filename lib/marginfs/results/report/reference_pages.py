"""Pages of the published full runs, for readers of the repository."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from marginfs.markdown import markdown_table
from marginfs.results.pieces import Piece, read_pieces
from marginfs.results.report.comparisons import comparison_of, comparison_section
from marginfs.results.report.compose import paper_section
from marginfs.results.report.outcomes import Outcome
from marginfs.results.report.render import CLAIM_MARKS, render_markdown
from marginfs.results.report.result_files import ResultFiles
from marginfs.results.report.sections import ComparisonSection, PaperSection, ReportRequest
from marginfs.results.words import counted

PAGE = "README.md"
PLACE = re.compile(r"(<!-- results: .*? -->).*?(<!-- end of results -->)", flags=re.DOTALL)
"""Where the front page of the project has the table of the full runs."""
COMPARED = re.compile(r"(<!-- comparisons: .*? -->).*?(<!-- end of comparisons -->)", flags=re.DOTALL)
"""Where it has what the comparisons found."""
HEADER = [
    "paper",
    "outcome",
    "printed numbers",
    "match",
    "close",
    "within draws",
    "compatible",
    "differ",
    "not run",
    "claims hold",
    "fail",
    "undecided",
]


def reference_pages(
    folder: str | Path,
    papers: Mapping[str, Mapping[str, Any]],
    claims: Mapping[str, list[Mapping[str, Any]]],
    comparisons: Mapping[str, Mapping[str, Any]],
) -> dict[Path, str]:
    """Write the page of every published full run, the one that lists them, and their table in the front page.

    Parameters
    ----------
    folder : path
        results/reference.
    papers : mapping
        Key -> protocol.
    claims : mapping
        Key -> claims file.
    comparisons : mapping
        Key -> protocol of every comparison.

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
        comparisons=comparisons,
        own_data={},
        sources={},
        reading={},
    )
    pages, rows = {}, []
    for key in papers:
        files = ResultFiles.of_reference(root, key)
        if files.exist:
            paper = paper_section(request, key, files, files)
            pages[root / key / PAGE] = _paper_page(paper, files, read_pieces(root / key))
            rows.append(_line(key, paper.outcome))
    found = {key: ResultFiles.of_reference(root, key) for key in comparisons}
    compared = {key: comparison_of(files) for key, files in found.items() if files.exist}
    for key in compared:
        pieces = read_pieces(root / key)
        pages[root / key / PAGE] = _comparison_page(comparison_section(request, key), found[key], pieces)
    pages[root / PAGE] = render_markdown(
        "reference_index.md", table=markdown_table(HEADER, rows), comparisons=compared, page=PAGE
    )
    front = root.parents[1] / PAGE
    if front.exists():
        links = markdown_table(
            HEADER, [[str(row[0]).replace("](", f"](results/{root.name}/"), *row[1:]] for row in rows]
        )
        text = front.read_text(encoding="utf-8")
        text = PLACE.sub(lambda place: f"{place[1]}\n\n{links}\n\n{place[2]}", text)
        said = "\n\n".join(one.paragraph for one in compared.values() if one)
        pages[front] = COMPARED.sub(lambda place: f"{place[1]}\n\n{said}\n\n{place[2]}", text)
    return pages


def _paper_page(paper: PaperSection, files: ResultFiles, pieces: Sequence[Piece]) -> str:
    return render_markdown(
        "reference_paper.md",
        paper=paper,
        origin=_origin(pieces),
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


def _comparison_page(comparison: ComparisonSection, files: ResultFiles, pieces: Sequence[Piece]) -> str:
    return render_markdown(
        "reference_comparison.md",
        comparison=comparison,
        origin=_origin(pieces),
        text=(files.tables / "comparison.md").read_text(encoding="utf-8"),
    )


def _origin(pieces: Sequence[Piece]) -> str:
    """Which states of the project the numbers come from, on which machines, after how many jobs."""
    seeds = _joined(str(piece.study["seed"]) for piece in pieces)
    machines = _joined(machine for piece in pieces for machine in piece.work["machine"])
    if len(pieces) == 1:
        return f"commit `{pieces[0].commit}`, seed {seeds}, {machines}, {pieces[0].work['jobs']} jobs"
    listed = "; ".join(
        f"commit `{piece.commit}` ({counted(len(piece.files), 'file')}, {counted(len(piece.claims), 'claim')}, "
        f"of a run of {counted(piece.work['jobs'], 'job')})"
        for piece in pieces
    )
    return f"seed {seeds}, {machines}, published in {len(pieces)} pieces: {listed}"


def _joined(values: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(values))


def _line(key: str, outcome: Outcome) -> list[object]:
    cells, claims = outcome.cells, outcome.claims
    counts = [cells[name] for name in ("match", "close", "within draws", "compatible", "differs", "not run")]
    held = [claims[name] for name in ("holds", "fails", "undecided")]
    return [f"[{key}]({key}/{PAGE})", outcome.label, outcome.printed, *counts, *held]
