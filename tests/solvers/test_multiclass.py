"""Classifiers of several classes against scikit-learn's, and their ties by definition."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

from marginfs.errors import ConfigError, DataError
from marginfs.kernels import Kernel
from marginfs.solvers.multiclass import Classifier, train
from marginfs.solvers.svm_options import Svm

KERNELS = {"linear": Kernel(), "gaussian": Kernel("gaussian", sigma=1.5)}
NAMES = np.array(["ash", "beech", "cedar", "elm"])


def problem(k, n=60, seed=0):
    """Overlapping clouds, so that votes tie and machines err."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, k, n)
    return rng.standard_normal((n, 3)) + 1.2 * rng.standard_normal((k, 3))[codes], NAMES[codes]


def peer(kernel, C):
    options = {"kernel": "linear"} if kernel.name == "linear" else {"kernel": "rbf", "gamma": kernel.gamma}
    return SVC(C=C, tol=1e-6, break_ties=True, decision_function_shape="ovr", **options)


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
@pytest.mark.parametrize("k", [2, 3, 4])
def test_predictions_are_those_of_scikit_learn(k, kernel):
    X, y = problem(k)
    Z, t = problem(k, n=300, seed=1)
    svm = Svm(kernel, C=0.5, slack="l1", tol=1e-10)
    plain, rest = peer(kernel, 0.5), OneVsRestClassifier(peer(kernel, 0.5))
    if k == 2:
        plain.break_ties = False
        rest.estimator.break_ties = False
    for multiclass, other in (("one_vs_one", plain), ("one_vs_rest", rest)):
        predicted = other.fit(X, y).predict(Z)
        classifier = train(X, y, svm, multiclass)
        assert classifier.error(Z, predicted) == 0.0
        assert classifier.error(Z, t) == np.mean(predicted != t)


def test_decision_values_are_those_of_scikit_learns_pairs():
    X, y = problem(3)
    svc = SVC(kernel="linear", C=1.0, tol=1e-8, decision_function_shape="ovo").fit(X, y)
    ours = train(X, y, Svm(C=1.0, slack="l1", tol=1e-10)).decisions(X)
    np.testing.assert_allclose(ours, -svc.decision_function(X).T, atol=1e-5)


def decided(decisions, k, y, multiclass="one_vs_one"):
    """The error of machines that have given decision values: each point is one unit vector."""
    decisions = np.atleast_2d(decisions)
    m, t = decisions.shape
    classifier = Classifier(
        np.eye(t), np.eye(t), Kernel(), np.arange(k), multiclass, decisions.astype(float), np.zeros(m)
    )
    return classifier.error(np.eye(t), np.asarray(y))


def test_ties_of_votes_go_to_the_larger_sum_then_to_the_first():
    pairs = np.array([[-1.0], [2.0], [-3.0]])  # 0 beats 1 by 1, 2 beats 0 by 2, 1 beats 2 by 3
    assert decided(pairs, 3, [1]) == 0.0
    assert decided(np.sign(pairs), 3, [0]) == 0.0
    assert decided([[0.5], [0.5], [0.1]], 3, [0], "one_vs_rest") == 0.0


def test_a_point_on_the_plane_between_two_classes_is_an_error():
    assert decided([[0.0, 1.0, -1.0]], 2, [0, 1, 0]) == pytest.approx(1 / 3)
    assert decided([[0.0, 1.0, -1.0]], 2, [1, 1, 0]) == pytest.approx(1 / 3)


def test_a_class_that_was_not_trained_is_never_right():
    X, y = problem(2)
    assert train(X, y, Svm(C=1.0)).error(X, np.full(len(X), "yew")) == 1.0


def test_refusals():
    X, y = problem(3)
    with pytest.raises(ConfigError, match="multiclass is 'pairs': write one of one_vs_one, one_vs_rest"):
        train(X, y, Svm(C=1.0), "pairs")
    with pytest.raises(DataError, match="single class"):
        train(X, np.ones(len(X)), Svm(C=1.0))
