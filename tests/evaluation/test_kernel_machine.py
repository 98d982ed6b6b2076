"""Evaluations of tayal2014 against libsvm and a grid search of scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import cross_val_predict
from sklearn.svm import SVC

from marginfs.data.load import SplitData
from marginfs.data.splits import kfold
from marginfs.errors import ConfigError
from marginfs.evaluation.kernel_machine import kernel_machine
from marginfs.evaluation.relearned_machine import relearned_machine
from marginfs.evaluation.tuned_curve import tuned_curve
from marginfs.selectors.ao_efs import ao_efs
from marginfs.selectors.gaussian_svm import gaussian_svm
from marginfs.types import Selection

RNG = np.random.default_rng(0)


def split(seed=0, labels=(-1, 1)):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((160, 6))
    y = np.where(X[:, 0] * X[:, 1] + 0.3 * rng.standard_normal(160) > 0, labels[1], labels[0])
    return SplitData(X[:60], y[:60], X[60:], y[60:], 2)


@pytest.mark.parametrize("labels", [(-1, 1), ("no", "yes")])
def test_the_error_is_that_of_libsvm(labels):
    data = split(1, labels)
    selection = gaussian_svm(data.X_train, data.y_train, rng=RNG, C=2.0, sigma=2.0, tol=1e-8)
    numbers = {m.metric: m.value for m in kernel_machine(selection, data)}
    oracle = SVC(C=2.0, gamma=1 / 4, tol=1e-8).fit(data.X_train, data.y_train)
    assert numbers["test_error"] == pytest.approx(1 - oracle.score(data.X_test, data.y_test))
    assert (numbers["features"], numbers["true_features"], numbers["false_features"]) == (6, 2, 4)


def test_features_and_objective_are_the_selections():
    data = split(2)
    selection = ao_efs(data.X_train, data.y_train, rng=RNG, C=0.5, mu=0.25)
    numbers = {m.metric: m.value for m in kernel_machine(selection, data)}
    assert numbers["features"] == selection.selected
    assert numbers["true_features"] == np.sum(selection.ranking[: selection.selected] < 2)
    assert numbers["objective"] == selection.trace["objective"][-1]


def test_a_machine_without_features_says_one_class():
    data = split(3)
    selection = ao_efs(data.X_train, data.y_train, rng=RNG, C=2.0**-5, mu=2.0**10)
    numbers = {m.metric: m.value for m in kernel_machine(selection, data)}
    share = np.mean(data.y_test == 1)
    assert numbers["features"] == 0
    assert numbers["test_error"] == pytest.approx(min(share, 1 - share), abs=0.3)


def test_the_curve_is_that_of_a_grid_search():
    data, ranking = split(4), np.array([1, 0, 5, 4, 3, 2])
    grid = {"C": [0.5, 2.0, 8.0], "sigma": [1.0, 4.0]}
    measures = tuned_curve(Selection(ranking), data, sizes=[6, 2, 9], folds=5, tol=1e-8, **grid)
    folds = list(kfold(np.random.default_rng(0), data.y_train, 5))
    assert [m.step for m in measures if m.metric == "test_error"] == [2, 6]
    for size in (2, 6):
        X = data.X_train[:, ranking[:size]]

        def wrong(C, sigma, X=X):
            predicted = cross_val_predict(SVC(C=C, gamma=sigma**-2, tol=1e-8), X, data.y_train, cv=folds)
            return np.sum(predicted != data.y_train)

        _, C, sigma = min((wrong(C, sigma), C, -sigma) for C in grid["C"] for sigma in grid["sigma"])
        final = SVC(C=C, gamma=sigma**-2, tol=1e-8).fit(X, data.y_train)
        error = 1 - final.score(data.X_test[:, ranking[:size]], data.y_test)
        found = {m.metric: m.value for m in measures if m.step == size}
        assert found == {"test_error": pytest.approx(error), "tuned_C": C, "tuned_sigma": -sigma}


def test_sizes_below_one_are_refused():
    with pytest.raises(ConfigError, match="sizes"):
        tuned_curve(Selection(np.arange(6)), split(), sizes=[0, 2], C=[1.0], sigma=[1.0])


def test_a_relearned_machine_is_the_curve_at_the_selected_size():
    data, ranking = split(5), np.array([1, 4, 0, 5, 3, 2])
    grid = {"C": [0.5, 2.0, 8.0], "sigma": [1.0, 4.0], "folds": 5}
    curve = {m.metric: m.value for m in tuned_curve(Selection(ranking), data, sizes=[3], **grid)}
    found = {m.metric: m.value for m in relearned_machine(Selection(ranking, selected=3), data, **grid)}
    assert found == {**curve, "features": 3.0, "true_features": 2.0, "false_features": 1.0}
    whole = {m.metric: m.value for m in relearned_machine(Selection(ranking), data, **grid)}
    assert (whole["features"], whole["false_features"]) == (6.0, 4.0)


def test_a_relearned_machine_without_features_says_the_majority():
    data = split(6)
    grid = {"C": [1.0], "sigma": [1.0]}
    found = {m.metric: m.value for m in relearned_machine(Selection(np.arange(6), selected=0), data, **grid)}
    majority = 1 if np.sum(data.y_train == 1) > 30 else -1
    assert found == {
        "test_error": pytest.approx(np.mean(data.y_test != majority)),
        "features": 0.0,
        "true_features": 0.0,
        "false_features": 0.0,
    }
