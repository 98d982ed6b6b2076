"""Dynamic steps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginfs.errors import ConfigError
from marginfs.searches.backward import Progress, step_sizes
from marginfs.searches.step_rules import dynamic_rule, entropy_step


def counts(total, **options):
    """Numbers of features that an elimination visits."""
    sizes = step_sizes(total, dynamic_rule(**options))
    return (total - np.concatenate(([0], np.cumsum(sizes)[:-1]))).tolist()


def test_each_rule():
    assert step_sizes(30, dynamic_rule("square_root"))[:3].tolist() == [5, 5, 4]
    assert step_sizes(60, dynamic_rule("annealing")).tolist()[:4] == [30, 10, 5, 3]
    assert step_sizes(30, dynamic_rule("all")).tolist() == [30]
    assert step_sizes(7, dynamic_rule(3)).tolist() == [3, 3, 1]
    assert step_sizes(10, dynamic_rule(0.5)).tolist() == [5, 2, 1, 1, 1]


@pytest.mark.parametrize(
    ("total", "options", "printed"),
    [
        (
            300,
            {"percentage": 0.2, "centre": 100, "minimum": 5},
            {11, 37, 47, 55, 62, 78, 83, 88, 98, 108, 113, 123, 143},
        ),
        (300, {"percentage": 0.08, "centre": 100, "minimum": 2}, {102, 104, 106, 110, 132, 134, 145, 149, 157, 161}),
        (500, {"percentage": 0.08, "centre": 20, "minimum": 3}, {4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 34, 49, 61}),
    ],
)
def test_printed_numbers_of_features_lie_one_below_what_the_reflective_step_visits(total, options, printed):
    visited = counts(total, step="reflective", **options)
    assert printed <= {count - 1 for count in visited}


@given(st.integers(1, 400), st.sampled_from(["square_root", "annealing", "reflective", "all", "halving"]))
def test_every_rule_removes_every_feature_once(total, step):
    sizes = step_sizes(total, dynamic_rule(step, percentage=0.3, centre=50, minimum=2))
    assert sizes.sum() == total
    assert sizes.min() >= 1


def test_entropy_rule_drops_many_where_most_scores_are_near_zero_and_few_where_they_spread():
    spread = np.linspace(0.0, 1.0, 400)
    crowded = np.concatenate((np.logspace(-9, -7, 300), np.linspace(0.5, 1.0, 100)))
    assert entropy_step(Progress(400, 1, spread), 100) == 20
    dropped = entropy_step(Progress(400, 1, crowded), 100)
    assert 20 < dropped <= 200
    assert entropy_step(Progress(100, 1, spread[:100]), 100) == 1
    assert entropy_step(Progress(400, 1, np.ones(400)), 100) >= 1


@pytest.mark.parametrize("step", [0, 1.5, -3, "quick"])
def test_bad_steps_are_named(step):
    with pytest.raises(ConfigError, match="step is"):
        dynamic_rule(step)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"percentage": 1.5}, "percentage is 1.5"), ({"minimum": 0}, "minimum is 0"), ({"centre": -1}, "centre -1")],
)
def test_bad_reflections_are_named(options, message):
    with pytest.raises(ConfigError, match=message):
        dynamic_rule("reflective", **options)


@pytest.mark.parametrize("step", ["halving", "entropy"])
def test_a_bad_floor_is_named(step):
    with pytest.raises(ConfigError, match="floor is 0: write a whole number"):
        dynamic_rule(step, floor=0)
