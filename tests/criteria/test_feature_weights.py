"""Objectives of feature weights against finite differences, the slow definitions and the bound of zero."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from marginfs.criteria import feature_weights
from marginfs.criteria.feature_weights import KernelForm, contract, gaussian, live
from marginfs.criteria.fixed_machine import FixedMachine
from marginfs.criteria.hinge_machine import HingeMachine
from marginfs.criteria.solved_machine import SolvedMachine
from marginfs.criteria.symmetric_form import ROWS, SymmetricForm
from marginfs.criteria.zero_weights import STEEPEST, mean_difference, penalty_of_zero
from marginfs.solvers.smoothed_hinge import loss, pull
from marginfs.solvers.smoothed_svm import solve_smoothed
from smooth_points import differences

C, MU = 2.0, 0.3


def data(seed=0, n=60, d=7):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    y = np.where(X[:, 0] * X[:, 1] + 0.3 * rng.standard_normal(n) > 0, 1.0, -1.0)
    return X, y, rng.uniform(0.2, 0.7, d)


def problem(name, X, y, z):
    if name == "solved":
        return SolvedMachine(X, y, C=C, mu=MU, epsilon=0.5)
    machine = solve_smoothed(gaussian(X * z, X * z), y, C=C)
    return FixedMachine(X, y, machine.coefficients, machine.bias, C=C, mu=MU, epsilon=0.5, margin=name)


def test_kernel_and_contraction_are_as_defined():
    X, _, z = data()
    D = (X[:, None] - X[None, :20]) ** 2
    K = np.exp(-(D * z**2).sum(axis=2))
    np.testing.assert_allclose(gaussian(X * z, X[:20] * z), K, rtol=1e-12)
    np.testing.assert_allclose(contract(K, X, X[:20]), np.einsum("ij,ijk->k", K, D), rtol=1e-10)


@pytest.mark.parametrize("name", ["none", "geometric", "functional", "solved"])
@pytest.mark.parametrize("seed", range(3))
def test_gradient_product_and_hessian_equal_finite_differences(name, seed):
    X, y, z = data(seed)
    objective = problem(name, X, y, z)
    z = z * np.random.default_rng(seed).uniform(0.8, 1.2, z.size)
    point = objective.evaluate(z)
    H = differences(lambda x: objective.evaluate(x).gradient, z)
    scale = np.abs(H).max()
    np.testing.assert_allclose(point.gradient, differences(lambda x: objective.evaluate(x).value, z), atol=1e-6)
    np.testing.assert_allclose(point.hessian(), H, atol=1e-5 * scale)
    np.testing.assert_allclose(np.array([point.product(e) for e in np.eye(z.size)]), H, atol=1e-5 * scale)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(20, 3 * ROWS), d=st.integers(1, 9))
def test_pairs_taken_once_are_pairs_taken_twice(seed, n, d):
    rng = np.random.default_rng(seed)
    X, z, b, c, u, v = (rng.standard_normal(shape) for shape in ((n, d), d, n, n, n, d))
    z = np.abs(z) + 0.1
    K = gaussian(X * z, X * z)
    once = SymmetricForm(X, K, b, c, z, lambda change: u * change)
    twice = KernelForm(X, X, K * b, c, z, lambda change: u * change)
    all_add = KernelForm(X, X, K * np.abs(b), np.abs(c), z, lambda change: np.abs(u) * change)
    np.testing.assert_allclose(once.q, twice.q, atol=1e-11 * all_add.q.max())
    size = np.max(all_add.product(np.abs(v)) + 4.0 * all_add.q * np.abs(v))
    np.testing.assert_allclose(once.product(v), twice.product(v), atol=1e-5 * size)
    few = rng.random(n) < 0.5
    np.testing.assert_allclose(once.over(few, few).q, twice.over(few, few).q, atol=1e-11 * all_add.q.max())


@pytest.mark.parametrize("name", ["none", "geometric", "functional"])
def test_the_model_with_hinges_has_the_slope_of_the_objective_and_the_curvature_of_its_kernel(name, monkeypatch):
    X, y, z = data(1)
    objective = problem(name, X, y, z)
    z = z * np.random.default_rng(1).uniform(0.8, 1.2, z.size)
    point = objective.evaluate(z)
    model = point.hinges()
    slope = model.linear - C * model.slopes.T @ pull(model.margins)
    np.testing.assert_allclose(slope, point.gradient[model.columns], rtol=1e-9)
    by_scale = model.scale * model.norm - C * model.unscaled @ pull(model.margins)
    assert by_scale == pytest.approx(0.0, abs=1e-9)
    P, points, c = point.form.P, X[:, model.columns], point.form.c
    rows = [np.flatnonzero((X[:, model.columns] == row).all(axis=1))[0] for row in point.form.A]
    D = (points[rows][:, None] - point.form.B) ** 2
    expected = 4.0 * np.outer(z, z) * np.einsum("i,ij,ijk,ijl->kl", c, P, D, D, optimize=True)
    expected -= 2.0 * np.diag(np.einsum("i,ij,ijk->k", c, P, D, optimize=True))
    np.testing.assert_allclose(model.curvature, expected, atol=1e-5 * np.abs(expected).max())
    monkeypatch.setattr(feature_weights, "EXPLICIT", 0)
    diagonal = objective.evaluate(z).hinges().curvature
    np.testing.assert_allclose(diagonal, np.diag(expected), atol=1e-5 * np.abs(expected).max())


@pytest.mark.parametrize("name", ["geometric", "functional"])
def test_the_shared_margin_is_eliminated_at_its_optimum(name):
    X, y, z = data(4)
    objective = problem(name, X, y, z)
    z = z * 1.3
    f = gaussian(X * z, X * z) @ objective.b
    norm = objective.b @ f if name == "geometric" else 1.0

    def equation(t):
        return 0.5 * t**2 * norm + C * loss(t * y * (f + objective.bias)).sum() + MU * z.sum()

    best = minimize_scalar(equation, bounds=(0.0, 50.0), method="bounded", options={"xatol": 1e-10})
    assert objective.evaluate(z).value == pytest.approx(best.fun, rel=1e-9)


@pytest.mark.parametrize("name", ["geometric", "functional", "solved"])
@pytest.mark.parametrize("pairs", [0, 3])
def test_points_that_are_close_to_no_other_leave_the_form_and_nothing_changes(name, pairs, monkeypatch):
    X, y, z = data(5, d=40)
    z *= 3.0
    X[:pairs] = X[20 : 20 + pairs]
    X[:pairs, :2] += 0.5
    objective = problem(name, X, y, z)
    few, whole = objective.evaluate(z), objective.evaluate(z)
    assert min(pairs, 1) <= len(few.form.A) <= 2 * pairs
    monkeypatch.setattr(feature_weights, "NEGLIGIBLE", -1.0)
    form = whole.form
    assert len(form.A) > 20
    D = (form.A[:, None] - form.B) ** 2
    q = np.einsum("i,ij,ijk->k", form.c, form.P, D)
    J = -2.0 * z * np.einsum("ij,ijk->ik", form.P, D)
    H = 4.0 * np.outer(z, z) * np.einsum("i,ij,ijk,ijl->kl", form.c, form.P, D, D, optimize=True)
    H += J.T @ form.answer(J) - 2.0 * np.diag(q)
    np.testing.assert_allclose(few.gradient, MU - 2.0 * z * q, rtol=1e-9)
    np.testing.assert_allclose(few.hessian(), H, atol=1e-3)
    np.testing.assert_allclose(few.product(z), H @ z, atol=1e-3)


def test_weights_next_to_zero_leave_the_kernel_and_the_coupling():
    X, y, z = data(1)
    z[2], z[3] = 1e-9, 1e-3
    point = problem("solved", X, y, z).evaluate(z)
    assert 2 not in live(z)
    assert set(point.coupled) == {0, 1, 4, 5, 6}
    assert point.gradient[2] == MU
    H = differences(lambda x: problem("solved", X, y, z).evaluate(x).gradient, z, 1e-4)
    assert point.diagonal[3] == pytest.approx(H[3, 3], rel=1e-2)


@pytest.mark.parametrize("variable", ["z", "d"])
def test_gmkls_gradient_is_danskins(variable):
    X, y, z = data(2)
    objective = HingeMachine(X, y, C=C, mu=MU, variable=variable, tol=1e-11)
    slope = differences(lambda w: objective.evaluate(w).value, z)
    np.testing.assert_allclose(objective.evaluate(z).gradient, slope, atol=1e-5)


def test_the_steepest_line_is_above_the_curve():
    t = np.linspace(1e-3, 5.0, 200_001)
    slope = (1 - np.exp(-(t**2))) / t
    assert slope.max() <= STEEPEST <= slope.max() + 1e-6


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), epsilon=st.sampled_from([0.0, 0.3, 0.5, 0.9]), squared=st.booleans())
def test_beyond_the_bound_no_weights_beat_zero(seed, epsilon, squared):
    rng = np.random.default_rng(seed)
    X = np.round(rng.standard_normal((20, 3)), 1)
    y = np.where(rng.random(20) < 0.35, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    positive, negative = X[y > 0], X[y < 0]
    np.testing.assert_allclose(mean_difference(X, y), np.abs(positive[:, None] - negative).mean(axis=(0, 1)))
    if epsilon > 0.0:
        objective = SolvedMachine(X, y, C=0.7, mu=penalty_of_zero(X, y, C=0.7, epsilon=epsilon), epsilon=epsilon)
    else:
        mu = penalty_of_zero(X, y, C=0.7, squared=squared)
        objective = HingeMachine(X, y, C=0.7, mu=mu, variable="z" if squared else "d")
    zero = objective.evaluate(np.zeros(3)).value
    for scale in (0.03, 0.3, 1.0, 3.0):
        assert objective.evaluate(scale * rng.exponential(size=3)).value >= zero - 1e-6
