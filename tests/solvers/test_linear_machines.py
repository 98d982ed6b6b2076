"""The linear machines that features leave or join, against the primal solver, pair steps and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC

from marginfs.errors import NotSeparableError
from marginfs.kernels import Kernel
from marginfs.solvers.dual_svm import DualSvm
from marginfs.solvers.growing_linear import growing_decisions
from marginfs.solvers.kernel_svm import KernelSvm
from marginfs.solvers.primal_svm import PrimalSvm
from marginfs.solvers.smo import solve_smo
from marginfs.solvers.svm_options import Svm


def problem(seed, n, d):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    y = np.where(X[:, 0] + 0.5 * rng.standard_normal(n) > 0, 1.0, -1.0)
    y[:2] = [1.0, -1.0]
    return X, y


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(6, 30), st.integers(2, 20), st.sampled_from([0.1, 1.0, 10.0]))
def test_dual_is_primal_as_features_leave(seed, n, d, C):
    X, y = problem(seed, n, d)
    dual, primal = DualSvm(X, y, Svm(C=2.0 * C, slack="l2")), PrimalSvm(X, y, C=C, bias="free", tol=1e-10)
    for left in range(d, 0, -1):
        assert np.allclose(dual.weights, primal.weights, atol=1e-5)
        assert dual.bias == pytest.approx(primal.bias, abs=1e-5)
        if left > 1:
            position = np.array([seed % left])
            dual.remove(position)
            primal.remove(position)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(6, 25), st.integers(1, 15), st.sampled_from([0.1, 1.0, 10.0]))
def test_growing_decisions_are_those_of_machines_trained_afresh(seed, n, d, C):
    X, y = problem(seed, n, d)
    Z = np.random.default_rng(seed + 1).standard_normal((7, d))
    sizes = np.unique(np.linspace(1, d, 5).astype(np.int64))
    values = growing_decisions(X, y, Z, Svm(C=2.0 * C, slack="l2"), sizes)
    for size, row in zip(sizes, values, strict=True):
        machine = PrimalSvm(X[:, :size], y, C=C, bias="free", tol=1e-10)
        assert np.allclose(row, Z[:, :size] @ machine.weights + machine.bias, atol=1e-5)


def test_growing_decisions_with_hinge_loss_are_those_of_libsvm():
    X, y = problem(3, 40, 12)
    Z = np.random.default_rng(4).standard_normal((9, 12))
    values = growing_decisions(X, y, Z, Svm(C=1.0, slack="l1"), np.arange(1, 13))
    for size, row in enumerate(values, 1):
        machine = SVC(kernel="linear", tol=1e-10).fit(X[:, :size], y)
        assert np.allclose(row, machine.decision_function(Z[:, :size]), atol=1e-5)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(20, 90), st.integers(2, 25), st.sampled_from([1e-3, 0.1, 2.0]), st.booleans())
@example(3, 20, 3, 1e-3, False)
def test_uncapped_hinge_machine_is_libsvms_optimum_as_features_leave_and_come(seed, n, d, C, scaled):
    X, y = problem(seed, n, d)
    X = 3.0 * X + 1.0
    machine = KernelSvm(X, y, C=C, kernel=Kernel(), scaled=scaled)
    features = np.arange(d)
    for _ in range(3):
        K = X[:, features] @ X[:, features].T / (features.size if scaled else 1)
        peer = SVC(kernel="precomputed", C=C, tol=1e-10).fit(K, y)
        a, S = peer.dual_coef_[0], X[np.ix_(peer.support_, features)]
        w, terms = a @ S, np.abs(a) @ np.abs(S)  # on noise alone, the terms cancel and w is 0
        np.testing.assert_allclose(machine.weights, w, atol=1e-3 * np.abs(w).max() + 1e-6 * terms.max())
        b = machine.coefficients
        primal = 0.5 * b @ K @ b + C * np.maximum(1.0 - y * machine.scores, 0.0).sum()
        assert primal == pytest.approx(np.abs(b).sum() - 0.5 * b @ K @ b, rel=1e-7)
        machine.remove(np.array([seed % d]))
        features = np.append(np.delete(features, seed % d), seed % 2)
        machine.add(X[:, [seed % 2]])


def test_newton_steps_and_pair_steps_meet():
    X, y = problem(5, 120, 30)
    machine = KernelSvm(X, y, C=0.5, kernel=Kernel())
    order = np.argsort(y, kind="stable")
    pairs = solve_smo(X[order] @ X[order].T, y[order], C=0.5, tol=1e-10, single=False)
    np.testing.assert_allclose(machine.solution.alpha, pairs.alpha, atol=1e-6)
    np.testing.assert_allclose(machine.solution.scores, pairs.scores, atol=1e-6)
    assert machine.bias == pytest.approx(pairs.bias, abs=1e-6)
    assert machine.solution.iterations < 0.2 * pairs.iterations


def test_a_hard_margin_on_mixed_classes_is_refused():
    X, y = problem(5, 40, 2)
    with pytest.raises(NotSeparableError, match="not separable"):
        growing_decisions(X, y, X, Svm(), np.array([1, 2]))
