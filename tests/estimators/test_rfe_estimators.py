"""SVMRFE and SVMRFECV against scikit-learn's RFE and RFECV, and one solver against the other."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.feature_selection import RFE, RFECV
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from marginfs import SVMRFE, SVMRFECV
from marginfs.estimators import elimination
from marginfs.selectors.backward_elimination import backward_elimination
from marginfs.selectors.svm_rfe import svm_rfe
from marginfs.solvers import multiclass


def expression(n, d, seed=0, classes=2):
    """Standardised features, the first six of which differ between the classes."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    X = rng.standard_normal((n, d))
    X[:, :6] += 0.7 * np.eye(classes, 6)[y] * classes + 0.3 * y[:, None]
    return StandardScaler().fit_transform(X), y


def places(sklearn_rfe):
    return np.argsort(sklearn_rfe.ranking_)


@pytest.fixture(params=["primal", "dual"])
def solver(request, monkeypatch):
    monkeypatch.setattr(elimination, "POINTS_PER_FEATURE", 0 if request.param == "primal" else 10**9)


@pytest.mark.usefixtures("solver")
@pytest.mark.parametrize("step", [1, 3, 0.3, "halving", "square_root", "annealing"])
def test_both_solvers_rank_as_the_definition(step):
    X, y = expression(60, 25)
    features, removed = np.arange(25), []
    rule = SVMRFE(step=step, floor=8)._elimination(X)
    sizes = np.unique(rule.rank(X, y, np.random.default_rng(0)).trace["retained"])[::-1]
    for now, after in zip(sizes, [*sizes[1:], 0], strict=True):
        # LinearSVC penalises its bias unless that is scaled out of sight.
        machine = LinearSVC(dual=False, tol=1e-12, intercept_scaling=1e4, max_iter=100_000).fit(X[:, features], y)
        leaving = np.argsort(machine.coef_[0] ** 2)[: now - after]
        removed += list(features[leaving])
        features = np.delete(features, leaving)
    found = SVMRFE(step=step, floor=8).fit(X, y)
    assert np.argsort(found.ranking_).tolist() == removed[::-1]
    assert found.n_iter_ == sizes.size


def test_hinge_loss_ranks_as_rfe_over_svc():
    X, y = expression(50, 40)
    theirs = RFE(SVC(kernel="linear", tol=1e-8), n_features_to_select=1).fit(X, y)
    assert np.array_equal(places(SVMRFE(loss="hinge").fit(X, y)), places(theirs))


def test_primal_and_dual_have_one_ranking_with_many_rows(monkeypatch):
    X, y = expression(400, 12, seed=1)
    primal = SVMRFE().fit(X, y)
    monkeypatch.setattr(elimination, "POINTS_PER_FEATURE", 10**9)
    dual = SVMRFE().fit(X, y)
    assert np.array_equal(primal.ranking_, dual.ranking_)
    # The trace of the dual holds the derivative of ||w||^2, twice the squared weight.
    assert np.allclose(primal.scores_, dual.scores_ / 2.0, rtol=1e-5)


@pytest.mark.usefixtures("solver")
def test_three_classes_join_the_machines_one_against_one():
    X, y = load_wine(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    features, removed = np.arange(X.shape[1]), []
    while features.size:
        squares = np.zeros(features.size)
        for pair in ([0, 1], [0, 2], [1, 2]):
            rows = np.isin(y, pair)
            machine = LinearSVC(dual=False, tol=1e-12, intercept_scaling=1e4, max_iter=100_000)
            squares += machine.fit(X[rows][:, features], y[rows]).coef_[0] ** 2
        leaving = np.argmin(squares)
        removed.append(int(features[leaving]))
        features = np.delete(features, leaving)
    assert np.argsort(SVMRFE().fit(X, y).ranking_).tolist() == removed[::-1]


@pytest.mark.parametrize("order", ["first", "zero", "retrained"])
@pytest.mark.parametrize("criterion", ["w2", "r2w2", "span"])
@pytest.mark.parametrize("kernel", ["linear", "gaussian"])
def test_criteria_are_those_of_the_selector(kernel, criterion, order):
    X, y = expression(30, 6)
    wanted = {"first": "first", "zero": "zero", "retrained": "zero_retrained"}[order]
    options = {"kernel": kernel, "sigma": np.sqrt(0.5 / 0.1), "C": 2.0, "slack": "l2"}
    theirs = backward_elimination(X, y, rng=np.random.default_rng(0), criterion=criterion, order=wanted, **options)
    ours = SVMRFE(kernel=kernel, gamma=0.1, criterion=criterion, order=order).fit(X, y)
    assert np.array_equal(places(ours), theirs.ranking)


def test_kernels_are_for_two_classes():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="3 classes"):
        SVMRFE(kernel="gaussian").fit(X, y)


@pytest.mark.parametrize("sampling", ["beforehand", "internal"])
def test_samples_follow_the_seed(sampling):
    X, y = expression(120, 30, seed=2)
    first, again, other = (
        SVMRFE(sampling=sampling, share=0.5, random_state=seed).fit(X, y).ranking_ for seed in (1, 1, 2)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_sampling_with_a_kernel_is_that_of_the_thesis():
    X, y = expression(60, 8)
    ours = SVMRFE(kernel="gaussian", gamma=0.1, loss="hinge", order="zero", sampling="internal", share=1.0, tol=1e-6)
    theirs = svm_rfe(X, y, rng=np.random.default_rng(0), kernel="gaussian", gamma=0.1, tol=1e-6)
    assert np.array_equal(places(ours.fit(X, y)), theirs.ranking)


def test_the_stop_condition_chooses_fewer_features_the_dearer_they_are():
    X, y = expression(200, 30)
    numbers = [SVMRFE(stop=weight).fit(X, y).n_features_ for weight in (0.99, 0.8, 0.3)]
    assert numbers == sorted(numbers, reverse=True)
    assert numbers[-1] < 6
    assert SVMRFE(4, stop=0.8).fit(X, y).n_features_ == 4


@pytest.mark.parametrize("step", [1, 4])
def test_the_best_number_is_that_of_rfecv(step):
    X, y = expression(60, 60, seed=3)
    theirs = RFECV(SVC(kernel="linear", tol=1e-8), step=step, cv=5).fit(X, y)
    ours = SVMRFECV(loss="hinge", rule="best", step=step).fit(X, y)
    visited = np.isin(ours.cv_results_["n_features"], theirs.cv_results_["n_features"])
    common = np.isin(theirs.cv_results_["n_features"], ours.cv_results_["n_features"])
    ours_mean, theirs_mean = ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"]
    assert visited.sum() >= 10
    assert np.allclose(ours_mean[visited], theirs_mean[common])
    assert ours.n_features_ == theirs.n_features_
    assert np.array_equal(ours.support_, theirs.support_)


@pytest.mark.parametrize("data", [load_breast_cancer, load_wine])
@pytest.mark.parametrize("options", [{}, {"loss": "hinge"}])
def test_scores_are_those_of_machines_trained_afresh(data, options):
    X, y = data(return_X_y=True)
    X, y = StandardScaler().fit_transform(X)[::2, :8], y[::2]
    found = SVMRFECV(cv=3, **options).fit(X, y)
    for fold, (train, test) in enumerate(StratifiedKFold(3).split(X, y)):
        order = places(SVMRFE(**options).fit(X[train], y[train]))
        svm = SVMRFE(**options)._elimination(X).svm
        errors = [
            multiclass.train(X[np.ix_(train, order[:k])], y[train], svm).error(X[np.ix_(test, order[:k])], y[test])
            for k in range(1, 9)
        ]
        assert np.allclose(1.0 - found.cv_results_[f"split{fold}_test_score"], errors)


def test_a_kernel_curve_is_that_of_svc():
    X, y = expression(60, 10, seed=4)
    found = SVMRFECV(kernel="gaussian", gamma=0.05, loss="hinge", order="zero", cv=3).fit(X, y)
    for fold, (train, test) in enumerate(StratifiedKFold(3).split(X, y)):
        order = places(SVMRFE(kernel="gaussian", gamma=0.05, loss="hinge", order="zero").fit(X[train], y[train]))
        scores = [
            SVC(gamma=0.05, tol=1e-8)
            .fit(X[np.ix_(train, order[:k])], y[train])
            .score(X[np.ix_(test, order[:k])], y[test])
            for k in range(1, 11)
        ]
        assert np.allclose(found.cv_results_[f"split{fold}_test_score"], scores)


def test_one_standard_error_gives_the_smallest_number_that_is_good_enough():
    X, y = expression(80, 60, seed=5)
    found = SVMRFECV().fit(X, y)
    results = found.cv_results_
    folds = np.array([results[f"split{fold}_test_score"] for fold in range(5)])
    best = results["mean_test_score"].argmax()
    bar = results["mean_test_score"][best] - folds[:, best].std(ddof=1) / np.sqrt(5)
    enough = results["n_features"][results["mean_test_score"] >= bar]
    assert found.n_features_ == enough.min()
    assert found.n_features_ <= SVMRFECV(rule="best").fit(X, y).n_features_
    assert SVMRFECV(5).fit(X, y).n_features_ >= 5
