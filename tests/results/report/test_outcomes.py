"""What came back, in numbers and words."""

from __future__ import annotations

from collections import Counter

import pandas as pd
import pytest

from marginfs.results.report.outcomes import Outcome, outcome_of, shares


@pytest.mark.parametrize(
    ("cells", "claims", "label"),
    [
        ({"match": 95, "differs": 5}, {}, "Came back"),
        ({"match": 94, "differs": 6}, {}, "Mostly came back"),
        ({"close": 1, "within draws": 1, "differs": 2}, {}, "Partly came back"),
        ({"match": 1, "differs": 9}, {}, "Did not come back"),
        ({"match": 9, "compatible": 10}, {}, "Too early to tell"),
        ({"not run": 3}, {"holds": 3}, "Too early to tell"),
        ({}, {"holds": 8, "fails": 1, "undecided": 2}, "Mostly came back"),
        ({}, {"undecided": 2}, "Too early to tell"),
        ({}, {}, "Too early to tell"),
    ],
)
def test_label_follows_the_decided_share(cells, claims, label):
    assert Outcome(cells=Counter(cells), claims=Counter(claims)).label == label


def test_sentence_names_everything_that_did_not_come_back():
    outcome = Outcome(
        cells=Counter({"match": 2, "close": 1, "compatible": 4, "differs": 1, "not run": 5}),
        claims=Counter({"holds": 3, "fails": 1, "undecided": 2, "not run": 1}),
    )
    assert outcome.sentence == (
        "3 of 13 printed numbers match or are close, 4 compatible, but too few trials to tell, 1 differs, 5 not run; "
        "3 of 7 claims hold, 1 fails, 2 undecided, 1 not run."
    )


def test_tables_that_were_not_made_are_not_a_paper_without_numbers():
    printed = pd.DataFrame({"verdict": ["match"], "published": [1.0]})
    assert outcome_of([], [], None).sentence == "The paper prints no numbers."
    nothing = outcome_of([(None, False), (None, True)], ["a"], pd.DataFrame({"claim": ["a"], "verdict": ["holds"]}))
    assert nothing.sentence == "2 tables not made; 1 of 1 claims hold."
    assert nothing.label == "Too early to tell"
    part = outcome_of([(printed, False), (None, False)], [], None)
    assert part.sentence == "1 of 1 printed numbers match or are close, 1 table not made."


def test_times_and_our_own_numbers_are_counted_apart():
    lost_in_print = ("not run", None)
    cells = [("match", 1.0), ("differs", 2.0), ("unpublished", None), ("not run", 3.0), lost_in_print]
    values = pd.DataFrame(cells, columns=["verdict", "published"])
    times = pd.DataFrame({"verdict": ["differs"], "published": [1.0]})
    points = pd.DataFrame({"claim": ["a", "a", "b"], "verdict": ["holds", "fails", "undecided"]})
    outcome = outcome_of([(values, False), (times, True)], ["a", "b", "c"], points)
    assert outcome.cells == {"match": 1, "differs": 1, "not run": 1}
    assert outcome.ours == 1
    assert outcome.timings == {"differs": 1}
    assert outcome.claims == {"fails": 1, "undecided": 1, "not run": 1}


def test_a_bar_is_full():
    parts = shares(Counter({"differs": 1, "match": 3}))
    assert parts == [("match", 3, 75.0), ("differs", 1, 25.0)]
