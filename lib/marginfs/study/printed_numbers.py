"""The files of printed numbers: checked before any job, because a number that is misread gives a wrong verdict."""

from __future__ import annotations

import csv
import math
from pathlib import Path

from marginfs.errors import ConfigError

COLUMNS = ("table", "row", "column", "metric", "value", "spread", "unit", "note")


def check_printed(path: Path, where: str) -> None:
    """Raise ConfigError for a file that does not hold printed numbers.

    Parameters
    ----------
    path : Path
        config/published/<key>.csv.
    where : str
        Its name in messages.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            lines = list(csv.reader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ConfigError(f"{where}: cannot be read as a CSV file in UTF-8: {error}") from None
    header = ",".join(COLUMNS)
    if not lines or tuple(lines[0]) != COLUMNS:
        raise ConfigError(f"{where}: the first line is {','.join(lines[0]) if lines else ''!r}; write {header}")
    for number, line in enumerate(lines[1:], start=2):
        if len(line) != len(COLUMNS):
            raise ConfigError(f"{where}, line {number}: {len(line)} values; write {len(COLUMNS)}: {header}")
        for name, text in zip(COLUMNS, line, strict=True):
            if name in ("value", "spread") and text and not _is_number(text):
                raise ConfigError(f"{where}, line {number}: {name} is {text!r}; write a number, or nothing")


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
