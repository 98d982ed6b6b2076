"""What the evaluation measures of an elimination path equals the path's own record and a naive prediction."""

from __future__ import annotations

import numpy as np
import pytest

from marginfs.data.load import SplitData
from marginfs.evaluation.margin_curves import margin_curves
from marginfs.selectors.margin_elimination import mfe


@pytest.fixture
def data() -> SplitData:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(90, 12))
    y = np.where(X[:, 0] + X[:, 1] > 0, 1.0, -1.0)
    return SplitData(X[:20], y[:20], X[20:], y[20:])


def test_every_state_of_the_path_is_measured(data: SplitData) -> None:
    selection = mfe(data.X_train, data.y_train, rng=np.random.default_rng(0), at_zero="soft")
    measures = {(m.metric, m.step): m.value for m in margin_curves(selection, data)}
    states = range(1, 13)
    for metric in ("margin", "squared_length", "test_error"):
        assert measures[metric, 0] == pytest.approx(np.mean([measures[metric, k] for k in states]))
    w, removed = selection.model["coefficients"][0].copy(), selection.model["removed"]
    for k, feature in zip(reversed(states), [None, *removed], strict=True):
        if feature is not None:
            w[feature] = 0.0
        f = data.X_test @ w + selection.model["bias"][12 - k]
        assert measures["test_error", k] == pytest.approx(np.mean(np.where(f >= 0, 1.0, -1.0) != data.y_test))
    assert 0.0 <= measures["set_misses", 0] <= 1.0
