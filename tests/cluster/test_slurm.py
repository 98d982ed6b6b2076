"""The profiles on a real SLURM of one node: the same bytes as on this machine, whatever happens to jobs."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import Project
from slurm_server import slurm, why_not
from workflow_results import results

pytestmark = [pytest.mark.slurm, pytest.mark.skipif(bool(why_not()), reason=why_not() or "there is a SLURM")]

PROFILE = ("--profile", "profiles/slurm", "--slurm-no-account", "--slurm-status-command", "squeue")
QUICKER = ("--seconds-between-status-checks", "5", "--slurm-init-seconds-before-status-checks", "5")
GENERIC = ("--profile", "profiles/cluster-generic", "--seconds-between-status-checks", "5")
PAPERS = ("klement2010", "aksu2008", "rakotomamonjy2003", "tayal2014", "planas2021")


@pytest.fixture(scope="module", autouse=True)
def cluster(tmp_path_factory) -> Iterator[None]:
    with slurm(tmp_path_factory.mktemp("slurm")):
        yield


@pytest.fixture(scope="module")
def local(tmp_path_factory) -> dict[str, dict[str, bytes]]:
    """Paper -> the bytes of a local run, made when they are asked for."""

    class Runs(dict[str, dict[str, bytes]]):
        def __missing__(self, paper: str) -> dict[str, bytes]:
            project = Project(tmp_path_factory.mktemp("local") / "project")
            done = project.run("--config", "fidelity=smoke", f"papers={paper}")
            assert done.returncode == 0, done.stderr
            self[paper] = results(project)
            return self[paper]

    return Runs()


def submit(project: Project, paper: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "snakemake", *PROFILE, *QUICKER, *arguments]
    command += ["--config", "fidelity=smoke", f"papers={paper}"]
    return subprocess.run(command, cwd=project.folder, capture_output=True, text=True, timeout=3600)


@pytest.mark.parametrize("paper", PAPERS)
def test_smoke_through_the_profile_has_the_same_bytes(project, local, paper, tally):
    done = submit(project, paper)
    assert done.returncode == 0, done.stderr
    assert set(slurm_jobs(project)) == {"COMPLETED"}
    assert results(project) == local[paper]
    assert project.run("verify").returncode == 0
    tally["SLURM jobs run"] += len(slurm_jobs(project))


def test_a_profile_for_clusters_without_the_plugin(project, local):
    command = [sys.executable, "-m", "snakemake", *GENERIC, "--config", "fidelity=smoke", "papers=klement2010"]
    done = subprocess.run(command, cwd=project.folder, capture_output=True, text=True, timeout=3600)
    assert done.returncode == 0, done.stderr
    assert list(project.folder.glob("results/logs/cluster/*.log"))
    assert results(project) == local["klement2010"]


def test_a_cancelled_job_is_submitted_again(project, local):
    command = [
        sys.executable,
        "-m",
        "snakemake",
        *PROFILE,
        *QUICKER,
        "--config",
        "fidelity=smoke",
        "papers=klement2010",
    ]
    with subprocess.Popen(command, cwd=project.folder, stderr=subprocess.PIPE, text=True) as run:
        deadline = time.monotonic() + 600
        while not (running := _queue("RUNNING")):
            assert time.monotonic() < deadline
            time.sleep(0.2)
        subprocess.run(["scancel", running[0]], check=True)
        output = run.communicate(timeout=3600)[1]
    assert run.returncode == 0, output
    assert sorted(slurm_jobs(project)) == ["CANCELLED", "COMPLETED", "COMPLETED"]
    assert results(project) == local["klement2010"]


@pytest.mark.parametrize("limits", [{"mem_mb": 120}, {"runtime": 1}], ids=["memory", "time"])
def test_a_job_beyond_its_limit_gets_more(project, local, limits):
    def change(protocol: dict) -> None:
        toy = protocol["experiments"]["toy"]
        toy["resources"] = limits
        if "runtime" in limits:
            toy["selectors"]["svm"]["method"] = "slow_selector:slow_hard_margin_svm"

    expected = local["klement2010"]
    project.edit("config/papers/klement2010.yaml", change)
    done = submit(project, "klement2010")
    assert done.returncode == 0, done.stderr
    assert {"OUT_OF_MEMORY", "TIMEOUT", "FAILED", "CANCELLED"} & {*slurm_jobs(project)}
    assert results(project) == expected


@pytest.fixture(autouse=True)
def own_methods(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1] / "helpers"))


def slurm_jobs(project: Project) -> list[str]:
    """How each job that this project submitted ended."""
    command = ["scontrol", "show", "jobs", "--oneliner"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    ours = [line for line in lines if f"WorkDir={project.folder}" in line]
    return [line.partition("JobState=")[2].split()[0] for line in ours]


def _queue(state: str) -> list[str]:
    command = ["squeue", "--noheader", "--states", state, "--format", "%i"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
