"""Sequential minimal optimisation: LIBSVM's iterates at every cap, and the optimum of a general QP library."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from marginfs.errors import ConfigError, DataError
from marginfs.solvers.smo import solve_smo
from svm_oracles import dual_alpha


def problem(seed, n, degree, offset, noise=0.5):
    """Labels that depend on a product, grouped by class; a polynomial kernel matrix."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 12))
    y = np.where(X[:, 0] * X[:, 1] + noise * rng.normal(size=n) > 0, 1.0, -1.0)
    order = np.argsort(y, kind="stable")
    X, y = X[order], y[order]
    return (X @ X.T / 12 + offset) ** degree, y


def libsvm(K, y, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        machine = SVC(kernel="precomputed", **options).fit(K, y)
    alpha = np.zeros(y.size)
    alpha[machine.support_] = np.abs(machine.dual_coef_[0])
    return alpha, machine


@pytest.mark.parametrize("shrinking", [False, True])
@pytest.mark.parametrize("cap", [1, 40, 350, 2000])
@pytest.mark.parametrize(("degree", "C"), [(1, 1e-2), (2, 1.0), (5, 0.1), (3, 10.0)])
def test_capped_state_is_libsvm_to_the_bit(degree, C, cap, shrinking):
    K, y = problem(degree, 300, degree, C)
    alpha, machine = libsvm(K, y, C=C, max_iter=cap, shrinking=shrinking)
    found = solve_smo(K, y, C=C, max_iterations=cap, shrinking=shrinking)
    np.testing.assert_array_equal(found.alpha, alpha)
    assert found.bias == machine.intercept_[0]
    assert found.iterations == machine.n_iter_[0]
    assert found.converged == (machine.fit_status_ == 0)


def test_state_after_more_swaps_of_places_than_points_is_libsvm_to_the_bit():
    K, y = problem(1, 120, 1, 1.0, noise=2.0)
    alpha, machine = libsvm(K, y, C=1000.0, max_iter=200_000, tol=1e-9)
    found = solve_smo(K, y, C=1000.0, max_iterations=200_000, tol=1e-9)
    np.testing.assert_array_equal(found.alpha, alpha)
    assert found.bias == machine.intercept_[0]


def test_converged_machine_is_the_optimum_and_decides_as_libsvm_does():
    K, y = problem(7, 120, 2, 1.0)
    found = solve_smo(K, y, C=2.0, tol=1e-9, single=False)
    np.testing.assert_allclose(found.alpha, dual_alpha(np.outer(y, y) * K, y, 2.0), atol=1e-6)
    _, machine = libsvm(K, y, C=2.0, tol=1e-6)
    np.testing.assert_allclose(found.scores, machine.decision_function(K), atol=1e-4)
    np.testing.assert_allclose(found.scores, K @ (found.alpha * y) + found.bias, atol=1e-9)


@pytest.mark.parametrize("shrinking", [False, True])
def test_scores_belong_to_the_capped_state(shrinking):
    K, y = problem(8, 200, 3, 1.0)
    found = solve_smo(K, y, C=1.0, max_iterations=450, shrinking=shrinking, single=False)
    assert not found.converged
    np.testing.assert_allclose(found.scores, K @ (found.alpha * y) + found.bias, atol=1e-8)


def test_warm_start_reaches_the_same_optimum_in_fewer_iterations():
    K, y = problem(9, 200, 2, 1.0)
    cold = solve_smo(K, y, C=1.0, tol=1e-8, single=False)
    near = solve_smo(K + 1e-3 * np.eye(200), y, C=1.0, tol=1e-8, single=False)
    warm = solve_smo(K, y, C=1.0, tol=1e-8, single=False, alpha=near.alpha)
    np.testing.assert_allclose(warm.alpha, cold.alpha, atol=1e-5)
    assert warm.iterations < 0.6 * cold.iterations


def test_the_matrix_is_left_alone():
    K, y = problem(1, 60, 2, 1.0)
    before = K.copy()
    solve_smo(K, y, C=1.0, single=False)
    np.testing.assert_array_equal(K, before)


def test_bad_input_is_named():
    K, y = problem(1, 20, 2, 1.0)
    with pytest.raises(ConfigError, match="C is 0"):
        solve_smo(K, y, C=0.0)
    with pytest.raises(ConfigError, match="max_iterations is 0"):
        solve_smo(K, y, C=1.0, max_iterations=0)
    with pytest.raises(DataError, match="too large"):
        solve_smo(1e39 * (1.0 + K), y, C=1.0)
    with pytest.raises(DataError, match="single class"):
        solve_smo(K, np.ones(20), C=1.0)
