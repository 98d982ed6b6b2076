"""How far a run is, and the time left."""

from __future__ import annotations

from collections import defaultdict


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

    @property
    def ended(self) -> bool:
        """Whether every job has ended."""
        return self.done >= self.total

    @property
    def share(self) -> float:
        """The part of the jobs that has ended, from 0 to 1."""
        return self.done / self.total if self.total else 1.0

    def line(self, clock: float) -> str:
        """Write how far the run is.

        Parameters
        ----------
        clock : float
            The time now, in seconds.

        Returns
        -------
        str
            Jobs done, time elapsed and time left.
        """
        left = self.left(clock)
        estimate = "" if left is None else f", about {duration(left)} left"
        end = ", done" if self.ended else estimate
        elapsed = duration(clock - self.began)
        return f"{self.done} of {self.total} jobs ({100.0 * self.share:.0f} %), {elapsed} elapsed{end}"


def duration(seconds: float) -> str:
    """Write a time.

    Parameters
    ----------
    seconds : float
        The time.

    Returns
    -------
    str
        In the two largest units.
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
