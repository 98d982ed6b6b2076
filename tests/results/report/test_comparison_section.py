"""A comparison in the report: its own section, no paper of the overview, the full run beside a reduced one."""

from __future__ import annotations

import pandas as pd
import pytest

from conftest import ROOT
from marginfs.results.comparison_table import COLUMNS
from marginfs.results.pieces import Piece, read_pieces, write_pieces
from marginfs.results.report.compose import compose
from marginfs.results.report.reference_pages import reference_pages
from marginfs.results.report.render import render_html
from marginfs.results.report.sections import ReportRequest
from marginfs.study.config import load_study
from report_run import make_run

KEY = "across_papers"


def write(folder, error: float, paragraph: str) -> None:
    folder.mkdir(parents=True)
    row = ("Relief", "tayal2014", 2.5, error, 0.5, 0.4, 0.6, None, None, 0.01, 9, 10)
    pd.DataFrame([row], columns=COLUMNS).to_csv(folder / "comparison.csv", index=False)
    (folder / "comparison.txt").write_text(paragraph)
    (folder / "comparison.md").write_text(f"**Title**\n\n{paragraph}\n")


@pytest.fixture
def request_(tmp_path):
    made = make_run(tmp_path / "quick", ("klement2010",))
    protocol = load_study({}, ROOT / "config").papers[KEY].protocol
    write(tmp_path / "quick" / "tables" / KEY, 0.2, "Said of the reduced run.")
    return made | {"comparisons": {KEY: protocol}, "reference": str(tmp_path / "reference")}


def published(tmp_path):
    write(tmp_path / "reference" / KEY, 0.3, "Said of the full run.")
    piece = Piece("0123456789ab", {}, {"seed": 1}, {}, {"machine": ["m"], "jobs": 3}, ("comparison.csv",))
    write_pieces(tmp_path / "reference" / KEY, [piece])


def test_a_section_of_its_own_and_no_paper(request_):
    report = compose(ReportRequest(**request_))
    assert [paper.key for paper in report.papers] == ["klement2010"]
    (section,) = report.comparisons
    assert section.found.rows[0][:5] == ("Relief", "tayal2014", "2.5", "20.0", "0.50 (0.40 to 0.60)")
    assert section.full is None
    html = render_html(report)
    assert html.count("Across the papers") == 1
    assert "Said of the reduced run." in html


def test_the_full_run_stands_beside_a_reduced_one_only(request_, tmp_path):
    published(tmp_path)
    html = render_html(compose(ReportRequest(**request_)))
    assert "Said of the full run." in html
    assert "Said of the reduced run." in html
    (section,) = compose(ReportRequest(**(request_ | {"run": "paper"}))).comparisons
    assert section.full is None


def test_a_report_of_a_comparison_alone_is_called_after_it(request_):
    html = render_html(compose(ReportRequest(**(request_ | {"papers": {}, "claims": {}}))))
    assert "<h1>Selectors compared</h1>" in html
    assert "own data" not in html


def test_a_failed_run_says_so(request_, tmp_path):
    (tmp_path / "quick" / "tables" / KEY / "comparison.csv").unlink()
    html = render_html(compose(ReportRequest(**request_)))
    assert "Not made: a job behind it failed." in html


def test_pages_for_readers_of_the_repository(request_, tmp_path):
    published(tmp_path)
    folder = tmp_path / "project" / "results" / "reference"
    folder.parent.mkdir(parents=True)
    (tmp_path / "reference").rename(folder)
    front = tmp_path / "project" / "README.md"
    front.write_text("<!-- comparisons: here -->\nold\n<!-- end of comparisons -->\n")
    pages = reference_pages(folder, {}, {}, request_["comparisons"])
    assert pages[front] == "<!-- comparisons: here -->\n\nSaid of the full run.\n\n<!-- end of comparisons -->\n"
    assert "commit `0123456789ab`" in pages[folder / KEY / "README.md"]
    assert f"[Across the papers]({KEY}/README.md)" in pages[folder / "README.md"]


def test_a_page_names_every_piece(request_, tmp_path):
    published(tmp_path)
    made = {"machine": ["m"], "jobs": 1}
    other = Piece("ba9876543210", {}, {"seed": 1}, {}, made, ("comparison.md", "comparison.txt"), ("claim",))
    folder = tmp_path / "reference"
    write_pieces(folder / KEY, [*read_pieces(folder / KEY), other])
    page = reference_pages(folder, {}, {}, request_["comparisons"])[folder / KEY / "README.md"]
    assert (
        "seed 1, m, published in 2 pieces: commit `0123456789ab` (1 file, 0 claims, of a run of 3 jobs); "
        "commit `ba9876543210` (2 files, 1 claim, of a run of 1 job)."
    ) in page
