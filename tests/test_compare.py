"""Verdicts as DESIGN.md defines them, and claims by a paired test."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginfs.claims import check_claim, overall
from marginfs.compare import Estimate, verdict


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
    assert verdict(published, reproduced, decimals=1, unit=unit) == expected


@given(st.floats(0, 100), st.floats(0, 100), st.floats(0.01, 20), st.integers(2, 200))
def test_match_is_the_published_interval(m_p, m_r, spread, trials):
    inside = abs(m_p - m_r) <= max(2.58 * math.sqrt(2 * spread**2 / trials), 0.05)
    result = verdict(Estimate(m_p, spread, trials), Estimate(m_r, spread, trials), decimals=1)
    assert (result == "match") == inside or abs(m_p - m_r) == pytest.approx(2.58 * math.sqrt(2 * spread**2 / trials))


def evaluation(sfm_minus_svm: float, trials: int = 30) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    rows = []
    for split in range(trials):
        level = rng.normal(0.3, 0.2)
        for train in (20, 50):
            rows.append(("svm", split, train, "test_error", 0, level))
            rows.append(("sfm", split, train, "test_error", 0, level + sfm_minus_svm + 0.01 * (-1) ** split))
    return pd.DataFrame(rows, columns=["selector", "split", "train", "metric", "step", "value"])


CLAIM = {
    "id": "c",
    "metric": "test_error",
    "lower": {"selector": "sfm"},
    "higher": {"selector": "svm"},
    "at": {"train": "all"},
}


@pytest.mark.parametrize(("shift", "expected"), [(-0.05, "holds"), (0.05, "fails"), (0.0, "undecided")])
def test_claim_is_tested_on_pairs_of_the_same_split(shift, expected):
    """The splits differ by far more than the selectors: only a paired test sees the shift."""
    points = check_claim(CLAIM, evaluation(shift))
    assert points["at"].tolist() == ["train = 20", "train = 50"]
    assert overall(list(points["verdict"])) == expected


def test_factor_scales_a_side():
    claim = {**CLAIM, "lower": {"selector": "svm"}, "higher": {"selector": "sfm", "factor": 0.5}}
    assert set(check_claim(claim, evaluation(0.0))["verdict"]) == {"fails"}


def test_equal_values_decide_nothing_and_a_constant_gap_decides():
    same = evaluation(0.0)
    same["value"] = 1.0
    assert set(check_claim(CLAIM, same)["verdict"]) == {"undecided"}
    same.loc[same["selector"] == "sfm", "value"] = 0.5
    assert set(check_claim(CLAIM, same)["verdict"]) == {"holds"}


def test_a_claim_that_was_not_run_has_no_points():
    empty = check_claim({**CLAIM, "at": {"train": [500]}}, evaluation(0.0))
    assert len(empty) == 0
    assert overall([]) == "undecided"
