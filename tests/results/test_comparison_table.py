"""A comparison's table and paragraph, against numbers computed by hand."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from marginfs.results.comparison_table import (
    comparison_markdown,
    comparison_paragraph,
    comparison_rows,
    comparison_table,
)
from marginfs.results.figures.critical_difference import comparison_frame, draw_comparison
from marginfs.study.figure_specs import FigureSpec
from marginfs.study.process import environment

SHOWN = {
    "labels": {"good": "Good", "random": "Random ranking", "sparse": "Sparse"},
    "papers": {"good": "aksu2008", "sparse": "klement2010"},
    "stability_size": 1,
}
ERRORS = {"good": 0.1, "random": 0.4, "sparse": 0.2}
SETS = ("heart", "sonar", "wdbc")


def evaluation(missing: str = "") -> pd.DataFrame:
    rows = []
    for place, source in enumerate(SETS):
        for split in range(4):
            for name, error in ERRORS.items():
                if (name, source) == ("good", missing):
                    continue
                best = 1 if name == "good" else split + 1
                rows += [
                    (name, split, source, "mean_error", 0, error + 0.01 * place),
                    (name, split, source, "test_error", 1, error + 0.05),
                    (name, split, source, "test_error", 2, error - 0.05),
                    (name, split, source, "columns", 0, 6.0),
                    (name, split, source, "rank", best, 1.0),
                ]
                if name == "sparse":
                    rows += [(name, split, source, "features", 0, 3.0), (name, split, source, "test_error", 0, 0.15)]
    return pd.DataFrame(rows, columns=["selector", "split", "source", "metric", "step", "value"])


@pytest.fixture
def timings() -> pd.DataFrame:
    rows = [(name, 0, s, "cpu_seconds", 0, 0.5 + place) for place, name in enumerate(ERRORS) for s in SETS]
    return pd.DataFrame(rows, columns=["selector", "split", "source", "metric", "step", "value"])


def test_every_column(timings):
    table = comparison_table(evaluation(), timings, SHOWN).set_index("selector")
    assert list(table.index) == ["Good", "Sparse", "Random ranking"]
    assert table["mean_rank"].tolist() == [1.0, 2.0, 3.0]
    assert table["mean_error"].tolist() == pytest.approx([0.11, 0.21, 0.41])
    assert table.loc["Good", "stability"] == 1.0
    assert table.loc["Sparse", "stability"] == pytest.approx(1 - 4 / 3 * 0.75 / 6 * 4 * 0.25 / (5 / 36), abs=1e-6)
    assert table["features_kept"].tolist() == pytest.approx([np.nan, 3.0, np.nan], nan_ok=True)
    assert table.loc["Sparse", "error_kept"] == 0.15
    assert table["cpu_seconds"].tolist() == [0.5, 2.5, 1.5]
    assert set(table["trials"]) == {4}


def test_a_data_set_that_one_selector_lacks_counts_for_none():
    table = comparison_table(evaluation(missing="sonar"), pd.DataFrame(columns=["selector", "source", "value"]), SHOWN)
    assert set(table["data_sets"]) == {2}
    assert table["cpu_seconds"].isna().all()


def test_the_paragraph_says_what_the_table_says(timings):
    made = evaluation()
    table = comparison_table(made, timings, SHOWN)
    text = comparison_paragraph(made, table, SHOWN)
    for words in (
        "3 selectors on 3 data sets with 4 splits each.",
        "Good has the best mean rank (1.0), then Sparse (2.0), Random ranking (3.0).",
        "Lowest mean error: Good, 11.0 %.",
        "A random ranking has 41.0 %; no selector ranks below it.",
        "Most stable in its best 1 features: Good (1.00).",
        "Slowest: Sparse, 2.50 s for a selection.",
    ):
        assert words in text
    page = comparison_markdown("Title", text, table, SHOWN)
    assert "| Sparse | klement2010 | 2.0 | 21.0 |" in page


@pytest.mark.parametrize(("label", "words"), [("good", "2 selectors rank below it"), ("sparse", "1 selector ranks")])
def test_the_paragraph_counts_who_ranks_below_chance(timings, label, words):
    made = evaluation()
    made["selector"] = made["selector"].replace({label: "random", "random": label})
    text = comparison_paragraph(made, comparison_table(made, timings, SHOWN), SHOWN)
    assert words in text


def test_without_data_there_is_nothing_to_say():
    empty = evaluation().iloc[:0]
    table = comparison_table(empty, empty, SHOWN)
    assert comparison_rows(table) == []
    assert comparison_paragraph(empty, table, SHOWN) == "No data set was run for all selectors."


@pytest.mark.parametrize(
    "made", [evaluation(), evaluation().iloc[:0], pd.DataFrame()], ids=["full", "empty", "no file"]
)
def test_the_figure_is_drawn_with_and_without_data(made):
    spec = FigureSpec(title="Title", options=SHOWN)
    frame = comparison_frame(spec, made)
    figure = draw_comparison(spec, frame)
    words = {text.get_text() for part in figure.subfigs for ax in part.axes for text in ax.texts}
    assert ("Good (1.0)" in words) == bool(len(frame))
    assert any("not run" in word for word in words) != bool(len(frame))


RANKS = """
import numpy as np, pandas as pd
from matplotlib.figure import Figure
from marginfs.results.figures.critical_difference import _draw_ranks
from marginfs.results.rank_tests import rank_test

errors = pd.DataFrame(np.random.default_rng(0).random((4, 9)), columns=[f"selector {k}" for k in range(9)])
ax = Figure().subplots()
_draw_ranks(ax, rank_test(errors))
print([line.get_xdata().tolist() for line in ax.lines])
"""


def test_two_jobs_draw_the_same_lines():
    """The library that draws them goes through sets of names."""
    others = {name: value for name, value in os.environ.items() if name != "PYTHONHASHSEED"}
    command = [sys.executable, "-c", RANKS]
    runs = [subprocess.run(command, env=others | environment(), capture_output=True, check=True) for _ in range(2)]
    assert runs[0].stdout == runs[1].stdout
