"""Snakemake logger plugin: one line of progress on the terminal, the same in results/progress.log.

Snakemake's own lines come back with `--verbose`, and stay in a dry run; its whole log is in .snakemake/log. Warnings
and errors are always shown, and so is what the workflow itself says (records with the attribute `closing`).
"""

from __future__ import annotations

import contextlib
import logging
import sys
import time
from pathlib import Path

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from snakemake_logger_plugin_marginfs.console import Console, failure_text, plan_text, without_stack
from snakemake_logger_plugin_marginfs.progress import Progress

LOG = Path("results", "progress.log")
INTERVAL = 5.0
"""Seconds between two lines of the log."""
NOISE = (
    "Building DAG",
    "Using shell",
    "Provided",
    "Rules claiming",
    "host:",
    "Assuming",
    "Complete log",
    "Shutting down",
    "Conda environments",
)
"""How Snakemake's messages start that tell a user nothing."""


class LogHandler(LogHandlerBase):
    """Listens to what Snakemake says and passes on what a user needs."""

    def __post_init__(self) -> None:
        logging.raiseExceptions = False  # On a full disk every line of Snakemake's own log would list code.
        self._progress = Progress(time.monotonic())
        self._console = Console(sys.stderr, colour=not self.common_settings.nocolor)
        self._places: dict[int, dict[str, str]] = {}
        self._last = 0.0
        self._started = False

    def emit(self, record: logging.LogRecord) -> None:
        event = getattr(record, "event", None)
        clock = time.monotonic()
        if event == LogEvent.RUN_INFO:
            self._progress.plan(record.stats)  # type: ignore[attr-defined]
            self._started = True
            self._say(plan_text(record.stats))  # type: ignore[attr-defined]
        elif event == LogEvent.JOB_INFO:
            self._progress.start(record.jobid, record.rule_name, clock)  # type: ignore[attr-defined]
            self._places[record.jobid] = dict(record.wildcards or {})  # type: ignore[attr-defined]
        elif event == LogEvent.JOB_FINISHED:
            self._progress.finish(record.job_id, clock)  # type: ignore[attr-defined]
            self._report(clock)
        elif event == LogEvent.JOB_ERROR:
            places = self._places.get(record.jobid, {})  # type: ignore[attr-defined]
            self._say(failure_text(record.rule_name, places, record.log or []), logging.ERROR)  # type: ignore[attr-defined]
        elif record.levelno >= logging.WARNING:
            self._say(without_stack(record.getMessage()), record.levelno)
        elif event is None and (hasattr(record, "closing") or self._wanted(record.getMessage())):
            self._say(record.getMessage())

    def _wanted(self, message: str) -> bool:
        """Before a run starts Snakemake answers what it was asked; afterwards it says what each job does."""
        return not self._started and not message.startswith(NOISE)

    def _say(self, text: str, level: int = logging.INFO) -> None:
        if self.writes_to_stream:
            self._console.say(text, level)

    def _report(self, clock: float) -> None:
        if self.common_settings.dryrun:
            return
        if self.writes_to_stream:
            self._console.progress(self._progress, clock)
        if self._progress.ended or clock - self._last >= INTERVAL:
            self._last = clock
            with contextlib.suppress(OSError):
                LOG.parent.mkdir(exist_ok=True)
                with LOG.open("a", encoding="utf-8") as log:
                    log.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {self._progress.line(clock)}\n")

    @property
    def writes_to_stream(self) -> bool:
        settings = self.common_settings
        return not (settings.dryrun or settings.verbose or settings.printshellcmds)

    @property
    def writes_to_file(self) -> bool:
        return not self.writes_to_stream

    @property
    def has_filter(self) -> bool:
        return True

    @property
    def has_formatter(self) -> bool:
        return True

    @property
    def needs_rulegraph(self) -> bool:
        return False

    @property
    def baseFilename(self) -> str:  # noqa: N802
        """Where Snakemake tells the user that the log is."""
        return str(LOG)
