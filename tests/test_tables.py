"""Tables: the tidy cells, the paper's layout, and what is missing or new."""

from __future__ import annotations

import pandas as pd
import pytest

from marginfs.tables import build_table, caption, to_latex, to_markdown

SPEC = {
    "title": "Test error",
    "metric": "test_error",
    "unit": "%",
    "rows": {"by": "train", "title": "n"},
    "columns": {"by": "selector", "labels": {"svm": "SVM", "sfm": "SFM"}},
}
PUBLISHED = pd.DataFrame(
    [("20", "SVM", "28.8", "2.2"), ("20", "SFM", "17.5", None), ("50", "SVM", "19.0", "1.9")],
    columns=["row", "column", "value", "spread"],
)


def evaluation() -> pd.DataFrame:
    rows = [
        ("svm", 0, 20, "test_error", 0, 0.28),
        ("svm", 1, 20, "test_error", 0, 0.30),
        ("sfm", 0, 20, "test_error", 0, 0.30),
        ("sfm", 1, 20, "test_error", 0, 0.31),
        ("sfm", 0, 50, "test_error", 0, 0.05),
        ("sfm", 1, 50, "test_error", 0, 0.07),
        ("other", 0, 20, "test_error", 0, 0.5),
        ("svm", 0, 20, "features", 0, 202.0),
        ("svm", 0, 20, "test_error", 3, 0.9),
    ]
    return pd.DataFrame(rows, columns=["selector", "split", "train", "metric", "step", "value"])


@pytest.fixture
def table() -> pd.DataFrame:
    return build_table(SPEC, evaluation(), PUBLISHED, trials=100)


def test_cells_in_the_papers_order_then_ours(table):
    assert list(zip(table["row"], table["column"], table["verdict"], strict=True)) == [
        ("20", "SVM", "match"),
        ("20", "SFM", "differs"),
        ("50", "SVM", "not run"),
        ("50", "SFM", "unpublished"),
    ]


def test_numbers_are_percentages_with_sample_spread(table):
    cell = table.iloc[0]
    assert (cell["reproduced"], cell["trials"], cell["difference"]) == (pytest.approx(29.0), 2, pytest.approx(0.2))
    assert cell["reproduced_spread"] == pytest.approx(2**0.5)


def test_layouts_mirror_the_paper(table):
    markdown = to_markdown(table, SPEC, caption(SPEC, "1", "p", "quick", table, 100))
    assert "| n | SVM | SFM |" in markdown
    assert "| 20 | 29.0 ± 1.4 [28.8 ± 2.2] = | 30.5 ± 0.7 [17.5] ≠ |" in markdown
    assert "| 50 | [19.0 ± 1.9] – | 6.0 ± 1.4 new |" in markdown
    assert "Fidelity quick: 2 trials; published: 100; 1 cells not run." in markdown
    latex = to_latex(table, SPEC, "5 % of a_b")
    assert r"20 & 29.0 $\pm$ 1.4 [28.8 $\pm$ 2.2] $=$ & 30.5 $\pm$ 0.7 [17.5] $\neq$ \\" in latex
    assert r"\caption{5 \% of a\_b}" in latex
