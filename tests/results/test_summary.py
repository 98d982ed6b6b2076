"""The page that a reviewer reads first."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from marginfs.results.claims import COLUMNS as CLAIM_COLUMNS
from marginfs.results.summary import summary
from marginfs.results.tables import COLUMNS

PAPER = {
    "title": "A paper",
    "authors": "A. Author",
    "year": 2001,
    "tables": {"1": {}, "2": {"kind": "timing"}},
    "figures": {"2": {}},
    "notes": [{"about": "table 1", "text": "An explanation."}],
}
CLAIMS = [
    {"id": "better", "statement": "It is better.", "source": "section 1"},
    {"id": "faster", "statement": "It is faster.", "source": "section 2"},
    {"id": "law", "statement": "It never grows.", "source": "section 4"},
    {"id": "absent", "statement": "It was not run.", "source": "section 3"},
]


@pytest.fixture
def page(tmp_path: Path) -> str:
    cells = [
        ("10", "SVM", "test_error", 20.0, 2.0, 20.1, 2.0, 10, 0.1, "match"),
        ("20", "SVM", "test_error", 15.0, 2.0, 25.04, 2.0, 10, 10.04, "differs"),
        ("30", "SVM", "test_error", 10.0, 2.0, None, None, 0, None, "not run"),
    ]
    points = [
        ("better", "train = 10", 0.1, 0.2, 10, 0.001, "holds"),
        ("better", "train = 20", 0.3, 0.2, 10, 0.00012, "fails"),
        ("faster", "", 1.0, 1.1, 10, 0.25, "undecided"),
        ("law", "split = 3", 2.0, 1.0, 1, None, "fails"),
    ]
    times = [("10", "SVM", "cpu_seconds", 1.0, None, 9.0, None, 1, 8.0, "differs")]
    files = {
        "tables/key/table_1.csv": (COLUMNS, cells),
        "tables/key/table_2.csv": (COLUMNS, times),
        "claims/key.csv": (CLAIM_COLUMNS, points),
    }
    for name, (columns, rows) in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        pd.DataFrame(rows, columns=columns).to_csv(path, index=False)
    return summary(
        str(tmp_path), "quick", {"key": PAPER}, {"key": CLAIMS}, own_data={}, data_provenance=[], reading={"seed": 7}
    )


def test_verdicts_are_counted(page):
    assert (
        "| paper | cells | match | compatible | close | within draws | differs | not run | unpublished | claims" in page
    )
    assert "| [key](#key) | 3 | 1 | 0 | 0 | 0 | 1 | 1 | 0 | 0 of 3 |" in page


def test_times_are_counted_apart(page):
    assert "Times, as ratios inside one table:" in page
    assert "| key | 1 | 0 | 0 | 0 | 0 | 1 | 0 | 0 |" in page
    assert "- table 2" not in page


def test_what_is_not_the_default_is_named(page):
    assert "smaller grids. Not the default reading: seed = 7.\n" in page


def test_a_cell_that_differs_is_shown_with_what_is_known(page):
    assert "- table 1, 20, SVM: 25.0 instead of 15\n" in page
    assert "- table 1: An explanation.\n" in page
    assert "[table 2](tables/key/table_2.md), [figure 2](figures/key/figure_2.png), [claims](claims/key.csv)" in page


def test_a_claim_says_where_it_does_not_hold(page):
    assert "| It is better. (section 1) | fails | train = 20: fails, p = 0.00012 |" in page
    assert "| It is faster. (section 2) | undecided | undecided, p = 0.25 |" in page
    assert "| It never grows. (section 4) | fails | split = 3: fails |" in page
    assert "| It was not run. (section 3) | not run |  |" in page
