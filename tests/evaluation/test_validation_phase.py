"""The validation phase against scikit-learn's machines fitted anew at every number of features."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_digits, make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC, LinearSVC

from marginfs.data.load import SplitData
from marginfs.errors import ConfigError, DataError
from marginfs.evaluation.validation_phase import validation_phase
from marginfs.selectors.random_ranking import random_ranking
from marginfs.selectors.svm_rfe import svm_rfe
from marginfs.types import Selection


def rng():
    return np.random.default_rng(0)


@pytest.fixture(scope="module")
def binary():
    X, y = make_classification(
        n_samples=260, n_features=20, n_informative=6, n_redundant=6, n_clusters_per_class=3, random_state=2
    )
    return SplitData(X[:200], y[:200], X[200:], y[200:])


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return SplitData(X[:200], y[:200], X[200:400], y[200:400])


def curve(measures, metric):
    return {m.step: m.value for m in measures if m.metric == metric}


def refitted(selection, data, sizes, machine):
    """Test and training accuracy of a machine fitted to each number of features."""
    test, train = {}, {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for size in sizes:
            best = selection.ranking[:size]
            fitted = machine(size).fit(data.X_train[:, best], data.y_train)
            test[size] = fitted.score(data.X_test[:, best], data.y_test)
            train[size] = fitted.score(data.X_train[:, best], data.y_train)
    return test, train


@pytest.mark.parametrize(
    ("options", "machine"),
    [
        ({"C": 1e-2}, lambda f: LinearSVC(C=1e-2, dual=False, tol=1e-10, max_iter=100_000)),
        ({"C": 0.1, "loss": "hinge", "tol": 1e-6}, lambda f: SVC(kernel="linear", C=0.1, tol=1e-6)),
        (
            {"C": 0.5, "kernel": "polynomial", "degree": 5, "offset": "C", "scaled": True, "max_iterations": 120},
            lambda f: SVC(kernel="poly", degree=5, coef0=0.5, gamma=1 / f, C=0.5, max_iter=120),
        ),
        ({"C": 2.0, "kernel": "gaussian", "gamma": 0.02}, lambda f: SVC(C=2.0, gamma=0.02)),
    ],
)
def test_two_classes(binary, options, machine):
    grouped = np.argsort(binary.y_train, kind="stable")
    data = SplitData(binary.X_train[grouped], binary.y_train[grouped], binary.X_test, binary.y_test)
    selection = random_ranking(data.X_train, data.y_train, rng=rng())
    found = validation_phase(selection, data, first=1, stride=3, **options)
    test, train = refitted(selection, data, range(1, 21, 3), machine)
    assert curve(found, "accuracy") == test
    assert curve(found, "train_accuracy") == train
    for size, cost in curve(found, "cost").items():
        assert cost == pytest.approx(0.8 * (1 - test[size]) + 0.2 * size / 20)


def test_machines_that_stop_at_the_cap_are_counted(binary):
    machine = {"C": 0.5, "kernel": "polynomial", "degree": 5, "offset": "C", "scaled": True, "max_iterations": 600}
    selection = svm_rfe(binary.X_train, binary.y_train, rng=rng(), step=5, **machine)
    found = validation_phase(selection, binary, first=1, stride=3, **machine)
    stopped = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for size in (20, 15, 10, 5, *range(1, 21, 3)):
            peer = SVC(kernel="poly", degree=5, coef0=0.5, gamma=1 / size, C=0.5, max_iter=600)
            peer.fit(binary.X_train[:, selection.ranking[:size]], binary.y_train)
            stopped[size] = peer.n_iter_[0] == 600
    assert curve(found, "capped") == {0: sum(stopped[size] for size in range(1, 21, 3))}
    assert curve(found, "capped_iterations") == {0: sum(stopped[size] for size in (20, 15, 10, 5))}
    assert 0 < sum(stopped.values()) < len(stopped)
    assert not curve(validation_phase(selection, binary, stride=9, C=0.5), "capped")


def test_more_classes_one_against_the_rest(digits):
    selection = random_ranking(digits.X_train, digits.y_train, rng=rng())
    found = validation_phase(selection, digits, first=2, stride=20, C=0.05)
    machine = LinearSVC(C=0.05, dual=False, tol=1e-10, max_iter=100_000)
    test, train = refitted(selection, digits, range(2, 65, 20), lambda size: machine)
    assert curve(found, "accuracy") == test
    assert curve(found, "train_accuracy") == train


def test_sizes_of_the_elimination_minus_one(binary):
    selection = svm_rfe(binary.X_train, binary.y_train, rng=rng(), step=7)
    found = validation_phase(selection, binary, sizes="elimination")
    assert list(curve(found, "cost")) == [5, 12, 19]


def test_early_stop_leaves_the_least_cost_as_it_is(binary):
    selection = svm_rfe(binary.X_train, binary.y_train, rng=rng(), C=1e-2)
    options = {"kernel": "gaussian", "gamma": 0.02, "C": 2.0, "accuracy_weight": 0.6}
    whole = validation_phase(selection, binary, **options)
    short = validation_phase(selection, binary, stop_early=True, **options)
    assert len(short) < len(whole)
    assert curve(whole, "least_cost") == curve(short, "least_cost") == {0: min(curve(whole, "cost").values())}
    assert curve(whole, "best_size") == curve(short, "best_size")


def test_training_on_the_sample(binary):
    selection = svm_rfe(binary.X_train, binary.y_train, rng=rng(), sampling="beforehand", share=0.3)
    rows = selection.trace["sample"]
    part = SplitData(binary.X_train[rows], binary.y_train[rows], binary.X_test, binary.y_test)
    assert validation_phase(selection, binary, train_on="sample") == validation_phase(selection, part)
    whole = random_ranking(binary.X_train, binary.y_train, rng=rng())
    assert validation_phase(whole, binary, train_on="sample") == validation_phase(whole, binary)


def test_what_the_elimination_itself_saw(binary):
    selection = svm_rfe(binary.X_train, binary.y_train, rng=rng(), step=7)
    found = validation_phase(selection, binary)
    seen = curve(found, "elimination_accuracy")
    assert list(seen) == [6, 13, 20]
    assert curve(found, "iterations") == {0: 3}
    assert seen[20] == curve(found, "train_accuracy")[20]
    best = int(curve(found, "best_size")[0])
    assert curve(found, "best_accuracy")[0] == curve(found, "accuracy")[best]
    assert curve(found, "least_cost")[0] == curve(found, "cost")[best]


def test_labels_may_be_text(binary):
    named = SplitData(
        binary.X_train, np.array(["no", "yes"])[binary.y_train], binary.X_test, np.array(["no", "yes"])[binary.y_test]
    )
    selection = random_ranking(binary.X_train, binary.y_train, rng=rng())
    assert validation_phase(selection, named) == validation_phase(selection, binary)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"first": 0}, "first is 0"),
        ({"stride": 0}, "stride 0"),
        ({"sizes": "some"}, "sizes is 'some'"),
        ({"sizes": "elimination"}, "eliminates nothing"),
        ({"train_on": "half"}, "train_on is 'half'"),
        ({"accuracy_weight": 1.2}, "accuracy_weight is 1.2"),
        ({"degree": 0, "kernel": "polynomial"}, "degree is 0"),
    ],
)
def test_bad_options_are_named(binary, options, message):
    with pytest.raises(ConfigError, match=message):
        validation_phase(Selection(np.arange(20)), binary, **options)


def test_kernels_are_for_two_classes(digits):
    with pytest.raises(DataError, match="10 classes"):
        validation_phase(Selection(np.arange(64)), digits, kernel="gaussian")
