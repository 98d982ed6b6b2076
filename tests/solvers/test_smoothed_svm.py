"""The smoothed machine against the dual of the same problem, solved as a quadratic program."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from marginfs.errors import ConfigError, DataError
from marginfs.kernels import Kernel
from marginfs.solvers.smoothed_hinge import bends, best_scale, loss, pull
from marginfs.solvers.smoothed_svm import solve_smoothed
from svm_oracles import solve_qp

KERNEL = Kernel("gaussian", sigma=1.0)


def problem(seed, n=30, d=2, duplicates=False):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    if duplicates:
        X, y = np.r_[X, X[: n // 2]], np.r_[y, -y[: n // 2]]
    return KERNEL.matrix(X), y


def dual_optimum(K, y, C, epsilon):
    Q = np.outer(y, y) * K + 2 * epsilon / C * np.eye(y.size)
    a = solve_qp(Q, -np.ones(y.size), y, 0.0, C)
    return a.sum() - 0.5 * a @ Q @ a


def test_the_loss_is_the_papers_and_smooth():
    m = np.linspace(-2, 2, 402)
    for epsilon in (0.1, 0.5):
        V = loss(m, epsilon)
        assert np.all(np.abs(V - np.maximum(1 - m, 0)) <= epsilon + 1e-12)
        np.testing.assert_allclose(-np.gradient(V, m)[1:-1], pull(m, epsilon)[1:-1], atol=0.06)
        np.testing.assert_array_equal(bends(m, epsilon), (m >= 1 - 2 * epsilon) & (m < 1))
    assert loss(np.array([-1.0]))[0] == 1.5
    assert loss(np.array([0.5]))[0] == 0.125


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(4, 40),
    log_C=st.integers(-8, 12),
    epsilon=st.sampled_from([0.5, 0.1, 1.0]),
    duplicates=st.booleans(),
)
def test_the_optimum_has_no_duality_gap(seed, n, log_C, epsilon, duplicates):
    K, y = problem(seed, n, duplicates=duplicates)
    solution = solve_smoothed(K, y, C=2.0**log_C, epsilon=epsilon)
    assert solution.objective == pytest.approx(dual_optimum(K, y, 2.0**log_C, epsilon), rel=1e-6)
    np.testing.assert_allclose(K @ solution.coefficients + solution.bias, solution.scores, atol=1e-9)


def test_another_optimiser_of_the_primal_agrees():
    K, y = problem(3, 40)

    def objective(v):
        h = K @ v[:-1]
        slope = -1.5 * y * pull(y * (h + v[-1]))
        value = 0.5 * v[:-1] @ h + 1.5 * loss(y * (h + v[-1])).sum()
        return value, np.r_[h + K @ slope, slope.sum()]

    oracle = minimize(objective, np.zeros(41), jac=True, method="L-BFGS-B", options={"maxiter": 5000, "ftol": 1e-15})
    solution = solve_smoothed(K, y, C=1.5)
    assert solution.objective == pytest.approx(oracle.fun, rel=1e-7)
    np.testing.assert_allclose(solution.scores, K @ oracle.x[:-1] + oracle.x[-1], atol=1e-3)


def test_a_warm_start_saves_rounds_and_changes_no_bit():
    K, y = problem(5, 80, d=3)
    last, rounds = None, 0
    for log_C in range(-5, 16):
        cold = solve_smoothed(K, y, C=2.0**log_C)
        last = solve_smoothed(K, y, C=2.0**log_C, start=last)
        np.testing.assert_array_equal(last.coefficients, cold.coefficients)
        assert last.bias == cold.bias
        rounds += last.rounds
    assert rounds <= 3 * 21


def test_points_on_the_border_of_two_sets_do_not_hop_for_ever():
    y = np.repeat([1.0, -1.0], 50)
    K = np.ones((100, 100)) - 1e-15 * np.arange(100)
    solution = solve_smoothed(K, y, C=2.0, start=solve_smoothed(np.eye(100), y, C=2.0))
    assert solution.objective == pytest.approx(100.0)


def test_bad_input_is_refused_in_words():
    K, y = problem(0)
    with pytest.raises(ConfigError, match="C is 0"):
        solve_smoothed(K, y, C=0.0)
    with pytest.raises(ConfigError, match="epsilon is 0"):
        solve_smoothed(K, y, C=1.0, epsilon=0.0)
    with pytest.raises(DataError, match="single class"):
        solve_smoothed(K, np.ones(y.size), C=1.0)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), log_C=st.integers(-6, 8), norm=st.sampled_from([0.0, 1.0, 3.0]))
def test_the_best_scale_is_the_minimum_of_a_fine_grid(seed, log_C, norm):
    rng = np.random.default_rng(seed)
    m = rng.normal(0.2, 0.5, 15)
    m[0] = -0.1
    t = best_scale(m, norm, 2.0**log_C, 0.5)

    def value(t):
        return 0.5 * norm * t**2 + 2.0**log_C * loss(t * m).sum()

    grid = np.r_[0.0, np.geomspace(1e-3, 1e3, 2000)]
    assert value(t) <= min(map(value, grid)) * (1 + 1e-12)
