"""Tuning chooses the best mean over folds, and breaks ties as it says."""

from __future__ import annotations

import pytest

from marginfs.study.protocol import Tuning
from marginfs.study.tuning import choose

GRID = {"mu": [1.0, 4.0], "C": [0.5, 1.0, 2.0]}


def tuning(goal: str = "min", ties: dict | None = None, sweep: str | None = "C", folds: int | None = 2) -> Tuning:
    return Tuning(GRID, sweep, folds, "test_error", goal, ties or {})


def records(scores: dict[float, list[list[float]]], split: int = 0) -> list[dict]:
    """What the unit jobs write: fold by fold, then mu by mu, all C inside. scores: mu -> fold -> one value per C."""
    return [
        {
            "split": split,
            "point": {"train": 20},
            "fold": fold,
            "scores": [[{"mu": mu, "C": C}, value] for C, value in zip(GRID["C"], scores[mu][fold], strict=True)],
        }
        for fold in range(2)
        for mu in GRID["mu"]
    ]


def test_the_lowest_mean_over_the_folds_wins():
    scores = {1.0: [[0.3, 0.2, 0.5], [0.3, 0.2, 0.1]], 4.0: [[0.1, 0.9, 0.9], [0.5, 0.9, 0.9]]}
    (found,) = choose(tuning(), records(scores))
    assert found == {
        "split": 0,
        "point": {"train": 20},
        "options": {"mu": 1.0, "C": 1.0},
        "score": pytest.approx(0.2),
        "tied": 1,
    }
    (found,) = choose(tuning("max"), records(scores))
    assert found["options"] == {"mu": 4.0, "C": 1.0}


@pytest.mark.parametrize(
    ("ties", "options"),
    [
        ({}, {"mu": 1.0, "C": 0.5}),
        ({"mu": "largest", "C": "smallest"}, {"mu": 4.0, "C": 1.0}),
        ({"C": "smallest", "mu": "largest"}, {"mu": 1.0, "C": 0.5}),
        ({"C": "largest"}, {"mu": 1.0, "C": 2.0}),
    ],
)
def test_ties_are_broken_in_the_stated_order(ties, options):
    scores = {1.0: [[0.1, 0.2, 0.1], [0.2, 0.2, 0.2]], 4.0: [[0.4, 0.2, 0.4], [0.4, 0.1, 0.4]]}
    (found,) = choose(tuning(ties=ties), records(scores))
    assert (found["options"], found["tied"]) == (options, 3)


def test_sums_in_another_order_are_still_ties():
    scores = {1.0: [[0.1, 1.0, 1.0], [0.3, 1.0, 1.0]], 4.0: [[0.3, 1.0, 1.0], [0.1 + 1e-16, 1.0, 1.0]]}
    (found,) = choose(tuning(ties={"mu": "largest"}), records(scores))
    assert found["options"]["mu"] == 4.0


def test_every_unit_gets_a_line_and_missing_data_says_so():
    scores = {1.0: [[0.1, 0.2, 0.3]] * 2, 4.0: [[0.2, 0.3, 0.4]] * 2}
    missing = [{"split": 1, "point": {}, "fold": 0, "missing": "no file"}] * 4
    found = list(choose(tuning(), [*records(scores), *missing, *records(scores, split=2)]))
    assert [record["split"] for record in found] == [0, 1, 2]
    assert found[1]["missing"] == "no file"
