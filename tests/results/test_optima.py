"""Optima of mean curves: of all splits, of each shuffled k-fold, of every split."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from marginfs.results.optima import at_optimum, flat_places
from marginfs.study.table_parts import Metric, Optimum

METRICS = [Metric("cost"), Metric("features"), Metric("accuracy")]
COST = {0: [5.0, 1.0, 4.0], 1: [5.0, 6.0, 3.0], 2: [1.0, 9.0, 2.0], 3: [2.0, 9.0, 2.5]}
"""Split -> cost at the steps 10, 20, 30; the accuracy is 100 less the cost."""


def curves(cost=COST) -> pd.DataFrame:
    rows = []
    for split, values in cost.items():
        for step, value in zip((10, 20, 30), values, strict=False):
            rows += [(split, "cost", step, value), (split, "accuracy", step, 100.0 - value)]
        rows.append((split, "cost", 0, -1.0))
    return pd.DataFrame(rows, columns=["split", "metric", "step", "value"])


def test_all_splits_make_one_curve():
    """Means 3.25, 6.25, 2.875: the optimum is at 30, though three of four splits have theirs elsewhere."""
    found = at_optimum(curves(), Optimum("cost", "features"), METRICS)
    assert (found["features"].mean, found["features"].spread, found["features"].trials) == (30.0, None, 1)
    assert (found["cost"].mean, found["cost"].trials) == (2.875, 4)
    assert found["cost"].spread == pytest.approx(np.std([4.0, 3.0, 2.0, 2.5], ddof=1))
    assert found["accuracy"].mean == pytest.approx(97.125)
    assert found["features"].redrawn
    assert not found["cost"].redrawn


def test_each_k_splits_make_one_curve():
    """Splits 0 and 1 have means 5, 3.5, 3.5 (the first wins the tie), splits 2 and 3 1.5, 9, 2.25."""
    found = at_optimum(curves(), Optimum("cost", "features", per=2), METRICS)
    assert (found["features"].mean, found["features"].trials, found["features"].redrawn) == (15.0, 2, True)
    assert found["features"].spread == pytest.approx(np.std([20, 10], ddof=1))
    assert (found["cost"].mean, found["cost"].trials) == (2.5, 2)


def test_every_split_has_its_own_optimum():
    found = at_optimum(curves(), Optimum("cost", "features", per=1), METRICS)
    assert found["cost"].mean == pytest.approx(np.mean([1.0, 3.0, 1.0, 2.0]))
    assert found["features"].mean == pytest.approx(np.mean([20, 30, 10, 10]))
    assert not found["features"].redrawn


def test_a_metric_may_have_its_own_curves():
    metrics = [Metric("cost", per=1), Metric("features")]
    found = at_optimum(curves(), Optimum("cost", "features"), metrics)
    assert found["cost"].mean == pytest.approx(np.mean([1.0, 3.0, 1.0, 2.0]))
    assert found["features"].mean == 30.0


def test_a_guess_of_the_place_and_by_how_much_it_misses():
    """The optima are at 20 and 10 of 40, the guesses 0.25 and 0.75, 0.5 and 0.5."""
    guesses = pd.DataFrame([(split, "guess", 0, value) for split, value in enumerate([0.25, 0.75, 0.5, 0.5])])
    part = pd.concat([curves(), guesses.set_axis(["split", "metric", "step", "value"], axis=1)])
    optimum = Optimum("cost", "share", per=2, total=40, guess="guess", miss="missed")
    found = at_optimum(part, optimum, [Metric("share"), Metric("guess"), Metric("missed")])
    assert (found["share"].mean, found["guess"].mean) == (0.375, 0.5)
    assert found["missed"].mean == pytest.approx(np.mean([0.0, 0.25]))


def test_the_largest_value():
    found = at_optimum(curves(), Optimum("accuracy", "features", goal="max"), METRICS)
    assert found["features"].mean == 30.0


def test_only_steps_that_all_splits_have_count():
    """Split 3 stopped early: its missing step 30 must not leave a mean of the others."""
    found = at_optimum(curves({**COST, 3: [2.0, 9.0]}), Optimum("cost", "features"), METRICS)
    assert found["features"].mean == 10.0


def test_an_incomplete_fold_is_left_out_unless_it_is_all_there_is():
    found = at_optimum(curves(), Optimum("cost", "features", per=3), METRICS)
    assert found["cost"].trials == 3
    assert at_optimum(curves(), Optimum("cost", "features", per=7), METRICS)["cost"].trials == 4


def test_nothing_where_nothing_was_measured():
    assert at_optimum(curves().iloc[:0], Optimum("cost", "features", per=2), METRICS) == {}
    found = at_optimum(curves(), Optimum("cost", "features"), [Metric("margin"), Metric("cost")])
    assert list(found) == ["cost"]


def test_places_that_a_flat_curve_does_not_tell_apart():
    """Means 3.25, 6.25, 2.875 at the steps 10, 20, 30."""
    assert flat_places(curves(), Optimum("cost", "features", flat=0.1)) == [30]
    assert flat_places(curves(), Optimum("cost", "share", flat=0.4, total=10)) == [1.0, 3.0]
    assert flat_places(curves(), Optimum("accuracy", "features", goal="max", flat=0.4)) == [10, 30]
