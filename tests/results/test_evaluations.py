"""Evaluations under each other, and tables over several experiments of which one is missing."""

from __future__ import annotations

import pandas as pd

from marginfs.results.evaluations import read_evaluations
from marginfs.results.tables import build_table
from marginfs.study.table_specs import TableSpec

SPEC = TableSpec.from_config(
    {
        "title": "",
        "experiment": ["a", "c", "s"],
        "metric": "test_error",
        "unit": "",
        "rows": {"by": "experiment"},
        "columns": {"by": "selector"},
    },
    "tables.1",
)


def write(path, columns, rows):
    pd.DataFrame(rows, columns=columns).to_csv(path, index=False)
    return path


def test_a_table_over_experiments_with_one_missing(tmp_path):
    a = [("zero", split, "test_error", 0, 1.0) for split in (0, 1)]
    c = [("zero", split, 1.0, "test_error", 0, 1.0) for split in (0, 1)]
    paths = {
        "a": write(tmp_path / "a.csv", ["selector", "split", "metric", "step", "value"], a),
        "c": write(tmp_path / "c.csv", ["selector", "split", "C", "metric", "step", "value"], c),
        "s": write(tmp_path / "s.csv", ["selector", "split", "sigma", "metric", "step", "value"], []),
    }
    published = pd.DataFrame(
        [("a", "zero", "1.0", "0.1"), ("s", "zero", "0.5", None), ("c", "zero", None, None)],
        columns=["row", "column", "value", "spread"],
    ).assign(metric="test_error")
    only_missing = build_table(SPEC, read_evaluations([paths["s"]]), published, trials=100)
    assert list(only_missing["verdict"]) == ["not run"] * 3
    everything = build_table(SPEC, read_evaluations(paths[name] for name in "asc"), published, trials=100)
    assert list(everything["verdict"]) == ["match", "not run", "unpublished"]


def test_no_evaluation_at_all():
    assert len(read_evaluations([])) == 0
