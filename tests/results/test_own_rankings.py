"""Rankings of own data: features that a trial did not rank are tied there."""

from __future__ import annotations

import pandas as pd
import pytest

from marginfs.results.own_rankings import COLUMNS, ranking_markdown, ranking_table

NAMES = ["a", "b", "c", "d", "e"]


def evaluation(**rankings) -> pd.DataFrame:
    """Selector -> the ranked columns of every split."""
    rows = [
        (selector, split, "rank", column, float(place))
        for selector, splits in rankings.items()
        for split, columns in enumerate(splits)
        for place, column in enumerate(columns, 1)
    ]
    rows.append(("sfm", 0, "test_error", 1, 0.3))
    return pd.DataFrame(rows, columns=["selector", "split", "metric", "step", "value"])


@pytest.fixture
def table() -> pd.DataFrame:
    return ranking_table(evaluation(sfm=[[3], [3, 5]], rfe=[[1, 2, 3, 4, 5], [1, 2, 3, 5, 4]]), NAMES)


def test_unranked_features_share_one_rank(table):
    """One of five ranked leaves 2..5, mean 3.5; two of five leave 3..5, mean 4."""
    sfm = table[table["selector"] == "sfm"].set_index("feature")
    assert list(table.columns) == COLUMNS
    assert sfm["mean_rank"].to_dict() == {"c": 1.0, "e": 2.75, "a": 3.75, "b": 3.75, "d": 3.75}
    assert sfm["place"].to_dict() == {"c": 1, "e": 2, "a": 3, "b": 3, "d": 3}
    assert sfm["times_in_top_10"].to_dict() == {"c": 2, "e": 1, "a": 0, "b": 0, "d": 0}


def test_trials_that_rank_nothing_count():
    """In split 1 nothing was ranked: all five features have the rank 3 there."""
    data = evaluation(sfm=[[3]])
    data.loc[len(data)] = ("sfm", 1, "test_error", 1, 0.4)
    data.loc[len(data)] = ("all", 0, "test_error", 1, 0.4)
    table = ranking_table(data, NAMES).set_index(["selector", "feature"])
    assert table.loc[("sfm", "c"), ["mean_rank", "times_in_top_10", "trials"]].tolist() == [2.0, 1, 2]
    assert set(table.loc["all", "mean_rank"]) == {3.0}
    assert set(table.loc["all", "place"]) == {1}


def test_complete_rankings_are_as_they_were(table):
    rfe = table[table["selector"] == "rfe"].set_index("feature")
    assert rfe["mean_rank"].to_dict() == {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.5, "e": 4.5}
    assert set(rfe["times_ranked"]) == {2}


def test_mean_ranks_do_not_depend_on_the_order_of_columns(table):
    renamed = ranking_table(evaluation(sfm=[[5], [5, 1]]), list("vwxyz")).set_index("feature")["mean_rank"]
    assert sorted(renamed) == sorted(table[table["selector"] == "sfm"]["mean_rank"])


def test_markdown_says_what_is_tied(table):
    text = ranking_markdown(table, "mine")
    assert "| sfm | rfe |" in text
    assert "| 1. c (1.0) | 1. a (1.0) |" in text
    assert "|  | 3. c (3.0) |" in text
    assert "sfm: 3 features that it ranked in no trial are tied and not shown." in text
    assert "rfe:" not in text
