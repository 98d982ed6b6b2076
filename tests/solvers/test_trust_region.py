"""The trust region against fides and the definitions of its parts."""

from __future__ import annotations

import logging

import fides
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from marginfs.solvers.smoothed_hinge import loss
from marginfs.solvers.trust_region import Exit, HingeModel, minimise, minimise_piecewise, reflective
from marginfs.solvers.trust_region.affine_scaling import scaled_model
from marginfs.solvers.trust_region.ball import minimise_spectral
from marginfs.solvers.trust_region.hinges_in_box import minimise_hinges
from marginfs.solvers.trust_region.lanczos import minimise_lanczos
from marginfs.solvers.trust_region.step_back import step_back
from marginfs.solvers.trust_region.truncated_cg import boundary_distance, minimise_cg
from smooth_points import SmoothPoint, differences

SEEDS = st.integers(0, 2**32 - 1)


def double_well(seed, d):
    """Sum x^4/4 + 1/2 x'Ax + b'x with an indefinite A."""
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((d, d))
    A, b = A + A.T, rng.standard_normal(d)
    value = lambda x: np.sum(x**4) / 4 + 0.5 * x @ A @ x + b @ x  # noqa: E731
    gradient = lambda x: x**3 + A @ x + b  # noqa: E731
    hessian = lambda x: np.diag(3 * x**2) + A  # noqa: E731
    return (value, gradient, hessian), (lambda x: SmoothPoint(x, value, gradient, hessian))


def with_fides(functions, x, lower, upper):
    options = {fides.Options.FATOL: 1e-12, fides.Options.GATOL: 1e-9, fides.Options.MAXITER: 2000}
    optimiser = fides.Optimizer(
        lambda x: tuple(f(x) for f in functions), ub=upper, lb=lower, verbose=logging.ERROR, options=options
    )
    return optimiser.minimize(x)[:2]


@pytest.mark.parametrize("columns", [0, 100])
@pytest.mark.parametrize("seed", range(6))
def test_within_bounds_it_ends_as_low_as_fides_and_at_a_second_order_point(seed, columns, monkeypatch):
    monkeypatch.setattr(reflective, "EXPLICIT", columns)
    functions, evaluate = double_well(seed, 8)
    lower, upper = np.zeros(8), np.full(8, 1.5)
    start = np.full(8, 0.7)
    result = minimise(evaluate, start, lower=lower, upper=upper, tol=1e-12, max_iterations=2000)
    lowest, _ = with_fides(functions, start, lower, upper)
    others = [with_fides(functions, r, lower, upper)[0] for r in np.random.default_rng(0).uniform(0.1, 1.4, (4, 8))]
    assert result.exit is not Exit.ITERATION_LIMIT
    assert result.values[-1] <= max(lowest, *others) + 1e-6
    assert np.all(np.diff(result.values) <= 0.0)
    g, free = functions[1](result.x), (result.x > 1e-4) & (result.x < 1.5 - 1e-4)
    np.testing.assert_allclose(g[free], 0.0, atol=1e-3)
    assert np.all(g[result.x <= 1e-4] >= -1e-3)
    assert np.all(g[result.x >= 1.5 - 1e-4] <= 1e-3)
    if free.any():
        assert np.linalg.eigvalsh(functions[2](result.x)[np.ix_(free, free)])[0] >= -1e-5


@settings(max_examples=80, deadline=None)
@given(seed=SEEDS, d=st.integers(1, 12), log_radius=st.floats(-3, 3), hard=st.booleans())
def test_the_ball_is_solved_to_its_optimality_conditions(seed, d, log_radius, hard):
    rng = np.random.default_rng(seed)
    e, h, radius = rng.standard_normal(d), rng.standard_normal(d), 10.0**log_radius
    if hard:
        h[np.argmin(e)] = 0.0
    s = minimise_spectral(e, h, radius)
    assert np.linalg.norm(s) <= radius * (1 + 1e-6)
    shift = max(0.0, -(e * s + h) @ s / (s @ s)) if s.any() else 0.0
    assert shift >= -e.min() - 1e-4 * (1 + 1 / radius)
    np.testing.assert_allclose((e + shift) * s, -h, atol=1e-4 * (1 + np.abs(h).max()))
    if shift > 1e-3:
        assert np.linalg.norm(s) == pytest.approx(radius, rel=1e-4)


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, d=st.integers(2, 15), log_radius=st.floats(-2, 2))
def test_krylov_steps_stay_in_the_ball_and_beat_the_gradient_step(seed, d, log_radius):
    rng = np.random.default_rng(seed)
    M, g, radius = rng.standard_normal((d, d)), rng.standard_normal(d), 10.0**log_radius
    M = M + M.T
    values, vectors = np.linalg.eigh(M)
    exact = vectors @ minimise_spectral(values, vectors.T @ g, radius)
    bend = g @ M @ g
    length = min(g @ g / bend if bend > 0 else np.inf, radius / np.linalg.norm(g))
    model = lambda s: g @ s + 0.5 * s @ M @ s  # noqa: E731
    for method in (minimise_cg, minimise_lanczos):
        s, Ms, Mg = method(lambda p: M @ p, g, radius)
        assert np.linalg.norm(s) <= radius * (1 + 1e-6)
        assert model(exact) - 1e-8 <= model(s) <= model(-length * g) + 1e-8
        np.testing.assert_allclose(Ms, M @ s, atol=1e-8 * (1 + radius))
        np.testing.assert_allclose(Mg, M @ g, atol=1e-10)
    s, *_ = minimise_lanczos(lambda p: M @ p, g, radius)
    assert model(s) <= 0.99 * model(exact)


def test_lanczos_leaves_a_saddle_point_and_cg_does_not():
    M = np.diag([1.0, 2.0, -3.0])
    s, *_ = minimise_lanczos(lambda p: M @ p, np.zeros(3), 2.0)
    assert 0.5 * s @ M @ s == pytest.approx(-6.0)
    assert not minimise_cg(lambda p: M @ p, np.zeros(3), 2.0)[0].any()


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, d=st.integers(1, 8))
def test_a_step_back_is_inside_and_lowers_the_model(seed, d):
    rng = np.random.default_rng(seed)
    x, g, M = rng.uniform(0.01, 2.0, d), rng.standard_normal(d), rng.standard_normal((d, d))
    M = M + M.T
    model = scaled_model(x, g, np.zeros(d), np.arange(d), np.zeros(d), np.full(d, np.inf))
    np.testing.assert_array_equal(model.root, np.sqrt(np.where(g >= 0, x, 1.0)))
    M = model.root[:, None] * M * model.root + np.diag(model.shift)
    values, vectors = np.linalg.eigh(M)
    s = vectors @ minimise_spectral(values, vectors.T @ model.gradient, 2.0)
    step = step_back(
        s, M @ s, M @ model.gradient, lambda p: M @ p, model.gradient, model.root, 2.0, x, np.full(d, np.inf)
    )
    assert np.all(x + model.root * step.scaled > 0.0)
    assert step.model <= 1e-12
    assert step.model == pytest.approx(model.gradient @ step.scaled + 0.5 * step.scaled @ M @ step.scaled, abs=1e-9)


def test_the_boundary_is_met():
    s, p = np.array([0.3, 0.1]), np.array([-1.0, 2.0])
    assert np.linalg.norm(s + boundary_distance(s, p, 1.5) * p) == pytest.approx(1.5)
    assert boundary_distance(s, np.zeros(2), 1.0) == np.inf


class PaperSaddle:
    """(p - 2)^2 - 3 (p - 2)(x3 - 1) + (x3 - 1)^2 with p = (x1 + x2) / y, over the variables that are not fixed."""

    def __init__(self, free, values):
        self.free, self.values = free, values

    def whole(self, x):
        full = np.array(self.values)
        full[self.free] = x
        return full

    def value(self, x):
        x1, x2, x3, y = self.whole(x)
        p = (x1 + x2) / y - 2.0
        return p**2 - 3.0 * p * (x3 - 1.0) + (x3 - 1.0) ** 2

    def gradient(self, x):
        x1, x2, x3, y = self.whole(x)
        p, r = (x1 + x2) / y - 2.0, x3 - 1.0
        outer = 2.0 * p - 3.0 * r
        return np.array([outer / y, outer / y, 2.0 * r - 3.0 * p, -outer * (x1 + x2) / y**2])[self.free]

    def hessian(self, x):
        return differences(self.gradient, x)

    def minimised(self):
        evaluate = lambda x: SmoothPoint(x, self.value, self.gradient, self.hessian)  # noqa: E731
        return minimise(evaluate, np.array(self.values)[self.free], max_iterations=20)


def test_simple_alternation_stays_at_the_papers_saddle_and_a_shared_margin_leaves_it():
    saddle = [1.0, 1.0, 1.0, 1.0]
    for block in ([0, 1], [2]):
        result = PaperSaddle(block, saddle).minimised()
        np.testing.assert_allclose(result.x, 1.0, atol=1e-8)
        assert result.exit is Exit.CONVERGED
    assert PaperSaddle([0, 1, 3], saddle).minimised().values[-1] == pytest.approx(0.0, abs=1e-12)
    assert PaperSaddle([2, 3], saddle).minimised().values[-1] < -1.0


def test_the_iteration_limit_is_flagged():
    _, evaluate = double_well(1, 8)
    assert minimise(evaluate, np.full(8, 0.7), lower=0.0, max_iterations=1).exit is Exit.ITERATION_LIMIT


class KinkedPoint:
    """C/2 sum_i max(0, 1 - a_i'x)^2 + m sum x, whose Hessian jumps where a row meets its margin."""

    C, m = 1e4, 0.3

    def __init__(self, A, x):
        self.A, self.x, gap = A, x, 1.0 - A @ x
        bent = A[gap > 0.0]
        self.value = 0.5 * self.C * np.sum(np.maximum(gap, 0.0) ** 2) + self.m * x.sum()
        self.gradient = self.m - self.C * A.T @ np.maximum(gap, 0.0)
        self.coupled, self.diagonal = np.arange(x.size), np.zeros(x.size)
        self.hessian = lambda: self.C * bent.T @ bent

    def hinges(self):
        d, none = self.x.size, np.zeros(self.A.shape[0])
        linear, flat = np.full(d, self.m), np.zeros((d, d))
        return HingeModel(np.arange(d), self.A @ self.x, self.A, linear, flat, 0.0, 1.0, none, self.C, 0.5)


def largest_radius(x):
    return 10.0


@pytest.mark.parametrize("seed", range(4))
def test_with_kinks_it_ends_at_the_optimum_of_another_solver(seed):
    A = np.random.default_rng(seed).uniform(0.0, 1.0, (60, 12))
    evaluate = lambda x: KinkedPoint(A, x)  # noqa: E731
    start = minimise(evaluate, np.ones(12), lower=0.0, tol=1e-9, max_iterations=2)
    result = minimise_piecewise(evaluate, start, largest=largest_radius, tol=1e-9)
    C, m = KinkedPoint.C, KinkedPoint.m
    margins = {"type": "ineq", "fun": lambda v: A @ v[:12] + v[12:] - 1.0, "jac": lambda v: np.c_[A, np.eye(60)]}
    other = minimize(
        lambda v: (0.5 * C * v[12:] @ v[12:] + m * v[:12].sum(), np.r_[np.full(12, m), C * v[12:]]),
        np.r_[np.ones(12), np.zeros(60)],
        jac=True,
        bounds=[(0.0, None)] * 72,
        constraints=margins,
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-12},
    )
    assert result.exit is Exit.CONVERGED
    assert result.iterations < 60
    assert np.all(np.diff(result.values) <= 0.0)
    assert result.values[-1] == pytest.approx(other.fun, rel=1e-4)


def test_the_piecewise_iteration_counts_those_of_its_start_and_flags_the_limit():
    A = np.random.default_rng(0).uniform(0.0, 1.0, (60, 12))
    evaluate = lambda x: KinkedPoint(A, x)  # noqa: E731
    start = minimise(evaluate, np.ones(12), lower=0.0, max_iterations=2)
    result = minimise_piecewise(evaluate, start, largest=largest_radius, max_iterations=4)
    assert (result.exit, result.iterations) == (Exit.ITERATION_LIMIT, 4)
    assert result.values[0] == start.values[0]


@settings(max_examples=60, deadline=None)
@given(
    seed=SEEDS, d=st.integers(1, 8), log_C=st.floats(-2, 4), epsilon=st.sampled_from([0.1, 0.5]), rank=st.integers(0, 8)
)
def test_hinges_in_a_box_end_as_low_as_another_solver(seed, d, log_C, epsilon, rank):
    rng = np.random.default_rng(seed)
    margins, G, linear = rng.standard_normal(20), rng.standard_normal((20, d)), rng.standard_normal(d)
    root = rng.standard_normal((d, min(rank, d)))
    B, C = root @ root.T, 10.0**log_C
    lower, upper = -rng.uniform(0.01, 2.0, d), rng.uniform(0.01, 2.0, d)
    s, decrease = minimise_hinges(margins, G, linear, B, lower, upper, C, epsilon)

    def value(v):
        return C * loss(margins + G @ v, epsilon).sum() + linear @ v + 0.5 * v @ B @ v

    other = minimize(value, np.zeros(d), bounds=list(zip(lower, upper, strict=True)), method="L-BFGS-B")
    assert np.all((s >= lower) & (s <= upper))
    assert value(np.zeros(d)) - value(s) == pytest.approx(decrease, rel=1e-6, abs=1e-6 * C)
    assert decrease >= 0.98 * (value(np.zeros(d)) - other.fun) - 1e-9 * C
