"""Kernel margin-based elimination against kernels recomputed from their definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from margin_problems import separable
from marginfs.errors import ConfigError, NotSeparableError
from marginfs.searches.kernel_margin import eliminate_kernel
from marginfs.solvers.svm_dual import solve_dual
from marginfs.solvers.svm_options import Svm

KERNELS = [("gaussian", 0.05), ("gaussian", 0.6), ("polynomial", 2.0), ("polynomial", 3.0)]


def definition(U, V, kernel, parameter):
    if kernel == "gaussian":
        return np.exp(-parameter * np.square(U[:, None, :] - V[None, :, :]).sum(axis=2))
    return (1.0 + U @ V.T) ** parameter


def brute(X, y, alpha, b, kernel, parameter, features, little=False):
    """Margin, squared length and g of the machine restricted to the features."""
    V = X[:, features]
    h = definition(V, V, kernel, parameter) @ (alpha * y)
    length = (alpha * y) @ h
    g = y * (h + b)
    if not little:
        return g.min() / np.sqrt(length), length, g
    mirrored = h[y < 0].min() - h[y > 0].max()
    gap = mirrored if mirrored > 0 else h[y > 0].min() - h[y < 0].max()
    return gap / 2 / np.sqrt(length), length, g


def machine(seed, n, d, kernel, parameter, values=0):
    X, y = separable(seed, n, d, values=values)
    solution = solve_dual(definition(X, X, kernel, parameter), y, Svm(C=10.0, slack="l1"))
    return X, y, solution.alpha, solution.bias


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(3, 16),
    st.integers(2, 10),
    st.sampled_from(KERNELS),
    st.sampled_from(["margin", "rfe", "rfe_abs"]),
    st.booleans(),
)
def test_every_removal_is_the_best_by_its_criterion(seed, n, d, kernel, criterion, little):
    X, y, alpha, b = machine(seed, n, d, *kernel)
    C = 0.3
    path = eliminate_kernel(
        X, y, alpha, b, kernel=kernel[0], parameter=kernel[1], criterion=criterion, little=little, at_zero="soft",
        soft_penalty=C,
    )  # fmt: skip
    retained = np.arange(d)
    for i, feature in enumerate(path.removed):
        before = brute(X, y, alpha, b, *kernel, retained, little)
        assert path.margin[i] == pytest.approx(before[0], rel=1e-8, abs=1e-9)
        assert path.squared_length[i] == pytest.approx(before[1], rel=1e-9)
        after = {m: brute(X, y, alpha, b, *kernel, retained[retained != m], little) for m in retained}
        if criterion == "margin" and path.soft[i]:
            assert max(v[0] for v in after.values()) <= 1e-9
            if not little:
                score = {m: 0.5 * v[1] + C * np.maximum(0.0, 1.0 - v[2]).sum() for m, v in after.items()}
                assert score[feature] == pytest.approx(min(score.values()), rel=1e-8)
        elif criterion == "margin":
            assert after[feature][0] == pytest.approx(max(v[0] for v in after.values()), rel=1e-8, abs=1e-9)
        else:
            change = {m: before[1] - v[1] for m, v in after.items()}
            if criterion == "rfe_abs":
                change = {m: abs(v) for m, v in change.items()}
            assert change[feature] == pytest.approx(min(change.values()), rel=1e-7, abs=1e-9 * before[1])
        retained = retained[retained != feature]


@pytest.mark.parametrize(("kernel", "parameter"), [("gaussian", 0.005), ("gaussian", 0.2), ("polynomial", 2.0)])
def test_recursion_equals_recomputation_over_hundreds_of_steps(kernel, parameter):
    X, y, alpha, b = machine(7, 25, 250, kernel, parameter)
    path = eliminate_kernel(X, y, alpha, b, kernel=kernel, parameter=parameter, at_zero="soft")
    order = np.concatenate([path.removed, path.survivors])
    assert path.removed.size == 249
    for i in range(0, 250, 9):
        margin, length, _ = brute(X, y, alpha, b, kernel, parameter, order[i:])
        assert path.squared_length[i] == pytest.approx(length, rel=1e-10)
        assert path.margin[i] == pytest.approx(margin, rel=1e-10, abs=1e-10)


def test_polynomial_length_shrinks_and_gaussian_length_need_not():
    X, y, alpha, b = machine(3, 20, 40, "polynomial", 2.0)
    path = eliminate_kernel(X, y, alpha, b, kernel="polynomial", parameter=2.0, criterion="rfe", at_zero="soft")
    assert np.all(np.diff(path.squared_length) <= 1e-9 * path.squared_length[0])
    X, y, alpha, b = machine(3, 20, 40, "gaussian", 0.05)
    path = eliminate_kernel(X, y, alpha, b, parameter=0.05, criterion="rfe", at_zero="soft")
    assert np.any(np.diff(path.squared_length) > 1e-3 * path.squared_length[0])


def test_stop_and_refusals():
    X, y, alpha, b = machine(1, 20, 25, "gaussian", 0.04)
    path = eliminate_kernel(X, y, alpha, b, parameter=0.04)
    assert np.all(path.margin > 0)
    assert path.survivors.size > 1
    left = path.survivors
    after = [brute(X, y, alpha, b, "gaussian", 0.04, left[left != m]) for m in left]
    assert max(v[0] for v in after) <= 0
    assert np.all(np.diff([v[0] for v in after]) >= -1e-12), "the most relevant feature leaves the smallest margin"
    with pytest.raises(NotSeparableError, match="at_zero: soft"):
        eliminate_kernel(X, y, alpha, b + 100.0, parameter=0.04)
    with pytest.raises(ConfigError, match="degree"):
        eliminate_kernel(X, y, alpha, b, kernel="polynomial", parameter=1.5)
    with pytest.raises(ConfigError, match="criterion"):
        eliminate_kernel(X, y, alpha, b, parameter=0.04, criterion="best")
