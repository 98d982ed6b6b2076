"""Tuning chooses the best mean over folds, and breaks ties as it says."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from marginfs.data.load import Prepared, load_inner_splits
from marginfs.evaluation.ranking_curve import ranking_curve
from marginfs.selectors.backward_elimination import backward_elimination
from marginfs.study.protocol import Evaluation, Plan, Selector, Tuning
from marginfs.study.streams import streams
from marginfs.study.tuning import choose
from marginfs.study.unit_jobs import select, tune

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


def curve(*folds: dict[int, float]) -> list[dict]:
    """Scores by number of features, at C = 1 and, worse everywhere, at C = 2."""
    return [
        {
            "split": 0,
            "point": {},
            "fold": fold,
            "scores": [[{"C": C, "size": n}, value + C - 1] for C in (1, 2) for n, value in values.items()],
        }
        for fold, values in enumerate(folds)
    ]


def test_the_smallest_number_of_features_within_one_standard_error():
    folds = [
        {1: 0.30, 2: 0.15, 5: 0.10, 10: 0.13},
        {1: 0.28, 2: 0.17, 5: 0.12, 10: 0.11},
        {1: 0.4, 2: 0.1, 5: 0.2, 10: 0.3},
    ]
    error = np.std([0.10, 0.12, 0.2], ddof=1) / np.sqrt(3)
    assert 0.14 <= 0.14 + error < 0.3
    sized = Tuning({}, None, 3, "test_error", "min", {}, {"C": [1, 2]}, "one_standard_error")
    (found,) = choose(sized, curve(*folds))
    assert found["options"] == {"C": 1, "size": 2}
    assert found["score"] == pytest.approx(0.14)
    lonely = Tuning({}, None, None, "test_error", "min", {}, {"C": [1, 2]}, "one_standard_error")
    assert next(choose(lonely, curve(folds[0])))["options"] == {"C": 1, "size": 5}
    best = Tuning({}, None, 3, "test_error", "min", {}, {"C": [1, 2]}, "best")
    assert next(choose(best, curve({1: 0.1, 2: 0.3}, {1: 0.3, 2: 0.2}, {1: 0.3, 2: 0.1})))["options"]["size"] == 2


PLAN = Plan(
    "own",
    "ranking",
    1,
    {"source": "mine", "split": {"kind": "stratified", "train": 0.6}, "normalise": ["standardise"]},
    {},
    {},
)
EVALUATION = Evaluation("marginfs.evaluation.ranking_curve:ranking_curve", {"slack": "l2"}, ("size", "C"))


class Mine:
    """A data set of 40 points; whatever is asked about it."""

    available = True

    def __init__(self) -> None:
        rng = np.random.default_rng(5)
        self.y = np.where(np.arange(40) % 2, 1, -1)
        self.X = rng.standard_normal((40, 7))
        self.X[:, 3] += self.y


def test_the_choice_is_that_of_the_inner_folds_and_never_sees_the_test_part():
    tuning = Tuning({"C": [0.1, 10.0]}, "C", 3, "test_error", "min", {"C": "smallest"}, {}, "one_standard_error")
    selector = Selector("rfe", "marginfs.selectors.backward_elimination:backward_elimination", {}, tuning)
    mine, prepared = Mine(), Prepared({})
    prepared._loaded["mine"] = mine
    trials = list(tune(PLAN, selector, EVALUATION, 0, 3, prepared))
    random = functools.partial(streams, 1, "own", "ranking", "mine[]")
    inner = load_inner_splits(PLAN.data, 0, random, prepared, folds=3)
    errors = {
        (C, m.step): []
        for C in (0.1, 10.0)
        for m in ranking_curve(backward_elimination(inner[0].X_train, inner[0].y_train, rng=None, C=C), inner[0], C=C)
        if m.metric == "test_error"
    }
    for data in inner:
        for C in (0.1, 10.0):
            ranking = backward_elimination(data.X_train, data.y_train, rng=None, C=C)
            for measure in ranking_curve(ranking, data, C=C, slack="l2"):
                if measure.metric == "test_error":
                    errors[C, measure.step].append(measure.value)
    assert [[(o["C"], o["size"]), v] for t in trials for o, v in t["scores"]] == [
        [key, values[fold]] for fold in range(3) for key, values in errors.items()
    ]
    (chosen,) = choose(tuning, trials)
    best = min(np.mean(values) for values in errors.values())
    at, values = next((key, values) for key, values in errors.items() if np.isclose(np.mean(values), best))
    enough = best + np.std(values, ddof=1) / np.sqrt(3) + 1e-12
    sizes = [size for (C, size), values in errors.items() if at[0] == C and np.mean(values) <= enough]
    assert chosen["options"] == {"C": at[0], "size": min(sizes)}
    (record,) = select(PLAN, selector, 0, 1, prepared, [chosen])
    assert record["tuned"] == chosen["options"]


def test_options_of_the_evaluation_alone_need_no_further_selection():
    calls = []

    def counted(X, y, *, rng):
        calls.append(len(y))
        return backward_elimination(X, y, rng=rng, C=1.0)

    tuning = Tuning({}, None, 3, "test_error", "min", {}, {"C": [0.1, 1.0, 10.0]}, "one_standard_error")
    prepared = Prepared({})
    prepared._loaded["mine"] = Mine()
    globals()["counted"] = counted
    trials = list(tune(PLAN, Selector("a", f"{__name__}:counted", {}, tuning), EVALUATION, 0, 3, prepared))
    assert calls == [16, 16, 16]
    assert {options["C"] for options, _ in trials[0]["scores"]} == {0.1, 1.0, 10.0}
