"""Joining what chunks wrote, in an order that does not depend on the chunks."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

SUMMED = ("seconds", "cpu_seconds", "jobs")


def join_measures(paths: Iterable[str]) -> str:
    """The CSV files one after the other under their common header; units come in protocol order."""
    texts = [Path(path).read_text(encoding="utf-8").partition("\n") for path in paths]
    headers = {header for header, _, _ in texts}
    if len(headers) != 1:
        raise ValueError(f"chunks of one experiment have different columns: {sorted(headers)}")
    return headers.pop() + "\n" + "".join(rows for _, _, rows in texts)


def total(paths: Iterable[str]) -> dict[str, Any]:
    """Time summed, memory at its highest, and the sets of machines, Python versions and sources, over many records."""
    records = [json.loads(Path(path).read_text(encoding="utf-8")) for path in paths]
    result: dict[str, Any] = {key: round(sum(record.get(key, 1) for record in records), 3) for key in SUMMED}
    result["peak_memory_mb"] = max(record["peak_memory_mb"] for record in records)
    for key in ("machine", "python", "source"):
        found: set[str] = set()
        for record in records:
            value = record[key]
            found.update(value if isinstance(value, list) else [value])
        result[key] = sorted(found)
    return result
