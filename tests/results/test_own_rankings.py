"""Rankings of own data: features that a selector does not rank are tied."""

from __future__ import annotations

import pandas as pd
import pytest

from marginfs.results.own_rankings import COLUMNS, ranking_markdown, ranking_table

NAMES = ["a", "b", "c", "d", "e"]


def evaluation(size: int = 2, **rankings) -> pd.DataFrame:
    """Selector -> the ranked columns of every split, `size` of which are chosen."""
    rows = [
        (selector, split, "rank", column, float(place))
        for selector, splits in rankings.items()
        for split, columns in enumerate(splits)
        for place, column in enumerate(columns, 1)
    ]
    rows += [(name, split, "tuned_size", 0, size) for name, splits in rankings.items() for split in range(len(splits))]
    return pd.DataFrame(rows, columns=["selector", "split", "metric", "step", "value"])


@pytest.fixture
def table() -> pd.DataFrame:
    final = evaluation(sfm=[[3, 5]], rfe=[[2, 1, 3, 4, 5]], size=1)
    return ranking_table(final, evaluation(sfm=[[3], [3, 5]], rfe=[[1, 2, 3, 4, 5], [1, 2, 3, 5, 4]]), NAMES)


def test_places_are_those_of_all_rows_and_unranked_features_share_one(table):
    assert list(table.columns) == COLUMNS
    places = table.set_index(["selector", "feature"])["place"]
    assert places["sfm"].to_dict() == {"c": 1, "e": 2, "a": 3, "b": 3, "d": 3}
    assert places["rfe"].to_dict() == {"b": 1, "a": 2, "c": 3, "d": 4, "e": 5}
    assert table[table["chosen"]][["selector", "feature"]].to_numpy().tolist() == [["sfm", "c"], ["rfe", "b"]]


def test_unranked_features_share_one_mean_rank(table):
    """One of five ranked leaves 2..5, mean 3.5; two of five leave 3..5, mean 4."""
    sfm = table[table["selector"] == "sfm"].set_index("feature")
    assert sfm["mean_rank"].to_dict() == {"c": 1.0, "e": 2.75, "a": 3.75, "b": 3.75, "d": 3.75}
    assert sfm["times_chosen"].to_dict() == {"c": 2, "e": 1, "a": 0, "b": 0, "d": 0}


def test_trials_that_rank_nothing_count():
    """In split 1 nothing was ranked: all five features have the rank 3 there."""
    table = ranking_table(evaluation(sfm=[[3]]), evaluation(sfm=[[3], []]), NAMES).set_index("feature")
    assert table.loc["c", ["mean_rank", "times_chosen", "trials"]].tolist() == [2.0, 1, 2]


def test_complete_rankings_are_as_they_were(table):
    rfe = table[table["selector"] == "rfe"].set_index("feature")
    assert rfe["mean_rank"].to_dict() == {"b": 2.0, "a": 1.0, "c": 3.0, "d": 4.5, "e": 4.5}
    assert rfe["times_chosen"].to_dict() == {"b": 2, "a": 2, "c": 0, "d": 0, "e": 0}


def test_mean_ranks_do_not_depend_on_the_order_of_columns(table):
    renamed = ranking_table(evaluation(sfm=[[5]]), evaluation(sfm=[[5], [5, 1]]), list("vwxyz"))
    assert sorted(renamed["mean_rank"]) == sorted(table[table["selector"] == "sfm"]["mean_rank"])


def test_markdown_says_what_is_tied(table):
    text = ranking_markdown(table, "mine")
    assert "| sfm: 1 chosen | rfe: 1 chosen |" in text
    assert "| 1. c (2) | 1. b (2) |" in text
    assert "|  | 3. c (0) |" in text
    assert "many of 2 splits" in text
    assert "sfm: 3 features that it does not rank are tied and not shown." in text
    assert "rfe: 0" not in text
