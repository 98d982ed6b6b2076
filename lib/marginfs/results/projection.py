"""What a run will take, from samples of its units."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from marginfs.markdown import markdown_table

HEADER = ["paper", "experiment", "units", "sampled", "CPU seconds a unit", "core-hours", "memory (MB)"]


def projection_table(paths: Iterable[str | Path]) -> str:
    """Multiply what sampled units took by the number of units.

    Parameters
    ----------
    paths : iterable of paths
        Files projection/<paper>/<experiment>.json, as `marginfs.study.unit_sample` makes them.

    Returns
    -------
    str
        A Markdown table, one line an experiment, the last line their total.
    """
    rows: list[list[object]] = []
    hours, memory, units = 0.0, 0.0, 0
    for path in map(Path, paths):
        found = json.loads(path.read_text(encoding="utf-8"))
        took = found["units"] * found["cpu_seconds"] / 3600.0
        hours, memory, units = hours + took, max(memory, found["peak_memory_mb"]), units + found["units"]
        numbers = [found["units"], found["sampled"], f"{found['cpu_seconds']:.2f}", f"{took:.2f}"]
        rows.append([path.parent.name, path.stem, *numbers, f"{found['peak_memory_mb']:.0f}"])
    rows.append(["total", "", units, "", "", f"{hours:.2f}", f"{memory:.0f}"])
    return markdown_table(HEADER, rows)
