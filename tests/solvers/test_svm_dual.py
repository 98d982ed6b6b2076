"""The SVM dual against libsvm, a QP library, its own optimality conditions and linear programming."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from sklearn.svm import SVC

from marginfs.errors import DataError, NotSeparableError
from marginfs.kernels import Kernel
from marginfs.solvers.svm_dual import solve_dual, weights
from marginfs.solvers.svm_options import Svm
from svm_oracles import dual_alpha


def problem(n, d, seed, noise=0.5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.where(X[:, 0] + X[:, -1] + noise * rng.normal(size=n) > 0, 1.0, -1.0)
    y[0], y[1] = 1.0, -1.0
    return X, y


def dual_matrix(K, y, C, slack):
    return K * np.outer(y, y) + (np.eye(y.size) / C if slack == "l2" else 0.0)


CASES = [
    pytest.param(60, 100, Kernel(), np.inf, "l1", id="hard margin, n < d"),
    pytest.param(120, 30, Kernel("gaussian", sigma=2.0), np.inf, "l2", id="hard margin, gaussian"),
    pytest.param(150, 5, Kernel(), 1.0, "l1", id="linear slack, rank 5"),
    pytest.param(80, 6, Kernel("polynomial", degree=3), 0.1, "l1", id="polynomial"),
    pytest.param(100, 4, Kernel(), 10.0, "l2", id="quadratic slack, rank 4"),
    pytest.param(100, 8, Kernel("gaussian", sigma=3.0), 1000.0, "l2", id="quadratic slack, gaussian"),
]


@pytest.mark.parametrize(("n", "d", "kernel", "C", "slack"), CASES)
def test_objective_equals_libsvm_and_a_qp_library(n, d, kernel, C, slack):
    X, y = problem(n, d, seed=n + d)
    K = kernel.matrix(X)
    Q = dual_matrix(K, y, C, slack)
    solution = solve_dual(K, y, Svm(C=C, slack=slack, tol=1e-10))

    def objective(alpha):
        return alpha.sum() - 0.5 * alpha @ Q @ alpha

    upper = C if slack == "l1" else np.inf
    svc = SVC(kernel="precomputed", C=min(upper, 1e9), tol=1e-10).fit(Q * y * y[:, None], y)
    libsvm = np.zeros(n)
    libsvm[svc.support_] = np.abs(svc.dual_coef_[0])
    assert solution.objective == pytest.approx(objective(libsvm), rel=1e-8)
    assert solution.objective == pytest.approx(objective(dual_alpha(Q, y, upper)), rel=1e-8)
    assert solution.objective == pytest.approx(objective(solution.alpha), rel=1e-10)
    assert solution.bias == pytest.approx(svc.intercept_[0], abs=1e-6)


def assert_optimal(K, y, C, slack, solution, tol):
    """Feasibility, and a multiplier that separates the two sides up to tol."""
    upper = C if slack == "l1" else np.inf
    Q = dual_matrix(K, y, C, slack)
    alpha = solution.alpha
    assert np.all((alpha >= 0) & (alpha <= upper))
    assert abs(y @ alpha) <= 1e-10 * max(1.0, alpha.sum())
    gradient = Q @ alpha - 1.0
    slip = 1e-13 * max(1.0, alpha.sum() * np.diag(Q).max())
    np.testing.assert_allclose(solution.gradient, gradient, atol=slip)
    want = -y * gradient
    up = np.where(y > 0, alpha < upper, alpha > 0)
    down = np.where(y > 0, alpha > 0, alpha < upper)
    if up.any() and down.any():
        assert want[up].max() - want[down].min() <= tol + slip


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 25),
    d=st.integers(1, 30),
    C=st.sampled_from([0.01, 1.0, 100.0]),
    slack=st.sampled_from(["l1", "l2"]),
    duplicates=st.booleans(),
    constant=st.booleans(),
    gaussian=st.booleans(),
)
def test_optimality_on_awkward_data(seed, n, d, C, slack, duplicates, constant, gaussian):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    if duplicates:
        X = np.round(X[rng.integers(0, n, n)])
    if constant:
        X[:, 0] = 1.0
    y = rng.choice([-1.0, 1.0], n)
    y[0], y[-1] = 1.0, -1.0
    K = Kernel("gaussian" if gaussian else "linear", sigma=2.0).matrix(X)
    assert_optimal(K, y, C, slack, solve_dual(K, y, Svm(C=C, slack=slack, tol=1e-10)), 1e-10)


@settings(max_examples=80, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 20), d=st.integers(1, 8), rounded=st.booleans())
def test_hard_margin_fails_exactly_when_linear_programming_does(seed, n, d, rounded):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    if rounded:
        X = np.round(X)
    y = rng.choice([-1.0, 1.0], n)
    y[0], y[-1] = 1.0, -1.0
    rows = -y[:, None] * np.column_stack([X, np.ones(n)])
    separable = linprog(np.zeros(d + 1), A_ub=rows, b_ub=-np.ones(n), bounds=(None, None)).status == 0
    if separable:
        solution = solve_dual(X @ X.T, y, Svm(tol=1e-10))
        w = weights(X, y, solution)
        assert (y * (X @ w + solution.bias)).min() >= 1 - 1e-6
        assert w @ w == pytest.approx(2 * solution.objective, rel=1e-8)
    else:
        with pytest.raises(NotSeparableError, match="not separable"):
            solve_dual(X @ X.T, y)


def test_hard_margin_on_overlapping_classes_fails_at_once():
    X, y = problem(500, 20, seed=0, noise=1.0)
    with pytest.raises(NotSeparableError, match=r"500 training points .* set a smaller C"):
        solve_dual(X @ X.T, y)


def test_warm_start_gives_the_same_solution_in_fewer_moves():
    X, y = problem(80, 60, seed=3)
    cold = solve_dual(X @ X.T, y, Svm(C=10.0, slack="l2", tol=1e-10))
    K = X[:, 1:] @ X[:, 1:].T
    fresh = solve_dual(K, y, Svm(C=10.0, slack="l2", tol=1e-10))
    warm = solve_dual(K, y, Svm(C=10.0, slack="l2", tol=1e-10), alpha=cold.alpha)
    again = solve_dual(K, y, Svm(C=10.0, slack="l2", tol=1e-10), alpha=fresh.alpha, gradient=fresh.gradient)
    np.testing.assert_allclose(warm.alpha, fresh.alpha, atol=1e-9)
    assert warm.iterations < fresh.iterations / 2
    assert again.iterations == 0


def test_inputs_are_left_alone():
    X, y = problem(30, 5, seed=4)
    K = X @ X.T
    alpha = solve_dual(K, y, Svm(C=1.0, slack="l1")).alpha
    before = K.copy(), y.copy(), alpha.copy()
    solve_dual(K, y, Svm(C=0.5, slack="l1"), alpha=alpha)
    for now, then in zip((K, y, alpha), before, strict=True):
        np.testing.assert_array_equal(now, then)


def test_one_class_is_refused():
    with pytest.raises(DataError, match="single class"):
        solve_dual(np.eye(3), np.ones(3))
