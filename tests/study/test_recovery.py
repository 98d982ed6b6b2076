"""The start of a run: stale locks go, those of a living run stay, and what cannot be written is said at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from marginfs.study import recovery
from marginfs.study.process import explain
from marginfs.study.recovery import start_run

OTHER_RUN = (
    "import sys; from marginfs.study.recovery import start_run; sign = start_run('.'); print(); sys.stdin.read()"
)


def lock(folder: Path) -> Path:
    path = folder / ".snakemake" / "locks" / "0.input.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("results/quick/summary.md\n")
    return path


def test_the_lock_of_a_killed_run_is_removed_and_that_of_a_living_run_is_not(tmp_path, capsys):
    run = [sys.executable, "-c", OTHER_RUN]
    with subprocess.Popen(run, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        other.stdout.readline()
        path = lock(tmp_path)
        start_run(tmp_path).close()
        assert path.exists()
        assert capsys.readouterr().err == ""
        other.kill()
    start_run(tmp_path).close()
    assert not path.exists()
    assert "the last run here was killed" in capsys.readouterr().err


def test_a_second_start_finds_nothing_to_mend(tmp_path, capsys):
    start_run(tmp_path).close()
    start_run(tmp_path).close()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("place", ["results", "results/quick", "results/data", "results/quick/tables"])
def test_a_file_in_place_of_a_folder_is_named(tmp_path, place):
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    with pytest.raises(OSError) as raised:  # noqa: PT011
        start_run(tmp_path)
    assert explain(raised.value).startswith(f"{path}: ")
    assert "remove the file that stands where a folder belongs" in explain(raised.value)


def test_a_full_disk_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(recovery, "LEAST_SPACE", 1 << 80)
    with pytest.raises(OSError, match="No space left") as raised:
        start_run(tmp_path)
    assert "free some space" in explain(raised.value)


def test_an_error_of_the_program_keeps_its_traceback():
    assert "ZeroDivisionError" in explain(ZeroDivisionError())
    assert "resources.mem_mb" in explain(MemoryError("33 GiB"))
