"""Kills at any moment and full disks: the same command goes on, to the bytes of a run that nothing disturbed."""

from __future__ import annotations

import contextlib
import os
import random
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
KILLS = 40


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> dict[str, bytes]:
    project = Project(tmp_path_factory.mktemp("undisturbed") / "project")
    done = project.run(*SMOKE)
    assert done.returncode == 0, done.stderr
    return results(project)


def start(project: Project) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "snakemake", "--cores", "2", *SMOKE]
    return subprocess.Popen(command, cwd=project.folder, stderr=subprocess.DEVNULL, start_new_session=True)


def jobs_of(run: subprocess.Popen[bytes]) -> list[int]:
    """The processes that Snakemake has started."""
    children = Path(f"/proc/{run.pid}/task/{run.pid}/children")
    return [int(pid) for pid in children.read_text().split()] if children.exists() else []


def kill(run: subprocess.Popen[bytes], victim: str) -> bool:
    """Kill -9 Snakemake, Snakemake with all its jobs, or one job; whether there was anything to kill."""
    if run.poll() is not None:
        return False
    with contextlib.suppress(ProcessLookupError):
        if victim == "all":
            os.killpg(run.pid, signal.SIGKILL)
        elif victim == "Snakemake":
            run.kill()
        else:
            found = jobs_of(run)
            if not found:
                return False
            os.kill(random.choice(found), signal.SIGKILL)
        return True
    return False


@pytest.mark.slow
def test_kills_at_any_moment(project, undisturbed, tally):
    random.seed(1)
    kills = 0
    while kills < KILLS:
        run = start(project)
        time.sleep(random.uniform(2.0, 12.0))
        victim = ("all", "Snakemake", "job")[kills % 3]
        killed = kill(run, victim)
        kills += killed
        run.wait(600)
        if run.returncode == 0 and not killed:
            shutil.rmtree(project.folder / "results" / "smoke")
    for _ in range(2):
        last = project.run(*SMOKE)
        assert "Traceback" not in last.stdout + last.stderr
        if last.returncode == 0:
            break
    assert last.returncode == 0, last.stderr
    assert results(project) == undisturbed
    assert project.run("verify", *SMOKE).returncode == 0
    tally[f"kills survived of {KILLS}"] += kills


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
@pytest.mark.parametrize("left", [2000, 1200, 400, 0], ids=lambda left: f"{left} kB left")
def test_a_disk_that_fills_up(small_disk, undisturbed, tally, left):
    project = Project(small_disk / "project")
    filler = small_disk / "filler"
    filler.write_bytes(bytes(shutil.disk_usage(small_disk).free - 1024 * left))
    first = project.run(*SMOKE)
    output = first.stdout + first.stderr
    assert "Traceback" not in output
    assert first.returncode == 0 or "free some space" in output or "No space left" in output
    filler.unlink()
    again = project.run(*SMOKE)
    assert again.returncode == 0, again.stderr
    assert results(project) == undisturbed
    tally["disks filled without a wrong byte"] += 1
