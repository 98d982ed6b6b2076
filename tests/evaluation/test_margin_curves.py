"""What the evaluation measures of an elimination path equals the path's own record and a naive prediction."""

from __future__ import annotations

import numpy as np
import pytest

from marginfs.data.load import SplitData
from marginfs.evaluation.margin_curves import margin_curves
from marginfs.selectors.margin_elimination import kernel_elimination, mfe
from marginfs.types import Selection


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


@pytest.mark.parametrize("kernel", ["gaussian", "polynomial"])
def test_a_wrong_recursion_and_a_longer_weight_vector_show(data: SplitData, kernel: str) -> None:
    found = kernel_elimination(data.X_train, data.y_train, rng=np.random.default_rng(0), kernel=kernel, at_zero="soft")
    measures = {(m.metric, m.step): m.value for m in margin_curves(found, data)}
    lengths = found.trace["squared_length"]
    assert measures["length_rise", 0] == pytest.approx(np.max(lengths[1:] - lengths[:-1]) / lengths[0])
    assert (measures["length_rise", 0] <= 0.0) == (kernel == "polynomial")
    assert measures["recursion_gap", 0] < 1e-12
    wrong = Selection(found.ranking, trace={**found.trace, "squared_length": lengths * 1.01}, model=found.model)
    gaps = {m.metric: m.value for m in margin_curves(wrong, data) if m.step == 0}
    assert gaps["recursion_gap"] == pytest.approx(0.01)


def test_linear_paths_have_no_kernel_to_recompute(data: SplitData) -> None:
    found = mfe(data.X_train, data.y_train, rng=np.random.default_rng(0), at_zero="soft")
    measures = {m.metric: m.value for m in margin_curves(found, data) if m.step == 0}
    assert "recursion_gap" not in measures
    assert measures["length_rise"] <= 0.0
