"""Backward elimination: step rules, ranking and trace, on models whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginfs.errors import ConfigError
from marginfs.searches.backward import constant, eliminate, halving, percentage, step_rule, step_sizes


class Fixed:
    """A model in which every feature has a worth of its own."""

    def __init__(self, worth):
        self.worth = np.asarray(worth, dtype=float)
        self.features = np.arange(self.worth.size)

    def remove(self, positions):
        self.features = np.delete(self.features, positions)


def own_worth(model):
    return model.worth[model.features]


def test_step_rules():
    assert step_sizes(7, constant(3)).tolist() == [3, 3, 1]
    assert step_sizes(10, percentage(0.5)).tolist() == [5, 2, 1, 1, 1]
    assert step_sizes(2000, halving(100))[:5].tolist() == [1000, 500, 250, 125, 25]
    assert set(step_sizes(2000, halving(100))[5:]) == {1}
    assert step_sizes(5, halving(100)).tolist() == [1] * 5


@given(st.integers(1, 300), st.sampled_from([1, 7, 0.1, 0.9, "halving"]), st.integers(1, 40))
def test_every_rule_removes_every_feature_once(total, step, floor):
    sizes = step_sizes(total, step_rule(step, floor))
    assert sizes.sum() == total
    assert sizes.min() >= 1


@pytest.mark.parametrize("step", [0, -1, 1.5, 0.0, "half", True])
def test_bad_steps_are_named(step):
    with pytest.raises(ConfigError, match="step is"):
        step_rule(step, 100)


@given(st.permutations(range(12)), st.sampled_from([1, 5, 0.3, "halving"]))
def test_ranking_orders_fixed_worths(worth, step):
    selection = eliminate(Fixed(worth), own_worth, step=step_rule(step, 4))
    np.testing.assert_array_equal(selection.ranking, np.argsort(worth)[::-1])
    np.testing.assert_array_equal(selection.trace["relevance"], np.arange(12))


def test_trace_says_what_went_when():
    selection = eliminate(
        Fixed([3, 1, 2, 0]), own_worth, step=constant(2), value=lambda model: float(own_worth(model).sum())
    )
    assert selection.trace["removed"].tolist() == [3, 1, 2, 0]
    assert selection.trace["retained"].tolist() == [4, 4, 2, 2]
    assert selection.trace["value"].tolist() == [6, 6, 5, 5]
