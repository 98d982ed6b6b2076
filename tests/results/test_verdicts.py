"""Verdicts as DESIGN.md defines them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginfs.results.latex_tables import SIGNS
from marginfs.results.layouts import MARKS
from marginfs.results.verdicts import VERDICTS, Estimate, closeness, verdict

TENTH = 0.05
"""Rounding of a number with one decimal."""


@pytest.mark.parametrize(
    ("published", "reproduced", "unit", "expected"),
    [
        (Estimate(10.0, 1.0, 100), Estimate(10.3, 1.0, 100), "%", "match"),
        (Estimate(10.0, 1.0, 100), Estimate(10.4, 1.0, 100), "%", "close"),
        (Estimate(10.0, 1.0, 100), Estimate(11.9, 1.0, 100), "%", "close"),
        (Estimate(10.0, 1.0, 100), Estimate(12.1, 1.0, 100), "%", "differs"),
        (Estimate(50.0, 1.0, 100), Estimate(54.9, 1.0, 100), "%", "close"),
        (Estimate(10.0, 1.0, 100), Estimate(11.9, 1.0, 100), "", "differs"),
        (Estimate(10.0, None, 100), Estimate(10.5, 2.0, 100), "%", "match"),
        (Estimate(10.0, None, 100), Estimate(10.04, 0.0, 1), "%", "match"),
    ],
)
def test_verdict(published, reproduced, unit, expected):
    assert verdict(published, reproduced, rounding=TENTH, unit=unit) == expected


@pytest.mark.parametrize("spread", [None, math.nan])
def test_a_single_trial_can_match(spread):
    assert verdict(Estimate(10.0, None, 100), Estimate(10.0, spread, 1), rounding=TENTH) == "match"
    assert verdict(Estimate(10.0, 5.0, 100), Estimate(11.2, spread, 1), rounding=TENTH) == "match"


def test_fewer_trials_and_too_wide_an_uncertainty_are_only_compatible():
    """39.5 against 50.0 at ten trials of a spread of 15: e = 12.8 > 2c = 10."""
    published = Estimate(50.0, 15.0, 100)
    assert verdict(published, Estimate(39.5, 15.0, 10), rounding=TENTH) == "compatible"
    assert verdict(published, Estimate(49.98, 15.0, 10), rounding=TENTH) == "compatible"
    assert verdict(published, Estimate(48.0, 15.0, 100), rounding=TENTH) == "match"
    assert verdict(published, Estimate(48.0, 3.0, 10), rounding=TENTH) == "match"


def test_accuracy_is_close_relative_to_its_error():
    assert closeness(60.0) == 6.0
    assert closeness(60.0, accuracy=True) == 4.0
    assert closeness(95.0, accuracy=True) == 2.0
    assert closeness(0.95, unit="", accuracy=True) == pytest.approx(0.005)
    assert verdict(Estimate(60.0, 0.0, 7), Estimate(65.0, 0.0, 7), rounding=TENTH) == "close"
    assert verdict(Estimate(60.0, 0.0, 7), Estimate(65.0, 0.0, 7), rounding=TENTH, accuracy=True) == "differs"


def test_other_draws_only_help_a_cell_that_differs():
    published, ours = Estimate(20.0, 0.0, 7), Estimate(30.0, 0.0, 7)
    assert verdict(published, ours, rounding=TENTH, draws=(18.0, 25.0)) == "within draws"
    assert verdict(published, ours, rounding=TENTH, draws=(21.0, 25.0)) == "differs"
    assert verdict(published, Estimate(21.0, 0.0, 7), rounding=TENTH, draws=(18.0, 25.0)) == "close"


def test_a_published_optimum_is_one_draw_of_the_redrawn_ones():
    """E = 2.58 * 10 sqrt(1 + 1/5) = 28.3 for redraws; 2.58 * 10 sqrt(2/5) = 16.3 for common trials."""
    published = Estimate(80.0, None, 7)
    assert verdict(published, Estimate(108.0, 10.0, 5, redrawn=True), rounding=0.5, unit="") == "match"
    assert verdict(published, Estimate(109.0, 10.0, 5, redrawn=True), rounding=0.5, unit="") == "differs"
    assert verdict(published, Estimate(108.0, 10.0, 5), rounding=0.5, unit="") == "differs"


@given(st.floats(0, 100), st.floats(0, 100), st.floats(0.01, 20), st.integers(2, 200))
def test_match_is_the_published_interval(m_p, m_r, spread, trials):
    allowed = 2.58 * math.sqrt(2 * spread**2 / trials)
    inside = abs(m_p - m_r) <= max(allowed, TENTH)
    result = verdict(Estimate(m_p, spread, trials), Estimate(m_r, spread, trials), rounding=TENTH)
    assert (result == "match") == inside or abs(m_p - m_r) == pytest.approx(allowed)


def test_every_verdict_has_its_marks():
    assert set(MARKS) == set(VERDICTS)
    assert all(sign.isascii() or sign in SIGNS for mark in MARKS.values() for sign in mark)
