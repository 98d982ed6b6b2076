"""Projections: units times what a sample of them took."""

from __future__ import annotations

import json

from marginfs.results.projection import projection_table


def test_units_times_seconds_and_the_total(tmp_path):
    folder = tmp_path / "paper2026"
    folder.mkdir()
    for name, units, seconds, memory in (("a", 720, 10.0, 90.4), ("b", 36, 50.0, 400.0)):
        record = {"units": units, "sampled": 3, "cpu_seconds": seconds, "peak_memory_mb": memory}
        (folder / f"{name}.json").write_text(json.dumps(record))
    lines = projection_table([folder / "a.json", folder / "b.json"]).splitlines()
    assert lines[2] == "| paper2026 | a | 720 | 3 | 10.00 | 2.00 | 90 |"
    assert lines[4] == "| total |  | 756 |  |  | 2.50 | 400 |"
