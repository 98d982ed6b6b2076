"""Kills at any moment and full disks: the same command goes on, to the bytes of a run that nothing disturbed."""

from __future__ import annotations

import contextlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import Project
from workflow_results import results

SMOKE = ("--config", "fidelity=smoke", "papers=klement2010", "chunk_size=1")
KILLS = 14
"""Of each sort; there are three."""
COMPILER = b"multiprocessing.spawn"


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> tuple[dict[str, bytes], float]:
    """The results of a run, and how many seconds it took."""
    project = Project(tmp_path_factory.mktemp("undisturbed") / "project")
    started = time.monotonic()
    done = project.run(*SMOKE)
    assert done.returncode == 0, done.stderr
    return results(project), time.monotonic() - started


@contextlib.contextmanager
def started(project: Project, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A run that something is going to happen to; whatever that is, it ends, and without a traceback of ours."""
    command = [sys.executable, "-m", "snakemake", "--cores", "2", *SMOKE]
    with log.open("w") as file:
        run = subprocess.Popen(command, cwd=project.folder, stdout=file, stderr=file, start_new_session=True)
    yield run
    run.wait(1200)
    assert not re.search("Traceback|, line \\d+, in ", log.read_text())


def children_of(run: subprocess.Popen[bytes]) -> dict[int, bytes]:
    """Process -> command line of what Snakemake has started, in whichever of its threads."""
    found: dict[int, bytes] = {}
    for children in Path(f"/proc/{run.pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found |= {int(pid): Path(f"/proc/{pid}/cmdline").read_bytes() for pid in children.read_text().split()}
    return found


def kill(process: int, *, group: bool = False) -> bool:
    """Kill -9 a process, or all that it has started; whether it was still there."""
    with contextlib.suppress(ProcessLookupError):
        (os.killpg if group else os.kill)(process, signal.SIGKILL)
        return True
    return False


def assert_goes_on(project: Project, wanted: dict[str, bytes]) -> None:
    """One run of the same command gives the bytes of a run that nothing disturbed."""
    last = project.run(*SMOKE)
    assert last.returncode == 0, last.stderr
    assert "Traceback" not in last.stdout + last.stderr
    assert results(project) == wanted
    assert project.run("verify", *SMOKE).returncode == 0


@pytest.mark.slow
def test_kills_of_snakemake_at_any_moment(project, undisturbed, tally, tmp_path):
    wanted, seconds = undisturbed
    moments = random.Random(1)
    kills = 0
    with tally.trying("kill -9 of Snakemake, alone or with its jobs", KILLS):
        while kills < KILLS:
            begun = time.monotonic()
            with started(project, tmp_path / "output.log") as run:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    run.wait(moments.uniform(0.0, seconds))
                kills += run.poll() is None and kill(run.pid, group=kills % 2 == 0)
            if run.returncode == 0:
                seconds = time.monotonic() - begun
                assert results(project) == wanted
                shutil.rmtree(project.folder / "results" / "smoke")
        assert_goes_on(project, wanted)


@pytest.mark.slow
def test_kills_of_jobs_at_any_moment(project, undisturbed, tally, tmp_path):
    wanted, _ = undisturbed
    moments = random.Random(2)
    kills = 0
    with tally.trying("kill -9 of jobs", KILLS):
        while kills < KILLS:
            with started(project, tmp_path / "output.log") as run:
                while run.poll() is None and kills < KILLS:
                    time.sleep(moments.uniform(0.0, 2.0))
                    jobs = [pid for pid, command in children_of(run).items() if b".snakemake/scripts" in command]
                    kills += bool(jobs) and kill(moments.choice(jobs))
            if run.returncode == 0:
                assert results(project) == wanted
                shutil.rmtree(project.folder / "results" / "smoke")
        assert_goes_on(project, wanted)


@pytest.mark.slow
def test_kills_during_compilation(project, undisturbed, tally, tmp_path):
    """Snakemake alone, with the processes that compile, or one of these."""
    wanted, _ = undisturbed
    library = project.own_library()
    moments = random.Random(3)
    kills = 0
    with tally.trying("kill -9 during compilation", KILLS):
        while kills < KILLS:
            if kills % 3 == 0:
                shutil.rmtree(library / "marginfs" / "__pycache__", ignore_errors=True)
            with started(project, tmp_path / "output.log") as run:
                while run.poll() is None and not compilers_of(run):
                    time.sleep(0.05)
                time.sleep(moments.uniform(0.0, 4.0))
                compilers = compilers_of(run)
                victim = moments.choice(compilers) if compilers and kills % 3 == 0 else run.pid
                kills += bool(compilers) and kill(victim, group=kills % 3 == 1)
            if run.returncode == 0:
                assert results(project) == wanted
                shutil.rmtree(project.folder / "results" / "smoke")
        assert_goes_on(project, wanted)


def compilers_of(run: subprocess.Popen[bytes]) -> list[int]:
    return [pid for pid, command in children_of(run).items() if COMPILER in command]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 16 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(folder)], capture_output=True)
    if mounted.returncode:
        pytest.skip("a small disk needs the right to mount")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.mark.slow
@pytest.mark.parametrize("selections", [0, 1, 9, 18])
def test_a_disk_that_fills_up(small_disk, undisturbed, tally, tmp_path, selections):
    """Before the run, or when so many selections are there."""
    wanted, _ = undisturbed
    project = Project(small_disk / "project")
    log = tmp_path / "output.log"
    with tally.trying("disks that filled up"):
        with started(project, log) as run:
            while (
                run.poll() is None and len([*project.folder.glob("results/smoke/selections/**/*.jsonl")]) < selections
            ):
                time.sleep(0.05)
            with (small_disk / "filler").open("wb", buffering=0) as filler, contextlib.suppress(OSError):
                while True:
                    filler.write(bytes(4096))
        assert run.returncode != 0
        assert re.search("free some space|No space left", log.read_text())
        (small_disk / "filler").unlink()
        assert_goes_on(project, wanted)
