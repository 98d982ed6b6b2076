"""Friedman's test and Nemenyi's against a textbook, scipy and scikit-posthocs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scikit_posthocs
from scipy import stats

from marginfs.results.rank_tests import nemenyi, rank_test

DEMSAR = pd.DataFrame(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.975, 0.9749],
        [0.957, 0.978, 0.946, 0.970],
    ],
    columns=["C4.5", "m", "cf", "m+cf"],
)
"""Table 6 of Demsar (2006); its ranks tell the last two of row 13 apart, which are printed alike."""


@pytest.fixture
def errors() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    return pd.DataFrame(rng.random((11, 6)) + 0.15 * np.arange(6), columns=list("abcdef"))


def test_the_example_of_demsar():
    test = rank_test(1.0 - DEMSAR)
    assert test.ranks.round(3).to_dict() == {"m+cf": 1.964, "m": 2.0, "cf": 2.893, "C4.5": 3.143}
    assert test.statistic == pytest.approx(3.69, abs=0.005)
    assert test.critical_difference == pytest.approx(1.25, abs=0.005)
    assert test.near("m+cf") == ["m", "cf", "C4.5"]


def test_friedman_is_that_of_scipy(errors):
    N, k = errors.shape
    chi2 = stats.friedmanchisquare(*errors.to_numpy().T).statistic
    test = rank_test(errors)
    assert test.statistic == pytest.approx((N - 1) * chi2 / (N * (k - 1) - chi2))
    assert 0.0 < test.p_value < 0.05


def test_nemenyi_is_that_of_scikit_posthocs(errors):
    test = rank_test(errors)
    theirs = scikit_posthocs.posthoc_nemenyi_friedman(errors)
    assert nemenyi(test).loc[errors.columns, errors.columns].to_numpy() == pytest.approx(theirs.to_numpy(), abs=1e-6)
    apart = nemenyi(test).lt(0.05)
    assert apart.to_numpy().any()
    for name in errors:
        assert {*test.near(name)} == {*apart.index[~apart[name]]} - {name}


def test_the_same_order_on_every_data_set_and_too_little_data():
    same = rank_test(pd.DataFrame([[0.1, 0.2, 0.3]] * 4))
    assert (same.statistic, same.p_value) == (float("inf"), 0.0)
    one = rank_test(pd.DataFrame([[0.1, 0.2, 0.3]]))
    assert np.isnan(one.p_value)
    assert np.isinf(one.critical_difference)
