"""The correlation baseline against numpy's own coefficient."""

from __future__ import annotations

import numpy as np
import pytest

from marginfs.errors import ConfigError
from marginfs.selectors.correlation import correlation

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 8))
Y = np.where(X[:, 3] - 0.5 * X[:, 6] + 0.5 * RNG.normal(size=40) > 0, 1.0, -1.0)
X[:, 1] = 2.0


def test_pearson():
    expected = np.array([abs(np.corrcoef(x, Y)[0, 1]) if np.ptp(x) > 0 else 0.0 for x in X.T])
    selection = correlation(X, Y, rng=RNG)
    np.testing.assert_array_equal(selection.ranking, np.argsort(-expected))
    np.testing.assert_allclose(selection.trace["relevance"], np.sort(expected)[::-1])
    assert selection.ranking[0] == 3
    assert selection.ranking[-1] == 1


def test_golub():
    a, b = X[Y > 0], X[Y < 0]
    spread = a.std(axis=0) + b.std(axis=0)
    expected = np.abs(a.mean(axis=0) - b.mean(axis=0)) / np.where(spread > 0, spread, np.inf)
    selection = correlation(X, Y, rng=RNG, coefficient="golub")
    np.testing.assert_allclose(selection.trace["relevance"], np.sort(expected)[::-1])


def test_unknown_coefficient_is_named():
    with pytest.raises(ConfigError, match="kendall"):
        correlation(X, Y, rng=RNG, coefficient="kendall")
