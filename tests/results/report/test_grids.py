"""Tables in the paper's layout, with everything that stands beside a number."""

from __future__ import annotations

import pandas as pd
import pytest

from marginfs.results.report.grids import grid_of, verdict_counts
from marginfs.results.tables import COLUMNS
from marginfs.study.table_specs import TableSpec

SPEC = {
    "title": "A table",
    "experiment": "toy",
    "rows": {"by": "train", "title": "n"},
    "columns": {"by": "selector"},
    "metrics": {"test_error": {"unit": "%", "decimals": 1}, "features": {"decimals": 0, "label": "Feat."}},
}
CELLS = [
    ("20", "SVM", "test_error", 28.8, 3.0, 32.57, 4.0, 100, 3.77, "differs"),
    ("20", "SVM", "features", None, None, 7.2, None, 100, None, "unpublished"),
    ("50", "SVM", "test_error", 19.0, None, None, None, 0, None, "not run"),
]


@pytest.fixture
def table() -> pd.DataFrame:
    return pd.DataFrame(CELLS, columns=COLUMNS)


@pytest.fixture
def spec() -> TableSpec:
    return TableSpec.from_config(SPEC, "tables.1")


def test_numbers_keep_their_place_and_decimals(spec, table):
    grid = grid_of(spec, table, published_trials=100)
    assert (grid.corner, grid.columns, [row for row, _ in grid.rows]) == ("n", ("SVM",), ["20", "50"])
    error, features, missing = grid.entries
    assert (error.ours, error.theirs, error.heading) == ("32.6 ± 4.0", "28.8 ± 3.0", "test error (%)")
    assert (features.ours, features.theirs, features.heading) == ("7", "", "Feat.")
    assert (missing.ours, missing.theirs, missing.mark) == ("", "19.0", "–")
    assert verdict_counts(grid.entries) == {"differs": 1, "not run": 1, "unpublished": 1}


def test_difference_has_the_standard_error_of_both_sides(spec, table):
    error = grid_of(spec, table, published_trials=100).entries[0]
    assert (error.difference, error.uncertainty) == ("+3.8", "0.50")
    assert error.detail == "differs; difference +3.8; standard error 0.50; 100 trials"


def test_printed_standard_errors_are_taken_as_they_are(table):
    spec = TableSpec.from_config({**SPEC, "spread": "error"}, "tables.1")
    assert grid_of(spec, table, published_trials=100).entries[0].uncertainty == "5.00"


def test_the_full_run_stands_beside_by_key_not_by_position(spec, table):
    full = table.iloc[::-1].assign(reproduced=[19.5, 8.0, 30.0], reproduced_spread=1.0, verdict="match")
    error, features, missing = grid_of(spec, table, 100, full).entries
    assert [entry.full for entry in (error, features, missing)] == ["30.0 ± 1.0", "8 ± 1", "19.5 ± 1.0"]
    assert error.full_verdict == "match"


def test_the_best_selector_of_every_row_is_marked_on_both_sides(spec):
    cells = [
        ("20", "SVM", "test_error", 28.8, None, 30.04, None, 100, 1.2, "differs"),
        ("20", "SFM", "test_error", 12.0, None, 29.96, None, 100, 1.0, "differs"),
        ("20", "RFE", "test_error", 13.0, None, 31.0, None, 100, 1.0, "differs"),
        ("20", "SVM", "features", 9.0, None, 7.0, None, 100, None, "differs"),
        ("20", "SFM", "features", 3.0, None, 8.0, None, 100, None, "differs"),
        ("50", "SVM", "test_error", 5.0, None, None, None, 0, None, "not run"),
    ]
    grid = grid_of(spec, pd.DataFrame(cells, columns=COLUMNS), published_trials=100)
    assert {(entry.row, entry.column) for entry in grid.entries if entry.best} == {("20", "SVM"), ("20", "SFM")}
    assert {(entry.column, entry.metric) for entry in grid.entries if entry.best_printed} == {("SFM", "test_error")}
    assert grid.has_best


def test_highest_is_best_of_accuracies_and_no_axis_of_selectors_has_no_best():
    cells = [("a", "x", "accuracy", None, None, 0.8, None, 9, None, "unpublished")]
    cells += [("b", "x", "accuracy", None, None, 0.9, None, 9, None, "unpublished")]
    table = pd.DataFrame(cells, columns=COLUMNS)
    by_row = {**SPEC, "rows": {"by": "selector"}, "columns": {"by": "train"}, "metrics": {"accuracy": {"decimals": 1}}}
    assert [entry.best for entry in grid_of(TableSpec.from_config(by_row, "t"), table, 9).entries] == [False, True]
    other = {**by_row, "rows": {"by": "step"}}
    assert not grid_of(TableSpec.from_config(other, "t"), table, 9).has_best
