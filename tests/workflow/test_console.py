"""What a run says on a terminal."""

from __future__ import annotations

import io
import logging

import pytest

from snakemake_logger_plugin_marginfs.console import Console, failure_text, plan_text, without_stack
from snakemake_logger_plugin_marginfs.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def half_done() -> Progress:
    progress = Progress(clock=0.0)
    progress.plan({"select": 4, "total": 4})
    for job in (0, 1):
        progress.start(job, "select", clock=0.0)
        progress.finish(job, clock=10.0)
    return progress


def test_one_line_is_written_over_and_fits(half_done, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    terminal = Terminal()
    console = Console(terminal)
    console.progress(half_done, clock=10.0)
    console.progress(half_done, clock=10.1)
    assert terminal.getvalue().count("\r") == 1, "not more often than the eye can follow"
    line = terminal.getvalue().removeprefix("\r").removesuffix("\x1b[K")
    assert line.startswith("[############------------] 2 of 4 jobs (50 %), 10 s elapsed")
    assert len(line) < 60
    console.say("Failed: " + "word " * 40, logging.ERROR)
    after = terminal.getvalue().partition("\r\x1b[K")[2]
    assert after.startswith("\x1b[31mFailed:")
    assert all(len(line.removeprefix("\x1b[31m").removesuffix("\x1b[0m")) <= 60 for line in after.splitlines())


def test_a_file_has_plain_lines_and_no_bar_for_every_job(half_done):
    file = io.StringIO()
    console = Console(file)
    console.progress(half_done, clock=40.0)
    console.progress(half_done, clock=50.0)
    console.say("x" * 200, logging.WARNING)
    assert file.getvalue().splitlines() == [
        "[############------------] 2 of 4 jobs (50 %), 40 s elapsed, about 40 s left",
        "x" * 200,
    ]


def test_a_failure_names_the_job_and_shows_its_log(tmp_path):
    log = tmp_path / "job.log"
    log.write_text("split 3: not separable\n")
    text = failure_text("select", {"paper": "klement2010"}, [str(log)])
    assert text.splitlines() == ["Failed: select (paper=klement2010)", "  split 3: not separable", f"  Log: {log}"]


def test_the_plan_counts_jobs_by_rule():
    assert plan_text({"select": 3, "all": 1, "total": 4}).endswith("4 jobs: 3 select, 1 all")


def test_errors_of_snakemake_come_without_its_lines_of_code():
    told = 'RuleException:\n[Errno 28] No space left on device\n  File "lib/tempfile.py", line 483, in func_wrapper'
    assert without_stack(told) == "RuleException:\n[Errno 28] No space left on device"
