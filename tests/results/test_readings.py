"""Readings: how many cells each alternative matches, and which cells it changes."""

from __future__ import annotations

import shutil

import pandas as pd
import pytest

from marginfs.results.readings import compare_readings, read_cells, read_readings, reading_text, readings_markdown
from marginfs.results.tables import COLUMNS


@pytest.fixture
def default(tmp_path):
    for number, verdicts in {"1": ["match", "differs"], "5.20": ["close"]}.items():
        cells = pd.DataFrame(
            {"row": ["10", "20"][: len(verdicts)], "column": "SVM", "metric": "m", "verdict": verdicts}
        )
        cells.reindex(columns=COLUMNS).to_csv(tmp_path / f"table_{number}.csv", index=False)
    return read_cells(sorted(tmp_path.glob("*.csv")))


def test_table_numbers_and_labels_are_text(default):
    assert list(default["table"]) == ["1", "1", "5.20"]
    assert list(default["row"]) == ["10", "20", "10"]


def test_counts_and_changes(default):
    changed = default.assign(verdict=["match", "match", "differs"])
    missing = default[default["table"] == "1"]
    table = compare_readings(default, {"bias=false": changed, "seed=7": default, "short": missing}).set_index("reading")
    assert list(table.index) == ["default", "bias=false", "seed=7", "short"]
    assert table.loc["bias=false", ["cells", "match", "close", "differs", "changed"]].tolist() == [3, 2, 0, 1, 2]
    assert table.loc["bias=false", "changed_cells"] == (
        "table 1, 20, SVM: differs -> match; table 5.20, 10, SVM: close -> differs"
    )
    assert table.loc["seed=7", ["changed", "changed_cells"]].tolist() == [0, ""]
    assert table.loc["short", "changed_cells"] == "table 5.20, 10, SVM: close -> not run"


def test_the_metric_is_named_where_a_table_has_several(default):
    both = default.assign(metric=["accuracy", "cost", "cost"])
    changed = both.assign(verdict=["match", "match", "close"])
    assert compare_readings(both, {"a=b": changed})["changed_cells"][1] == "table 1, 20, SVM, cost: differs -> match"


def test_page(default):
    changed = default.assign(verdict=["match", "match", "close"])
    page = readings_markdown(compare_readings(default, {"bias=false": changed}), "toy2020", "quick")
    assert (
        "| reading | cells | match | compatible | close | within draws | differs | not run | unpublished | changed |"
        in page
    )
    assert "| bias=false | 3 | 2 | 0 | 1 | 0 | 0 | 0 | 0 | 1 |" in page
    assert page.endswith("## bias=false\n\n- table 1, 20, SVM: differs -> match\n")


def test_runs_are_told_apart_by_their_folders(default, tmp_path):
    for run in ("quick", "quick+svm_bias=false"):
        folder = tmp_path / "results" / run / "tables" / "toy2020"
        folder.mkdir(parents=True)
        shutil.copy(tmp_path / "table_1.csv", folder)
    found = read_readings((tmp_path / "results").rglob("*.csv"))
    assert set(found) == {"", "svm_bias=false"}
    assert list(found[""]["table"]) == ["1", "1"]


def test_paper_without_tables():
    table = compare_readings(read_cells([]), {"a=b": read_cells([])})
    assert list(table["cells"]) == [0, 0]


def test_the_default_reading_has_no_name():
    assert reading_text(None) == reading_text({}) == ""
    assert reading_text({"beta": None, "subset": 30}) == " Not the default reading: beta = null, subset = 30."
