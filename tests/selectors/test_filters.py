"""Mutual information and Relief against scikit-learn and the definition computed point by point."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import mutual_info_score

from marginfs.errors import ConfigError, DataError
from marginfs.selectors.mutual_information import mutual_information
from marginfs.selectors.relief import relief

RNG = np.random.default_rng(0)


def data(seed=0, classes=2):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((90, 6))
    y = rng.integers(classes, size=90)
    X[:, 3] += 1.5 * y
    X[:, 5] = 2.0
    return X, y


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("binning", ["width", "quantile"])
def test_information_is_that_of_the_contingency_table(classes, binning):
    X, y = data(1, classes)
    selection = mutual_information(X, y, rng=RNG, bins=7, binning=binning)
    for feature, value in zip(selection.ranking, selection.trace["relevance"], strict=True):
        x = X[:, feature]
        borders = np.linspace(x.min(), x.max(), 8)[1:-1] if binning == "width" else np.quantile(x, np.arange(1, 7) / 7)
        assert value == pytest.approx(mutual_info_score(np.digitize(x, borders), y), abs=1e-12)
    assert selection.ranking[0] == 3
    assert selection.trace["relevance"][-1] == 0.0


def test_relief_is_the_ratio_of_mean_distances():
    X, y = data(2)
    hit, miss = np.zeros(6), np.zeros(6)
    for i in range(90):
        distance = np.linalg.norm(X - X[i], axis=1)
        distance[i] = np.inf
        near = lambda mask, distance=distance: np.flatnonzero(mask)[np.argmin(distance[mask])]  # noqa: E731
        hit += np.abs(X[i] - X[near((y == y[i]) & (distance < np.inf))]) / 90
        miss += np.abs(X[i] - X[near(y != y[i])]) / 90
    selection = relief(X, y, rng=RNG)
    expected = np.where(miss > 0, miss / np.where(hit > 0, hit, 1.0), 0.0)
    np.testing.assert_allclose(selection.trace["relevance"], expected[selection.ranking])
    assert selection.ranking[0] == 3
    assert selection.ranking[-1] == 5


def test_duplicates_of_opposite_class_give_no_nan():
    X, y = data(3)
    selection = relief(np.r_[X, X], np.r_[y, 1 - y], rng=RNG)
    assert not np.isnan(selection.trace["relevance"]).any()


def test_bad_input_is_refused_in_words():
    X, y = data()
    with pytest.raises(ConfigError, match="bins is 1"):
        mutual_information(X, y, rng=RNG, bins=1)
    with pytest.raises(ConfigError, match="binning is 'log'"):
        mutual_information(X, y, rng=RNG, binning="log")
    with pytest.raises(DataError, match="single point"):
        relief(X, np.arange(90) == 0, rng=RNG)
