"""The report at the end of real runs: its numbers are those of the units, and a failed run still has one."""

from __future__ import annotations

import random
import re
import zipfile
from html import unescape

import pandas as pd
import pytest

from conftest import Project

SMOKE = ("--config", "fidelity=smoke")
ENTRY = re.compile(
    r'<span class="entry[^>]*data-row="([^"]*)" data-column="([^"]*)" data-metric="([^"]*)"[^>]*>'
    r'<span class="ours(?: best)?">([^<]*)</span>'
)


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> tuple[Project, str]:
    project = Project(tmp_path_factory.mktemp("reported") / "project")
    done = project.run("klement2010", *SMOKE)
    assert done.returncode == 0, done.stderr
    assert "Read results/smoke/reports/klement2010.html" in done.stderr
    return project, done.stderr


@pytest.fixture
def finished(run) -> Project:
    return run[0]


def test_cells_picked_at_random_are_found_again_in_the_unit_results(finished):
    folder = finished.folder / "results" / "smoke"
    page = (folder / "reports" / "klement2010.html").read_text(encoding="utf-8")
    units = pd.concat(pd.read_csv(path) for path in (folder / "measures" / "klement2010" / "toy").glob("*.csv"))
    entries = [tuple(map(unescape, entry)) for entry in ENTRY.findall(page)]
    shown = [entry for entry in entries if entry[3]]
    assert len(entries) == 15
    assert len(shown) == 6, "smoke runs two of the five rows"
    for row, column, metric, ours in random.sample(shown, 4):
        wanted = (units["train"] == int(row)) & (units["selector"] == column.lower())
        values = 100.0 * units[wanted & (units["metric"] == metric) & (units["step"] == 0)]["value"]
        assert len(values) == 3
        assert ours == f"{values.mean():.1f} ± {values.std():.1f}"


def test_a_single_paper_ends_with_its_own_report(finished):
    page = (finished.folder / "results" / "smoke" / "reports" / "klement2010.html").read_text(encoding="utf-8")
    assert set(re.findall(r'data-paper="(\w+)"', page)) == {"klement2010"}
    links = set(re.findall(r'href="(\.\./[^"]+)"', page))
    assert "../tables/klement2010/table_1.csv" in links
    assert all((finished.folder / "results" / "smoke" / "reports" / link).exists() for link in links)


def test_console_is_a_few_lines(run):
    assert len(run[1].splitlines()) < 12
    assert re.search(r"\[#{24}\] 11 of 11 jobs \(100 %\), .* elapsed, done", run[1])


def test_a_failed_run_has_a_report_that_says_so(project):
    def change(protocol: dict) -> None:
        toy = protocol["experiments"]["toy"]
        toy["data"]["separable"] = False
        toy["data"]["noise"] = 0
        toy["data_grid"]["train"] = [400]
        del protocol["figures"]

    project.edit("config/papers/klement2010.yaml", change)
    (project.folder / "config" / "claims" / "klement2010.yaml").unlink()
    done = project.run(*SMOKE, "papers=klement2010")
    assert done.returncode != 0
    assert "Failed: select (run=smoke, paper=klement2010" in done.stderr
    assert "not linearly separable" in done.stderr
    assert "Read results/smoke/report.html" in done.stderr
    page = (project.folder / "results" / "smoke" / "report.html").read_text(encoding="utf-8")
    assert "jobs failed" in page
    assert "not linearly separable" in page
    assert "Not made: a job behind it failed." in page


def test_snakemakes_own_report_has_captions_and_categories(finished):
    done = finished.run("klement2010", "--report", "report.zip", *SMOKE)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(finished.folder / "report.zip") as archive:
        names = {name.rpartition("/")[2] for name in archive.namelist()}
        page = archive.read("report/report.html").decode()
    assert {"table_1.csv", "figure_1.png", "klement2010.csv", "klement2010.html"} <= names
    for words in ("Test error on the linear toy problem", "Tables", "Figures", "Claims", "Overview"):
        assert words in page
