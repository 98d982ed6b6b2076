"""Joining what chunks wrote, in an order that does not depend on the chunks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

SUMMED = ("seconds", "cpu_seconds", "jobs")


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


def total(paths: Iterable[str]) -> dict[str, Any]:
    """Add up what many jobs took.

    Parameters
    ----------
    paths : iterable of str
        Their provenance files.

    Returns
    -------
    dict
        Time summed, memory at its highest, and the sets of machines, Python versions and sources.
    """
    records = [json.loads(Path(path).read_text(encoding="utf-8")) for path in paths]
    result: dict[str, Any] = {key: round(sum(record.get(key, 1) for record in records), 3) for key in SUMMED}
    result["peak_memory_mb"] = max((record["peak_memory_mb"] for record in records), default=0)
    for key in ("machine", "python", "source"):
        found: set[str] = set()
        for record in records:
            value = record[key]
            found.update(value if isinstance(value, list) else [value])
        result[key] = sorted(found)
    return result
