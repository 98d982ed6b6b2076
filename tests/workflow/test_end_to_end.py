"""The workflow end to end, in copies of the project: same bytes whatever the scheduling, and errors that help."""

from __future__ import annotations

import hashlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import Project
from workflow_results import jobs, results

SMOKE = ("--config", "fidelity=smoke", "papers=klement2010")


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> Project:
    project = Project(tmp_path_factory.mktemp("finished") / "project")
    done = project.run(*SMOKE)
    assert done.returncode == 0, done.stderr
    return project


def test_everything_promised_is_there(finished):
    folder = finished.folder / "results" / "smoke"
    expected = [f"tables/klement2010/table_1.{kind}" for kind in ("csv", "md", "tex")]
    expected += [f"figures/klement2010/figure_1.{kind}" for kind in ("pdf", "png", "csv")]
    expected += ["report.html", "claims/klement2010.csv", "provenance/klement2010.json"]
    assert [name for name in expected if not (folder / name).stat().st_size] == []
    assert {path.suffix for path in folder.rglob(".*")} == {".sha256"}
    progress = (finished.folder / "results" / "progress.log").read_text()
    assert re.search(r"\d+ of \d+ jobs \(100 %\), .* elapsed, done", progress)


def test_second_call_has_nothing_to_do(finished):
    again = finished.run(*SMOKE)
    assert again.returncode == 0
    assert "Nothing to be done" in again.stdout + again.stderr


def test_same_bytes_for_one_core_one_unit_a_job_and_whatever_threads_the_user_allows(finished, project, monkeypatch):
    for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
        monkeypatch.setenv(f"{library}_NUM_THREADS", "4")
    done = project.run(*SMOKE, "chunk_size=1", cores=1)
    assert done.returncode == 0, done.stderr
    assert jobs(done.stderr)["select"] == 18
    assert results(project) == results(finished)


def test_the_numbers_are_those_of_the_checksum_file(finished):
    """Tables and curves, which are written with nine digits; drawings and evaluations show how a machine rounds."""
    lines = (Path(__file__).parent / "smoke.sha256").read_text().splitlines()
    expected = {name: digest for digest, name in (line.split("  ") for line in lines)}
    found = {name: content for name, content in results(finished).items() if name in expected}
    assert {name: hashlib.sha256(content).hexdigest() for name, content in found.items()} == expected
    assert {*expected} == {name for name in results(finished) if name.endswith(".csv") and "evaluations" not in name}


@pytest.mark.slow
def test_same_bytes_after_a_kill(finished, project):
    command = [sys.executable, "-m", "snakemake", "--cores", "2", *SMOKE, "chunk_size=1"]
    run = subprocess.Popen(command, cwd=project.folder, stderr=subprocess.DEVNULL, start_new_session=True)
    deadline = time.monotonic() + 120
    while len(list(project.folder.glob("results/smoke/selections/**/*.jsonl"))) < 3:
        assert time.monotonic() < deadline
        assert run.poll() is None
        time.sleep(0.05)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    resumed = project.run(*SMOKE, "chunk_size=1")
    assert resumed.returncode == 0, resumed.stderr
    assert 0 < jobs(resumed.stderr)["select"] < 18
    assert results(project) == results(finished)


def test_more_trials_run_only_the_new_units(project):
    assert project.run(*SMOKE, "chunk_size=2").returncode == 0
    project.edit(
        "config/papers/klement2010.yaml",
        lambda protocol: protocol["experiments"]["toy"]["trials"].update(smoke=4),
    )
    plan = project.run("--dry-run", *SMOKE, "chunk_size=2").stdout
    assert jobs(plan)["select"] == 3
    assert jobs(plan)["evaluate"] == 1


def test_a_change_of_the_evaluation_re_runs_no_selection(finished):
    protocol = finished.folder / "config" / "papers" / "klement2010.yaml"
    before = protocol.read_text()
    finished.edit(protocol, lambda protocol: protocol["experiments"]["toy"]["evaluation"].update(iterations=3))
    plan = jobs(finished.run("--dry-run", *SMOKE).stdout)
    protocol.write_text(before)
    assert "select" not in plan
    assert plan["evaluate"] == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("fidelity=fast",), ["fidelity is 'fast'", "smoke, quick, paper"]),
        (("papers=klement2011",), ["no paper is called 'klement2011'", "did you mean 'klement2010'"]),
        (("fidelty=smoke",), ["unknown key 'fidelty'", "did you mean 'fidelity'"]),
    ],
)
def test_bad_settings_end_with_one_message(finished, arguments, words):
    done = finished.run("--config", *arguments)
    assert done.returncode != 0
    message = done.stderr.strip().splitlines()[-1]
    assert message.startswith("marginfs: ")
    assert all(word in message for word in words)
    assert "Traceback" not in done.stderr + done.stdout


def test_data_that_is_not_separable_is_named(project):
    def change(protocol: dict) -> None:
        toy = protocol["experiments"]["toy"]
        toy["data"]["separable"] = False
        toy["data"]["noise"] = 0
        toy["data_grid"]["train"] = [400]
        del protocol["figures"]

    project.edit("config/papers/klement2010.yaml", change)
    (project.folder / "config" / "claims" / "klement2010.yaml").unlink()
    done = project.run("--config", "fidelity=smoke", "papers=klement2010")
    output = done.stderr + done.stdout
    assert done.returncode != 0
    assert "klement2010/toy, selector weston, split 0, train=400: the training data is not linearly separable" in output
    assert "Traceback" not in output
    assert not list(Path(project.folder).glob("results/smoke/selections/**/*.jsonl"))
