"""The profiles on a real SLURM of one node: the same bytes as on this machine, whatever happens to jobs."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from subprocess import PIPE, STDOUT

import pytest

from conftest import ROOT, Project
from slurm_server import slurm, why_not
from workflow_results import results

pytestmark = [pytest.mark.slurm, pytest.mark.skipif(bool(why_not()), reason=why_not() or "there is a SLURM")]

QUICKER = ("--seconds-between-status-checks", "5")
WITHOUT_ACCOUNTING = ("--slurm-no-account", "--slurm-status-command", "squeue")
PROFILE = (
    "--profile",
    "profiles/slurm",
    *WITHOUT_ACCOUNTING,
    *QUICKER,
    "--slurm-init-seconds-before-status-checks",
    "5",
)
LARGE_GROUPS = ("--group-components", *(f"{group}=24" for group in ("tuning", "selection", "evaluation", "timing")))
"""A chunk at `smoke` takes a second, and a SLURM job ten."""
GENERIC = ("--profile", "profiles/cluster-generic", *QUICKER)
PAPERS = ("klement2010", "aksu2008", "across_papers", "tayal2014", "rakotomamonjy2003", "planas2021")
MIRROR = ROOT.parent / "shared" / "data"


@pytest.fixture(scope="module", autouse=True)
def cluster(tmp_path_factory, tally) -> Iterator[None]:
    with slurm(tmp_path_factory.mktemp("slurm")):
        yield
        jobs = slurm_jobs()
        kind = "SLURM jobs, those that were ended on purpose among them"
        tally.tried[kind], tally.ended_well[kind] = len(jobs), jobs.count("COMPLETED")


@pytest.fixture(scope="module")
def local(tmp_path_factory) -> Callable[..., dict[str, bytes]]:
    """Paper -> the bytes of a local run, made when they are asked for."""

    @cache
    def run(paper: str = PAPERS[0]) -> dict[str, bytes]:
        project = Project(tmp_path_factory.mktemp("local") / "project")
        done = project.run(*settings(paper))
        assert done.returncode == 0, done.stderr
        return results(project)

    return run


def settings(paper: str) -> list[str]:
    mirror = [f"mirror={MIRROR}"] if MIRROR.is_dir() else []
    return ["--config", "fidelity=smoke", f"papers={paper}", *mirror]


def submit(project: Project, paper: str = PAPERS[0], profile: tuple[str, ...] = PROFILE) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "snakemake", *profile, *settings(paper)]
    return subprocess.Popen(command, cwd=project.folder, stdout=PIPE, stderr=STDOUT, text=True)


def finish(run: subprocess.Popen[str]) -> None:
    output = run.communicate(timeout=7200)[0]
    assert run.returncode == 0, output
    assert "Traceback" not in output


@pytest.mark.parametrize("paper", PAPERS)
def test_smoke_through_the_profile_has_the_same_bytes(project, local, paper, tally):
    with tally.trying("papers at `smoke` through SLURM"):
        finish(submit(project, paper, (*PROFILE, *LARGE_GROUPS)))
        assert {*slurm_jobs(project)} == {"COMPLETED"}
        assert results(project) == local(paper)
        assert project.run("verify", *settings(paper)).returncode == 0


def test_a_profile_for_clusters_without_the_plugin(project, local, tally):
    with tally.trying("papers through the profile without the plugin"):
        finish(submit(project, profile=GENERIC))
        assert list(project.folder.glob("results/logs/cluster/*.log"))
        assert results(project) == local()


def test_a_cancelled_job_is_submitted_again(project, local, tally):
    run = submit(project)
    deadline = time.monotonic() + 600
    while not (running := _queue("RUNNING")):
        assert time.monotonic() < deadline
        assert run.poll() is None
        time.sleep(0.2)
    subprocess.run(["scancel", running[0]], check=True)
    with tally.trying("SLURM jobs cancelled or beyond a limit"):
        finish(run)
        assert sorted(slurm_jobs(project)) == ["CANCELLED", "COMPLETED", "COMPLETED"]
        assert results(project) == local()


@pytest.mark.parametrize(
    ("limits", "groups"),
    [({"mem_mb": 300}, ()), ({"runtime": 1}, ("--group-components", "selection=1"))],
    ids=["memory", "time"],
)
def test_a_job_beyond_its_limit_gets_more(project, local, limits, groups, tally):
    def change(protocol: dict) -> None:
        toy = protocol["experiments"]["toy"]
        toy["resources"] = limits
        if "runtime" in limits:
            toy["selectors"]["svm"]["method"] = "slow_selector:slow_at_first"

    project.edit("config/papers/klement2010.yaml", change)
    with tally.trying("SLURM jobs cancelled or beyond a limit"):
        finish(submit(project, profile=(*PROFILE, *groups)))
        assert {"OUT_OF_MEMORY", "TIMEOUT", "FAILED", "CANCELLED"} & {*slurm_jobs(project)}
        assert results(project) == local()


@pytest.fixture(autouse=True)
def own_methods(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1] / "helpers"))


def slurm_jobs(project: Project | None = None) -> list[str]:
    """How each job ended that this project submitted, or any."""
    command = ["scontrol", "show", "jobs", "--oneliner"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    ours = [line for line in lines if "JobState=" in line and f"WorkDir={project.folder if project else ''}" in line]
    return [line.partition("JobState=")[2].split()[0] for line in ours]


def _queue(state: str) -> list[str]:
    command = ["squeue", "--noheader", "--states", state, "--format", "%i"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
