"""Weston's method and the SFM against the iteration written as the paper has it, solved by another LP interface."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from marginfs.errors import DataError, NotSeparableError
from marginfs.selectors.zero_norm import sfm, weston
from marginfs.solvers.lp import WeightedNormLP, separates

RNG = np.random.default_rng(0)


def separable(seed: int, n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    y = np.where(X[:, 0] - 0.5 * X[:, -1] > 0, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    X[:2, 0] += 10.0 * y[:2]
    return X, y


def literal(X: np.ndarray, y: np.ndarray, *, feature_machine: bool, iterations: int) -> tuple[np.ndarray, float]:
    """The paper's scheme word for word: scale the data by z, minimise |w|, multiply z by w; no state is kept."""
    n, d = X.shape
    z = np.ones(d)
    for _ in range(iterations):
        signed = y[:, None] * (X * z)
        A = np.hstack([signed, -signed, y[:, None]])
        bounds = [(0, None)] * (2 * d) + [(None, None)]
        kwargs = {"bounds": bounds, "method": "highs-ipm"}
        if feature_machine:
            result = linprog(
                np.r_[np.ones(2 * d), 0], A_ub=-A, b_ub=np.zeros(n), A_eq=A.mean(0)[None], b_eq=[1.0], **kwargs
            )
        else:
            result = linprog(np.r_[np.ones(2 * d), 0], A_ub=-A, b_ub=-np.ones(n), **kwargs)
        z = z * (result.x[:d] - result.x[d : 2 * d])
        z[np.abs(z) < 1e-7 * np.abs(z).max()] = 0.0
    return z, result.x[-1]


@pytest.mark.parametrize(("method", "feature_machine"), [(weston, False), (sfm, True)])
@pytest.mark.parametrize("seed", range(8))
def test_equals_the_scheme_as_printed(method, feature_machine, seed):
    X, y = separable(seed, n=25, d=12)
    selection = method(X, y, rng=RNG)
    iterations = int(selection.trace["iteration"].max())
    w, b = literal(X, y, feature_machine=feature_machine, iterations=iterations)
    np.testing.assert_allclose(selection.model["weights"], w, rtol=1e-4, atol=1e-6)
    assert selection.model["bias"] == pytest.approx(b, rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("method", [weston, sfm])
@pytest.mark.parametrize("unit", [1e-7, 1e7])
def test_the_unit_of_the_data_does_not_matter(method, unit):
    for seed in range(10):
        X, y = separable(seed, n=20, d=60)
        plain, scaled = method(X, y, rng=RNG), method(X * unit, y, rng=RNG)
        assert scaled.selected == plain.selected
        np.testing.assert_allclose(scaled.model["weights"] * unit, plain.model["weights"], rtol=1e-6, atol=1e-9)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(4, 30), d=st.integers(2, 40))
def test_result_separates_and_never_regains_features(seed, n, d):
    X, y = separable(seed, n, d)
    for method, side in ((weston, 1.0), (sfm, 0.0)):
        selection = method(X, y, rng=RNG)
        g = y * (X @ selection.model["weights"] + selection.model["bias"])
        assert g.min() >= side - 1e-5
        features = [set(selection.trace["feature"][selection.trace["iteration"] == i]) for i in range(1, 4)]
        assert features[0] >= features[1] >= features[2]
        assert selection.ranked == selection.selected
        kept = np.abs(selection.model["weights"])[selection.ranking[: selection.ranked]]
        assert np.all(np.diff(kept) <= 0)
        assert set(selection.ranking[: selection.selected]) == set(np.flatnonzero(selection.model["weights"]))


def test_the_feature_machine_is_normalised_as_in_equation_6():
    X, y = separable(3, 30, 10)
    selection = sfm(X, y, rng=RNG)
    w, b = selection.model["weights"], selection.model["bias"]
    assert w @ (y[:, None] * X).mean(0) + y.mean() * b == pytest.approx(1.0, abs=1e-7)


def test_first_program_has_the_objective_that_another_solver_finds():
    X, y = separable(5, 40, 60)
    lp = WeightedNormLP(y[:, None] * X, y, np.ones(40), np.full(40, np.inf))
    v, _ = lp.solve()
    A = np.hstack([y[:, None] * X, -y[:, None] * X, y[:, None]])
    bounds = [(0, None)] * 120 + [(None, None)]
    oracle = linprog(np.r_[np.ones(120), 0], A_ub=-A, b_ub=-np.ones(40), bounds=bounds, method="highs-ipm")
    assert np.abs(v).sum() == pytest.approx(oracle.fun, rel=1e-7)


@pytest.mark.parametrize("method", [weston, sfm])
def test_data_that_is_not_separable_is_refused(method):
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    y = np.array([1.0, -1.0, 1.0, -1.0])
    assert not separates(X, y)
    with pytest.raises(NotSeparableError, match="separable"):
        method(X, y, rng=RNG)


@pytest.mark.parametrize("method", [weston, sfm])
def test_one_class_is_refused(method):
    with pytest.raises(DataError, match="single class"):
        method(np.eye(3), np.ones(3), rng=RNG)
