"""Joining what chunks wrote, in an order that does not depend on the chunks."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from marginfs.errors import DataError
from marginfs.files import read_json_lines
from marginfs.types import Measure

TIMES = ("seconds", "cpu_seconds")
SUMMED = (*TIMES, "jobs")
ENDS = ("selections", "stopped_at_limit")
"""How many selections were made, and how many of them by a solver that stopped at its limit."""
MEASURED = len(Measure._fields)
"""The last columns of an evaluation: what was measured. Those before say of which selector and unit."""


def join_measures(paths: Iterable[str], columns: Sequence[str]) -> str:
    """Join CSV files under their common header.

    Parameters
    ----------
    paths : iterable of str
        The files, in the order of the protocol's units; none where nothing is run.
    columns : sequence of str
        The header that they have in common.

    Returns
    -------
    str
        One CSV text.
    """
    texts = [Path(path).read_text(encoding="utf-8").partition("\n") for path in paths]
    wanted = ",".join(columns)
    others = {header for header, _, _ in texts} - {wanted}
    if others:
        raise ValueError(f"chunks of one experiment have other columns than {wanted}: {sorted(others)}")
    return wanted + "\n" + "".join(rows for _, _, rows in texts)


def trials_in(text: str, points: int) -> float:
    """Count the trials that an evaluation has.

    Parameters
    ----------
    text : str
        What `join_measures` gives.
    points : int
        How many points the grids of the experiment have.

    Returns
    -------
    float
        Its units by points: a whole number, unless the data of some points is missing.
    """
    _, *rows = csv.reader(io.StringIO(text))
    trials = len({tuple(row[1:-MEASURED]) for row in rows}) / points
    return int(trials) if trials.is_integer() else round(trials, 2)


def trials_of(paths: Iterable[str]) -> dict[str, float]:
    """Read how many trials experiments have.

    Parameters
    ----------
    paths : iterable of str
        Their files evaluations/<paper>/<experiment>.provenance.json.

    Returns
    -------
    dict
        Experiment -> trials.
    """
    files = {Path(path).name.partition(".")[0]: Path(path) for path in sorted(paths)}
    records = {name: json.loads(path.read_text(encoding="utf-8")) for name, path in files.items()}
    without = [str(files[name]) for name, record in records.items() if "trials" not in record]
    if without:
        raise DataError(f"gathered by an earlier version: delete {' '.join(without)} and run the same command again")
    return {name: record["trials"] for name, record in records.items()}


def total(paths: Iterable[str]) -> dict[str, Any]:
    """Add up what many jobs took.

    Parameters
    ----------
    paths : iterable of str
        Their provenance files.

    Returns
    -------
    dict
        Time and counts summed, memory at its highest, and the sets of machines, Python versions and sources.
    """
    records = [json.loads(Path(path).read_text(encoding="utf-8")) for path in paths]
    result: dict[str, Any] = {key: round(sum(record.get(key, 1) for record in records), 3) for key in SUMMED}
    counted = [record for record in records if {*ENDS} <= {*record}]
    result |= {key: sum(record[key] for record in counted) for key in ENDS if counted}
    result["peak_memory_mb"] = max((record["peak_memory_mb"] for record in records), default=0)
    for key in ("machine", "python", "source"):
        found: set[str] = set()
        for record in records:
            value = record[key]
            found.update(value if isinstance(value, list) else [value])
        result[key] = sorted(found)
    return result


def count_ends(paths: Iterable[str]) -> dict[str, int]:
    """Count selections, and those whose solver stopped at a limit before it had converged.

    Parameters
    ----------
    paths : iterable of str
        Files of selections.

    Returns
    -------
    dict
        `ENDS`.
    """
    stopped = [_stopped(record) for path in paths for record in read_json_lines(path) if "trace" in record]
    return dict(zip(ENDS, (len(stopped), sum(stopped)), strict=True))


def _stopped(record: dict[str, Any]) -> bool:
    """By the reason why the method ended, or by whether each machine on its way met its tolerance."""
    trace = record["trace"]
    return str(trace.get("exit", "")).endswith("_limit") or not all(trace.get("converged", ()))
