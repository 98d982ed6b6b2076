"""Published numbers: complete, in one form, and under the names that the tables use."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
import yaml

from marginfs.artefacts import experiments_of
from marginfs.tables import label

CONFIG = Path(__file__).parents[1] / "config"
COLUMNS = ["table", "row", "column", "metric", "value", "spread", "unit", "note"]
CELLS = {
    "aksu2008": {},
    "klement2010": {"1": 15},
    "rakotomamonjy2003": {"1": 55, "2": 64, "3": 36, "4": 36, "text": 2},
}
"""Printed numbers per table; a cell that the paper leaves open stands in the file without a value."""
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
        assert set(cells["metric"]) <= {spec["metric"]}
        names = experiments_of(spec)
        experiments = [protocol["experiments"][name] for name in names]
        for axis in ("rows", "columns"):
            grids = [{**experiment.get("data_grid", {}), **experiment.get("grid", {})} for experiment in experiments]
            grid = {"experiment": names, **grids[0]}
            by = spec[axis]["by"]
            values = list(spec[axis].get("labels", {})) or spec[axis].get("values") or _at_paper_fidelity(grid[by])
            known = {label(spec[axis], value) for value in values}
            assert set(cells[axis.removesuffix("s")]) <= known


def _at_paper_fidelity(values):
    return values["paper"] if isinstance(values, dict) else values
