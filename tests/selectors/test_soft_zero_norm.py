"""Sparse hyperplanes with slack: the first program against SciPy, and the limit without slack."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from marginfs.errors import ConfigError
from marginfs.selectors.soft_zero_norm import soft_sfm, soft_weston
from marginfs.selectors.zero_norm import sfm, weston

RNG = np.random.default_rng(0)


def mixed(n=30, d=8, seed=0):
    """Classes that no hyperplane separates."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, np.where(X[:, 0] - X[:, 1] + 0.8 * rng.standard_normal(n) > 0, 1.0, -1.0)


def first_program(X, y, C, lower, mean_is_one):
    """Minimum of |v|_1 + C sum xi over v = p - q, b and xi, by SciPy."""
    n, d = X.shape
    signed = y[:, None] * X
    inequality = np.hstack([-signed, signed, -y[:, None], y[:, None], -np.eye(n)])
    u, bias = signed.mean(axis=0), y.mean()
    equality = {"A_eq": np.r_[u, -u, bias, -bias, np.zeros(n)][None], "b_eq": [1.0]} if mean_is_one else {}
    cost = np.r_[np.ones(2 * d), 0.0, 0.0, np.full(n, C)]
    return linprog(cost, A_ub=inequality, b_ub=np.full(n, -lower), **equality).fun


@pytest.mark.parametrize("C", [0.3, 1.0, 5.0])
@pytest.mark.parametrize(("method", "lower", "mean_is_one"), [(soft_weston, 1.0, False), (soft_sfm, 0.0, True)])
def test_one_iteration_solves_the_program_with_slack(method, lower, mean_is_one, C):
    X, y = mixed()
    found = method(X, y, rng=RNG, C=C, max_iterations=1)
    margins = y * (X @ found.model["weights"] + found.model["bias"])
    value = np.abs(found.model["weights"]).sum() + C * np.maximum(lower - margins, 0.0).sum()
    assert value == pytest.approx(first_program(X, y, C, lower, mean_is_one), rel=1e-6)
    if mean_is_one:
        assert margins.mean() == pytest.approx(1.0)


@pytest.mark.parametrize(("soft", "hard"), [(soft_weston, weston), (soft_sfm, sfm)])
def test_dear_slack_leaves_separable_data_to_the_method_without_it(soft, hard):
    X = np.random.default_rng(1).standard_normal((40, 60))
    y = np.where(X[:, :3].sum(axis=1) > 0, "b", "a")
    expected = hard(X, y, rng=RNG)
    for C in (1e3, np.inf):
        found = soft(X, y, rng=RNG, C=C)
        assert found.selected == found.ranked == expected.selected
        assert np.array_equal(found.ranking[: found.selected], expected.ranking[: found.selected])
        assert np.allclose(found.model["weights"], expected.model["weights"])
        assert sorted(found.ranking) == list(range(60))


@pytest.mark.parametrize("soft", [soft_weston, soft_sfm])
def test_iterations_leave_fewer_features(soft):
    X, y = mixed(80, 40, seed=2)
    once, ended = (soft(X, y, rng=RNG, max_iterations=most) for most in (1, 50))
    assert ended.selected < once.selected
    assert {0, 1} <= set(ended.ranking[: ended.selected])
    assert np.count_nonzero(ended.model["weights"]) == ended.selected


@pytest.mark.parametrize("soft", [soft_weston, soft_sfm])
def test_slack_must_cost_something(soft):
    with pytest.raises(ConfigError, match=r"C is 0\.0: write a positive number"):
        soft(*mixed(), rng=RNG, C=0.0)
