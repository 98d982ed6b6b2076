"""The linear machine with squared hinge loss against LIBLINEAR, and its solution as features come and go."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.svm import LinearSVC

from marginfs.errors import ConfigError, DataError
from marginfs.solvers.primal_svm import PrimalSvm


def problem(n, d, seed=0, scale=1.0):
    rng = np.random.default_rng(seed)
    X = scale * rng.normal(size=(n, d)) + 0.3
    y = np.where(X[:, 0] + X[:, 1] + scale * rng.normal(size=n) > 0.5, 1.0, -1.0)
    return X, y


@pytest.mark.parametrize(("n", "d", "C", "scale"), [(300, 40, 1e-4, 5.0), (300, 40, 1.0, 1.0), (60, 90, 0.1, 3.0)])
def test_regularised_bias_is_liblinear(n, d, C, scale):
    X, y = problem(n, d, scale=scale)
    found = PrimalSvm(X, y, C=C)
    peer = LinearSVC(C=C, dual=False, tol=1e-10, max_iter=100_000).fit(X, y)
    np.testing.assert_allclose(found.weights, peer.coef_[0], atol=1e-6 * np.abs(peer.coef_).max())
    assert found.bias == pytest.approx(peer.intercept_[0], abs=1e-6)
    np.testing.assert_allclose(found.scores, peer.decision_function(X), atol=1e-5)


def test_free_bias_minimises_the_objective():
    X, y = problem(80, 6)
    found = PrimalSvm(X + 5.0, y, C=0.7, bias="free")

    def objective(theta):
        slack = np.maximum(1.0 - y * ((X + 5.0) @ theta[1:] + theta[0]), 0.0)
        return 0.5 * theta[1:] @ theta[1:] + 0.7 * slack @ slack

    best = minimize(objective, np.zeros(7), method="BFGS", options={"gtol": 1e-9}).fun
    assert objective(np.concatenate(([found.bias], found.weights))) <= best + 1e-8


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 1000), st.sampled_from([1e-3, 1.0, 50.0]), st.sampled_from(["regularised", "free"]))
def test_features_that_leave_and_come_back_change_nothing(seed, C, bias):
    X, y = problem(50, 12, seed)
    machine = PrimalSvm(X, y, C=C, bias=bias, tol=1e-11)
    machine.remove(np.array([2, 7, 11]))
    staying = np.delete(np.arange(12), [2, 7, 11])
    fresh = PrimalSvm(X[:, staying], y, C=C, bias=bias, tol=1e-11)
    np.testing.assert_allclose(machine.weights, fresh.weights, atol=1e-8)
    machine.add(X[:, [2, 7, 11]])
    fresh = PrimalSvm(X[:, [*staying, 2, 7, 11]], y, C=C, bias=bias, tol=1e-11)
    np.testing.assert_allclose(machine.weights, fresh.weights, atol=1e-8)
    assert machine.bias == pytest.approx(fresh.bias, abs=1e-8)


def test_a_warm_start_saves_steps():
    X, y = problem(500, 60)
    machine = PrimalSvm(X, y, C=1.0)
    cold = machine.iterations
    machine.remove(np.argsort(machine.weights**2)[:5])
    assert machine.iterations - cold < cold


def test_bad_input_is_named():
    X, y = problem(20, 3)
    with pytest.raises(ConfigError, match="C is inf"):
        PrimalSvm(X, y, C=np.inf)
    with pytest.raises(ConfigError, match="bias is 'none'"):
        PrimalSvm(X, y, C=1.0, bias="none")
    with pytest.raises(DataError, match="single class"):
        PrimalSvm(X, np.ones(20), C=1.0)
