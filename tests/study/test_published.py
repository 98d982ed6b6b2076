"""Published numbers: complete, in one form, and under the names that the tables use."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
import yaml

from marginfs.study.table_specs import TableSpec

CONFIG = Path(__file__).parents[2] / "config"
COLUMNS = ["table", "row", "column", "metric", "value", "spread", "unit", "note"]
CELLS = {
    "aksu2008": {},
    "klement2010": {"1": 15},
    "planas2021": {
        "5.2": 45,
        "5.3": 15,
        "5.4": 45,
        "5.5": 15,
        "5.6": 11,
        "5.7": 9,
        "5.7_iterations": 8,
        "5.8": 45,
        "5.9": 15,
        "5.10": 45,
        "5.11": 15,
        "5.12": 45,
        "5.13": 45,
        "5.14": 30,
        "5.15": 54,
        "5.16": 63,
        "5.17": 9,
        "5.18": 90,
        "5.19": 60,
        "5.20": 243,
        "5.21": 81,
        "5.22": 90,
        "5.23": 30,
        "5.24": 54,
        "5.25": 243,
        "5.26": 81,
        "5.27": 151,
    },
    "rakotomamonjy2003": {"1": 55, "2": 64, "3": 36, "4": 36, "text": 2},
    "tayal2014": {"1": 16, "2": 8, "3": 68},
}
"""Printed numbers per table; a cell that the paper leaves open stands in the file without a value."""
LEFT_OUT = {"planas2021": {"Not optimized 1", "Not optimized 2", "Not optimized 3"}}
"""Columns that are never run, for a reason that the notes of the paper give."""
PAPERS = sorted(path.stem for path in (CONFIG / "published").glob("*.csv"))


def load(paper: str) -> tuple[pd.DataFrame, dict]:
    published = pd.read_csv(CONFIG / "published" / f"{paper}.csv", dtype=str)
    return published, yaml.safe_load((CONFIG / "papers" / f"{paper}.yaml").read_text())


@pytest.mark.parametrize("paper", PAPERS)
def test_form(paper):
    published, protocol = load(paper)
    assert list(published.columns) == COLUMNS
    assert not published.duplicated(["table", "row", "column", "metric"]).any()
    assert pd.to_numeric(published["value"]).notna().equals(published["value"].notna())
    assert set(published["table"]) <= set(protocol.get("tables", {}))
    assert published[published["value"].notna()].groupby("table").size().to_dict() == CELLS[paper]


@pytest.mark.parametrize("paper", PAPERS)
def test_rows_and_columns_are_those_of_the_tables(paper):
    published, protocol = load(paper)
    for number, spec in protocol.get("tables", {}).items():
        cells = published[published["table"] == number]
        table = TableSpec.from_config(spec, number)
        assert set(cells["metric"]) <= {metric.name for metric in table.metrics}
        first = protocol["experiments"][table.experiments[0]]
        grid = {"experiment": table.experiments, **first.get("data_grid", {}), **first.get("grid", {})}
        for name, axis in zip(("row", "column"), table.axes, strict=True):
            known = {axis.name(value) for value in axis.shown or _at_paper_fidelity(grid[axis.by])}
            if table.summary and name == "row":
                known.add(table.summary.label)
            assert set(cells[name]) - LEFT_OUT.get(paper, set()) <= known


def _at_paper_fidelity(values):
    return values["paper"] if isinstance(values, dict) else values
