"""The machine that judges all selectors alike, against scikit-learn's and its definition."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.svm import SVC

from marginfs.data.load import SplitData
from marginfs.data.splits import kfold
from marginfs.errors import ConfigError
from marginfs.evaluation.common_curve import common_curve
from marginfs.types import Selection

PENALTIES = [0.1, 1.0, 10.0]


@pytest.fixture
def data() -> SplitData:
    rng = np.random.default_rng(1)
    X = rng.standard_normal((120, 7))
    y = np.where(X[:, 0] + X[:, 1] ** 2 + 0.5 * rng.standard_normal(120) > 0.8, 1, -1)
    return SplitData(X[:70], y[:70], X[70:], y[70:], None)


def by(measures, metric):
    return {measure.step: measure.value for measure in measures if measure.metric == metric}


def test_errors_are_those_of_sklearn(data):
    ranking = np.array([1, 0, 4, 2, 3, 5, 6])
    found = by(common_curve(Selection(ranking), data, sizes=[1, 2, 5, 9], C=PENALTIES, tol=1e-6), "test_error")
    parts = list(kfold(np.random.default_rng(0), data.y_train.astype(float), 3))
    for size in (1, 2, 5):
        X, T = data.X_train[:, ranking[:size]], data.X_test[:, ranking[:size]]

        def fitted(penalty, rows, X=X, size=size):
            return SVC(C=penalty, gamma=1 / (2 * size), tol=1e-6).fit(X[rows], data.y_train[rows])

        wrong = [
            sum((fitted(C, train).predict(X[test]) != data.y_train[test]).sum() for train, test in parts)
            for C in PENALTIES
        ]
        best = PENALTIES[int(np.argmin(wrong))]
        machine = fitted(best, np.arange(len(X)))
        assert found[size] == pytest.approx(np.mean(machine.predict(T) != data.y_test))
    assert set(found) == {1, 2, 5}


def test_a_set_without_order_behind_it_is_judged_as_it_is(data):
    measures = common_curve(
        Selection(np.array([0, 1, 2, 3, 4, 5, 6]), selected=2, ranked=2), data, sizes=[1, 2, 5], C=PENALTIES
    )
    errors = by(measures, "test_error")
    assert errors[5] == errors[2] == errors[0]
    assert by(measures, "features") == {0: 2.0}
    assert by(measures, "columns") == {0: 7.0}
    assert by(measures, "rank") == {1: 1.0, 2: 2.0}
    assert by(measures, "mean_error")[0] == pytest.approx(np.mean([errors[1], errors[2], errors[5]]))


def test_a_method_that_keeps_nothing_guesses_the_larger_class(data):
    measures = common_curve(Selection(np.arange(7), selected=0, ranked=0), data, sizes=[1, 2], C=PENALTIES)
    larger = 1 if (data.y_train == 1).sum() > len(data.y_train) / 2 else -1
    assert by(measures, "test_error")[1] == pytest.approx(np.mean(data.y_test != larger))
    assert by(measures, "rank") == {}


def test_sizes_begin_at_one(data):
    with pytest.raises(ConfigError, match="1 the smallest"):
        common_curve(Selection(np.arange(7)), data, sizes=[2, 4], C=PENALTIES)
