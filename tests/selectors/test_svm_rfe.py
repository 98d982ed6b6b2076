"""Recursive feature elimination with every extension, against scikit-learn and slow definitions."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_digits, make_classification
from sklearn.feature_selection import RFE
from sklearn.svm import SVC, LinearSVC

from marginfs.errors import ConfigError, DataError
from marginfs.selectors.random_ranking import random_ranking
from marginfs.selectors.svm_rfe import svm_rfe
from slow_rfe import slow_polynomial_rfe


def rng():
    return np.random.default_rng(0)


@pytest.fixture(scope="module")
def binary():
    return make_classification(
        n_samples=200, n_features=30, n_informative=8, n_redundant=8, n_clusters_per_class=3, random_state=2
    )


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return X[:200], y[:200]


def blocks(selection):
    """The features that left together, the last first."""
    retained, removed = selection.trace["retained"], selection.trace["removed"]
    return [set(removed[retained == count]) for count in np.unique(retained)]


@pytest.mark.parametrize(("C", "step"), [(1e-3, 1), (0.1, 1), (10.0, 4)])
def test_linear_ranking_is_scikit_learns(binary, C, step):
    X, y = binary
    found = svm_rfe(X, y, rng=rng(), C=C, step=step)
    peer = RFE(LinearSVC(C=C, dual=False, tol=1e-10, max_iter=100_000), n_features_to_select=1, step=step).fit(X, y)
    groups = [set(np.flatnonzero(peer.ranking_ == rank)) for rank in range(1, peer.ranking_.max() + 1)]
    if step == 1:
        np.testing.assert_array_equal(found.ranking, np.argsort(peer.ranking_))
    assert blocks(found)[1:] == groups[2:] if step > 1 else blocks(found) == groups


def test_one_against_one_with_degree_one_is_scikit_learns_sum_of_squares(digits):
    X, y = digits
    found = svm_rfe(X, y, rng=rng(), C=0.05, loss="hinge", step=8, tol=1e-6)
    peer = RFE(SVC(kernel="linear", C=0.05, tol=1e-6), n_features_to_select=8, step=8).fit(X, y)
    assert blocks(found)[0] == set(np.flatnonzero(peer.support_))
    assert blocks(found)[1:] == [set(np.flatnonzero(peer.ranking_ == rank)) for rank in range(2, 9)]


@pytest.mark.parametrize(("join", "options"), [("sum", {"power": 0.3}), ("maximum", {}), ("mean_over_deviation", {})])
@pytest.mark.parametrize("normalised", [False, True])
def test_joined_weights(digits, join, options, normalised):
    X, y = digits
    found = svm_rfe(
        X, y, rng=rng(), C=0.1, loss="hinge", step="all", join=join, normalised=normalised, **options, tol=1e-8
    )
    squares = SVC(kernel="linear", C=0.1, tol=1e-8).fit(X, y).coef_ ** 2
    if normalised:
        squares /= np.linalg.norm(squares, axis=1, keepdims=True)
    joint = {
        "sum": lambda: (squares**0.3).sum(axis=0),
        "maximum": lambda: squares.max(axis=0),
        "mean_over_deviation": lambda: (
            squares.mean(axis=0) / np.where(squares.std(axis=0) > 0, squares.std(axis=0), np.inf)
        ),
    }[join]()
    np.testing.assert_allclose(found.trace["relevance"], np.sort(joint), rtol=1e-3, atol=1e-9)


def test_the_two_coefficients_of_variation_are_each_others_inverse(digits):
    X, y = digits
    options = {"rng": rng(), "C": 0.1, "step": "all"}
    up = svm_rfe(X, y, join="mean_over_deviation", **options)
    down = svm_rfe(X, y, join="deviation_over_mean", **options)
    first, second = (dict(zip(s.trace["removed"], s.trace["relevance"], strict=True)) for s in (up, down))
    for feature, value in first.items():
        assert value == second[feature] == 0 or value * second[feature] == pytest.approx(1.0)


@pytest.mark.parametrize(("reading", "values"), [("written", (1, 1)), ("run", (-1, 1)), ("run_positive", (0, 1))])
@pytest.mark.parametrize("degree", [1, 3])
def test_kernel_ranking_is_that_of_libsvm_and_a_loop_over_features(binary, reading, values, degree):
    X, y = binary
    labels = np.where(y > 0, values[1], values[0])
    options = {"C": 1e-2, "degree": degree, "step": 3}
    slow = slow_polynomial_rfe(X, y, cap=150, labels=labels, **options)
    found = svm_rfe(
        X, y, rng=rng(), kernel="polynomial", offset="C", scaled=True, criterion=reading, max_iterations=150, **options
    )
    np.testing.assert_array_equal(found.ranking, slow)


def test_training_accuracy_of_every_iteration_is_in_the_trace(binary):
    X, y = binary
    found = svm_rfe(X, y, rng=rng(), C=1e-2, step=10)
    for count in (30, 20, 10):
        peer = LinearSVC(C=1e-2, dual=False, tol=1e-10).fit(X[:, found.ranking[:count]], y)
        at = found.trace["train_accuracy"][found.trace["retained"] == count]
        assert set(at) == {peer.score(X[:, found.ranking[:count]], y)}


def test_internal_sampling_draws_anew_until_dstop(binary):
    X, y = binary
    options = {"C": 1e-2, "step": 5, "sampling": "internal", "share": 0.5}
    found = [svm_rfe(X, y, rng=np.random.default_rng(seed), **options) for seed in (1, 1, 2)]
    np.testing.assert_array_equal(found[0].ranking, found[1].ranking)
    assert (found[0].ranking != found[2].ranking).any()
    whole = svm_rfe(X, y, rng=rng(), C=1e-2, step=5)
    never_sampled = svm_rfe(X, y, rng=rng(), dstop=30, **options)
    np.testing.assert_array_equal(never_sampled.ranking, whole.ranking)
    until_ten = svm_rfe(X, y, rng=rng(), dstop=10, **options)
    peer = LinearSVC(C=1e-2, dual=False, tol=1e-10).fit(X[:, until_ten.ranking[:10]], y)
    assert until_ten.trace["train_accuracy"][-10] == peer.score(X[:, until_ten.ranking[:10]], y)


def test_sampling_beforehand_is_elimination_on_the_sample(binary):
    X, y = binary
    found = svm_rfe(X, y, rng=rng(), C=1e-2, sampling="beforehand", share=0.4, stratified=True)
    rows = found.trace["sample"]
    assert rows.size == np.unique(rows).size == 80
    assert np.bincount(y[rows]).tolist() == [40, 40]
    np.testing.assert_array_equal(found.ranking, svm_rfe(X[rows], y[rows], rng=rng(), C=1e-2).ranking)


def test_standardised_ranking_does_not_depend_on_units(binary):
    X, y = binary
    units = 10.0 ** rng().integers(-3, 4, 30)
    first, second = (svm_rfe(Z, y, rng=rng(), C=0.1, standardised=True).ranking for Z in (X, X * units + 7.0))
    np.testing.assert_array_equal(first, second)


def test_combination_of_kernel_reflective_step_and_sampling(binary):
    X, y = binary
    found = svm_rfe(
        X, y, rng=rng(), kernel="gaussian", gamma=0.02, C=1.0, criterion="run", tie_order="introsort",
        max_iterations=500, step="reflective", percentage=0.3, centre=8, minimum=2, sampling="internal", share=0.5,
        standardised=True, dstop=8,
    )  # fmt: skip
    assert sorted(found.ranking) == list(range(30))
    assert np.unique(found.trace["retained"])[::-1].tolist()[:4] == [30, 24, 20, 17]


def test_filter_is_one_training(binary):
    X, y = binary
    found = svm_rfe(X, y, rng=rng(), C=1e-2, step="all")
    weights = LinearSVC(C=1e-2, dual=False, tol=1e-10).fit(X, y).coef_[0]
    np.testing.assert_array_equal(found.ranking, np.argsort(weights**2)[::-1])


def test_any_labels(binary):
    X, y = binary
    named = np.where(y > 0, "yes", "no")
    np.testing.assert_array_equal(svm_rfe(X, named, rng=rng()).ranking, svm_rfe(X, y, rng=rng()).ranking)


def test_random_ranking_is_a_permutation_that_the_seed_decides(binary):
    X, y = binary
    first, second = (random_ranking(X, y, rng=rng()).ranking for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert sorted(first) == list(range(30))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"step": 0}, "step is 0"),
        ({"step": 1.5}, "step is 1.5"),
        ({"step": "reflective", "percentage": 1.5}, "percentage is 1.5"),
        ({"kernel": "polynomial", "degree": 0}, "degree is 0"),
        ({"kernel": "gaussian", "gamma": 0.0}, "gamma is 0"),
        ({"kernel": "cubic"}, "kernel is 'cubic'"),
        ({"kernel": "gaussian", "loss": "squared_hinge"}, "loss is 'squared_hinge'"),
        ({"loss": "log"}, "loss is 'log'"),
        ({"max_iterations": 10}, "max_iterations is set"),
        ({"criterion": "run"}, "criterion is 'run' with kernel 'linear'"),
        ({"kernel": "polynomial", "offset": "D"}, "offset is 'D'"),
        ({"sampling": "sometimes"}, "sampling is 'sometimes'"),
        ({"sampling": "internal", "share": 1.5}, "share is 1.5"),
        ({"join": "median"}, "join is 'median'"),
        ({"power": 0.0}, "power is 0"),
        ({"tie_order": "heap"}, "tie_order is 'heap'"),
        ({"C": 0.0}, "C is 0"),
    ],
)
def test_bad_options_are_named(binary, options, message):
    with pytest.raises(ConfigError, match=message):
        svm_rfe(*binary, rng=rng(), **options)


def test_bad_data_is_named(binary, digits):
    X, y = binary
    with pytest.raises(DataError, match=r"a sample of 1 of 200 points has none of one of the 2 classes"):
        svm_rfe(X, y, rng=rng(), sampling="internal", share=0.005)
    with pytest.raises(DataError, match="a sample of 0 of 200"):
        svm_rfe(X, y, rng=rng(), sampling="beforehand", share=0.001, stratified=True)
    with pytest.raises(DataError, match="10 classes"):
        svm_rfe(*digits, rng=rng(), kernel="polynomial")
    with pytest.raises(DataError, match="two classes make one machine"):
        svm_rfe(X, y, rng=rng(), join="deviation_over_mean")
    with pytest.raises(DataError, match="single class"):
        svm_rfe(X, np.zeros(200), rng=rng())
