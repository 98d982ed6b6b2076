"""A paper that uses everything: tuning with a sweep, three classes, an optimum, timings, a drawing of its own.

Then its finished run shows which jobs an edit of the library re-runs.
"""

from __future__ import annotations

import csv
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import Project
from library_edits import EDITS
from toy_project import HERE, TOY, add_toy_paper
from workflow_results import jobs, results

RUN = Path("results", "smoke")
UNIT_JOBS = ("prepare", "tune", "choose", "select", "time", "evaluate")


@pytest.fixture(autouse=True)
def own_methods(monkeypatch: pytest.MonkeyPatch) -> None:
    """The paper's methods stand outside the library: the user's PYTHONPATH is extended, not overwritten."""
    monkeypatch.setenv("PYTHONPATH", str(HERE))


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> Project:
    os.environ["PYTHONPATH"] = str(HERE)
    project = add_toy_paper(Project(tmp_path_factory.mktemp("toy") / "project"))
    done = project.run(*TOY)
    assert done.returncode == 0, done.stderr
    return project


@pytest.fixture
def toy(project: Project) -> Project:
    return add_toy_paper(project)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


def test_two_metrics_stand_side_by_side_at_the_optimum(finished):
    cells = rows(finished.folder / RUN / "tables" / "toy2026" / "table_1.csv")
    assert [(cell["row"], cell["metric"]) for cell in cells] == [
        ("Centroids", "features"),
        ("Centroids", "test_error"),
        ("All", "features"),
        ("All", "test_error"),
    ]
    assert cells[0]["reproduced"] == "2"
    assert float(cells[1]["reproduced"]) <= float(cells[3]["reproduced"])


def test_tuning_is_in_the_results_and_in_the_report(finished):
    measures = rows(finished.folder / RUN / "evaluations" / "toy2026" / "classes.csv")
    chosen = {float(row["value"]) for row in measures if row["metric"] == "tuned_shrink"}
    assert chosen
    assert chosen <= {0.0, 0.2, 0.6}
    assert {row["selector"] for row in measures if row["metric"] == "tuned_power"} == {"centroids"}
    report = (finished.folder / RUN / "report.html").read_text()
    line = re.search(r"<td[^>]*>toy2026</td><td[^>]*>classes</td><td[^>]*>centroids</td><td[^>]*>shrink</td>", report)
    assert "Tuned options" in report
    assert line


def test_times_are_ratios_and_stand_apart(finished):
    cells = rows(finished.folder / RUN / "tables" / "toy2026" / "table_2.csv")
    assert [cell["published"] for cell in cells] == ["2", "1"]
    assert float(cells[1]["reproduced"]) == 1.0
    assert float(cells[0]["reproduced"]) > 0.0
    evaluations = (finished.folder / RUN / "evaluations" / "toy2026" / "classes.csv").read_text()
    assert "cpu_seconds" not in evaluations


def test_a_drawer_of_its_own_draws(finished):
    folder = finished.folder / RUN / "figures" / "toy2026"
    assert rows(folder / "figure_2.csv")[1] == {"x": "1", "y": "0.5"}
    assert (folder / "figure_2.png").stat().st_size > 1000


def test_same_bytes_for_another_chunk_size(finished, toy):
    done = toy.run(*TOY, "chunk_size=7")
    assert done.returncode == 0, done.stderr
    assert jobs(done.stderr)["tune"] == 2
    assert results(toy) == results(finished)


def test_same_bytes_with_one_unit_a_job_killed_while_it_tunes_and_resumed(finished, toy):
    command = [sys.executable, "-m", "snakemake", "--cores", "2", *TOY, "chunk_size=1"]
    run = subprocess.Popen(command, cwd=toy.folder, stderr=subprocess.DEVNULL, start_new_session=True)
    deadline = time.monotonic() + 240
    while len(list(toy.folder.glob("results/smoke/tuning/**/*.jsonl"))) < 3:
        assert time.monotonic() < deadline
        assert run.poll() is None
        time.sleep(0.05)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    resumed = toy.run(*TOY, "chunk_size=1")
    assert resumed.returncode == 0, resumed.stderr
    assert 0 < jobs(resumed.stderr)["tune"] < 12
    assert results(toy) == results(finished)


def test_another_reading_stands_beside_the_default(finished):
    other = [*TOY, "choices={toy2026: {penalty: 10.0}}"]
    before = results(finished)
    done = finished.run(*other)
    assert done.returncode == 0, done.stderr
    assert jobs(done.stderr)["evaluate"] == 1
    assert results(finished) == before
    folder = finished.folder / "results" / "smoke+penalty=10.0"
    assert "penalty = 10.0" in (folder / "tables" / "toy2026" / "table_1.md").read_text()
    assert "penalty = 10.0" in (folder / "report.html").read_text()


def test_readings_compare_every_alternative(finished):
    done = finished.run("readings", *TOY)
    assert done.returncode == 0, done.stderr
    lines = rows(finished.folder / RUN / "readings" / "toy2026.csv")
    assert [line["reading"] for line in lines] == ["default", "penalty=10.0"]
    assert lines[0]["changed"] == "0"


@pytest.fixture(scope="module")
def editable(finished) -> Project:
    """The finished run with a copy of the library."""
    finished.own_library()
    assert "Nothing to be done" in finished.run("--dry-run", *TOY).stdout
    return finished


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_re_runs(editable, name):
    edits, expected = EDITS[name]
    library = editable.folder / "lib" / "marginfs"
    before = {path: path.read_text() if path.exists() else None for path in (library / file for file in edits)}
    try:
        for file, change in edits.items():
            path: Path = library / file
            path.write_text(change(before[path] or ""))
        plan = editable.run("--dry-run", *TOY)
    finally:
        for path, text in before.items():
            path.unlink() if text is None else path.write_text(text)
    assert plan.returncode == 0, plan.stdout
    counts = jobs(plan.stdout)
    assert {rule: counts[rule] for rule in UNIT_JOBS if rule in counts} == expected
