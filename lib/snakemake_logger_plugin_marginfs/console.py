"""What a run says on the terminal: one line of progress, and what the user must know."""

from __future__ import annotations

import logging
import re
import shutil
import textwrap
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from snakemake_logger_plugin_marginfs.progress import Progress

BAR = 24
"""Signs of the bar."""
WIDE = 120
"""Signs of a line where there is no terminal."""
SECONDS = {True: 0.2, False: 30.0}
"""Between two lines of progress, on a terminal and elsewhere."""
LOG_LINES = 12
"""Lines of a failed job's log that are shown."""
CODE_PLACE = re.compile(r'\s+File ".*", line \d+, in ')
COLOURS = {logging.WARNING: "\x1b[33m", logging.ERROR: "\x1b[31m"}
PLAIN = "\x1b[0m"


class Console:
    """A terminal, or a file in its place.

    Parameters
    ----------
    stream : file
        Where to write.
    colour : bool
        Whether warnings and errors may have a colour.
    """

    def __init__(self, stream: TextIO, colour: bool = True) -> None:
        self._stream = stream
        self.terminal = stream.isatty()
        self._colour = colour and self.terminal
        self._last = 0.0
        self._bar = False

    @property
    def width(self) -> int:
        """Signs that fit in a line."""
        return shutil.get_terminal_size((WIDE, 24)).columns if self.terminal else WIDE

    def progress(self, progress: Progress, clock: float) -> None:
        """Show how far the run is, not too often.

        Parameters
        ----------
        progress : Progress
            How far it is.
        clock : float
            The time now, in seconds.
        """
        if not progress.ended and clock - self._last < SECONDS[self.terminal]:
            return
        self._last = clock
        full = round(BAR * progress.share)
        line = f"[{'#' * full}{'-' * (BAR - full)}] {progress.line(clock)}"[: self.width - 1]
        if not self.terminal:
            self._stream.write(f"{line}\n")
        else:
            self._stream.write(f"\r{line}\x1b[K" + ("\n" if progress.ended else ""))
            self._bar = not progress.ended
        self._stream.flush()

    def say(self, text: str, level: int = logging.INFO) -> None:
        """Write a message, on a terminal in lines that fit.

        Parameters
        ----------
        text : str
            The message.
        level : int
            How grave it is.
        """
        lines = text.splitlines()
        if self.terminal:
            lines = [part for line in lines for part in _wrapped(line, self.width)]
        colour = COLOURS.get(min(level, logging.ERROR), "") if self._colour else ""
        start = "\r\x1b[K" if self._bar else ""
        self._bar = False
        self._stream.write(start + "".join(f"{colour}{line}{PLAIN if colour else ''}\n" for line in lines))
        self._stream.flush()


def plan_text(counts: dict[str, int]) -> str:
    """Say what a run will do.

    Parameters
    ----------
    counts : dict
        Rule -> number of its jobs; "total" is none.

    Returns
    -------
    str
        One sentence.
    """
    rules = [f"{count} {rule}" for rule, count in counts.items() if rule != "total"]
    return f"{time.strftime('%H:%M')} {sum(v for k, v in counts.items() if k != 'total')} jobs: {', '.join(rules)}"


def failure_text(rule: str, places: dict[str, str], logs: Iterable[str]) -> str:
    """Say which job failed, and what its log says.

    Parameters
    ----------
    rule : str
        Its rule.
    places : dict
        Its wildcards.
    logs : iterable of str
        Its logs.

    Returns
    -------
    str
        Several lines.
    """
    named = ", ".join(f"{key}={value}" for key, value in places.items())
    lines = [f"Failed: {rule} ({named})" if named else f"Failed: {rule}"]
    for log in logs:
        path = Path(log)
        text = path.read_text(encoding="utf-8", errors="replace").strip() if path.exists() else ""
        lines += [f"  {line}" for line in text.splitlines()[-LOG_LINES:]]
        lines.append(f"  Log: {log}")
    return "\n".join(lines)


def without_stack(message: str) -> str:
    """Leave out the lines of code that Snakemake lists below an exception.

    Parameters
    ----------
    message : str
        A warning or an error.

    Returns
    -------
    str
        Its other lines.
    """
    return "\n".join(line for line in message.splitlines() if not CODE_PLACE.match(line))


def _wrapped(line: str, width: int) -> list[str]:
    indent = " " * (len(line) - len(line.lstrip()))
    found = textwrap.wrap(
        line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False, replace_whitespace=False
    )
    return found or [""]
