"""Snakemake logger plugin: progress with an estimate of the time left, on the terminal and in results/progress.log."""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from pathlib import Path

from snakemake.logging import logger
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

LOG = Path("results", "progress.log")
INTERVAL = 5.0
"""Seconds between two lines."""


class Progress:
    """Time left, from the mean duration of the finished jobs of each rule and the number that run beside each other.

    Parameters
    ----------
    clock : float
        The time now, in seconds.
    """

    def __init__(self, clock: float) -> None:
        self.began = clock
        self._first_job: float | None = None
        self.total = self.done = 0
        self.waiting: dict[str, int] = {}
        self._running: dict[int, tuple[str, float]] = {}
        self._seconds: dict[str, list[float]] = defaultdict(list)

    def plan(self, counts: dict[str, int]) -> None:
        """Take note of what is to be done.

        Parameters
        ----------
        counts : dict
            Rule -> number of its jobs; "total" is none.
        """
        self.waiting = {rule: count for rule, count in counts.items() if rule != "total"}
        self.total = sum(self.waiting.values())

    def start(self, job: int, rule: str, clock: float) -> None:
        """Take note of a job that starts.

        Parameters
        ----------
        job : int
            Its number.
        rule : str
            Its rule.
        clock : float
            The time now, in seconds.
        """
        self._first_job = clock if self._first_job is None else self._first_job
        self._running[job] = (rule, clock)

    def finish(self, job: int, clock: float) -> None:
        """Take note of a job that has ended.

        Parameters
        ----------
        job : int
            Its number.
        clock : float
            The time now, in seconds.
        """
        rule, began = self._running.pop(job, ("", clock))
        self._seconds[rule].append(clock - began)
        self.waiting[rule] = max(self.waiting.get(rule, 1) - 1, 0)
        self.done += 1

    def left(self, clock: float) -> float | None:
        """Estimate the time left; rules not yet seen take the mean of all jobs.

        Parameters
        ----------
        clock : float
            The time now, in seconds.

        Returns
        -------
        float or None
            Seconds; None before the first job has ended.
        """
        durations = [seconds for times in self._seconds.values() for seconds in times]
        if not durations or self._first_job is None:
            return None
        mean = sum(durations) / len(durations)
        work = sum(
            count * (sum(times) / len(times) if (times := self._seconds.get(rule)) else mean)
            for rule, count in self.waiting.items()
        )
        speed = sum(durations) / max(clock - self._first_job, 1e-3)
        return work / max(speed, 1e-3)

    def line(self, clock: float) -> str:
        """Write how far the run is.

        Parameters
        ----------
        clock : float
            The time now, in seconds.

        Returns
        -------
        str
            Jobs done, time gone and time left.
        """
        left = self.left(clock)
        share = 100.0 * self.done / self.total if self.total else 100.0
        estimate = "" if left is None else f", about {_duration(left)} left"
        gone = _duration(clock - self.began)
        return f"progress: {self.done} of {self.total} jobs ({share:.0f} %), {gone} gone{estimate}"


class LogHandler(LogHandlerBase):
    """Listens to job events; Snakemake's own output stays as it is."""

    def __post_init__(self) -> None:
        self._progress = Progress(time.monotonic())
        self._last = 0.0

    def emit(self, record: logging.LogRecord) -> None:
        event = getattr(record, "event", None)
        clock = time.monotonic()
        if event == LogEvent.RUN_INFO:
            self._progress.plan(record.stats)  # type: ignore[attr-defined]
        elif event == LogEvent.JOB_INFO:
            self._progress.start(record.jobid, record.rule_name, clock)  # type: ignore[attr-defined]
        elif event == LogEvent.JOB_FINISHED:
            self._progress.finish(record.job_id, clock)  # type: ignore[attr-defined]
            ended = self._progress.done >= self._progress.total
            if ended or clock - self._last >= INTERVAL:
                self._last = clock
                self._report(self._progress.line(clock))

    def _report(self, line: str) -> None:
        if self.common_settings.dryrun:
            return
        logger.info(line)
        LOG.parent.mkdir(exist_ok=True)
        with LOG.open("a", encoding="utf-8") as log:
            log.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {line}\n")

    @property
    def writes_to_stream(self) -> bool:
        return False

    @property
    def writes_to_file(self) -> bool:
        return True

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


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
