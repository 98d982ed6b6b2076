"""The stop condition against the validation phase of a full elimination."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_classification

from marginfs.data.load import SplitData
from marginfs.evaluation.stop_estimate import stop_estimate
from marginfs.evaluation.validation_phase import validation_phase
from marginfs.searches.stop_condition import estimate_size
from marginfs.selectors.svm_rfe import svm_rfe


@pytest.fixture(scope="module")
def data():
    X, y = make_classification(n_samples=200, n_features=30, n_informative=8, random_state=3)
    return SplitData(X[:150], y[:150], X[150:], y[150:])


def test_the_estimate_is_judged_by_a_full_elimination(data):
    few = svm_rfe(data.X_train, data.y_train, rng=np.random.default_rng(0), step=15, C=1e-2)
    full = svm_rfe(data.X_train, data.y_train, rng=np.random.default_rng(0), step=2, C=1e-2)
    found = stop_estimate(few, data, full_step=2, stride=3, C=1e-2)
    at_zero = {measure.metric: measure.value for measure in found if measure.step == 0}
    size = estimate_size(few).size
    assert at_zero["estimated_features"] == size
    assert at_zero["estimated_share"] == size / 30
    assert at_zero["missed_share"] == abs(at_zero["best_size"] - size) / 30
    assert set(validation_phase(full, data, stride=3, C=1e-2)) <= set(found)


def test_without_a_full_elimination_there_is_the_estimate_alone(data):
    few = svm_rfe(data.X_train, data.y_train, rng=np.random.default_rng(0), step=15)
    metrics = {measure.metric for measure in stop_estimate(few, data)}
    assert metrics == {"estimated_features", "estimated_share", "estimated_accuracy", "estimated_cost"}
