"""Each criterion, in each order, against its definition: a separate problem per feature, solved by a QP library."""

from __future__ import annotations

import numpy as np
import pytest

from marginfs.criteria import CRITERIA, load_criterion
from marginfs.criteria.machine import Machine
from marginfs.errors import ConfigError
from marginfs.kernels import Kernel
from marginfs.solvers.svm_options import HARD_MARGIN, Svm
from svm_oracles import dual_alpha, squared_radius, squared_span

KERNELS = {
    "linear": Kernel(),
    "polynomial": Kernel("polynomial", degree=2),
    "gaussian": Kernel("gaussian", sigma=2.5),
}
C = 50.0


def awkward_data(n=24, d=9, seed=0):
    """A constant column, a duplicated column and a duplicated point."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.where(X[:, 0] - X[:, 1] + 0.5 * rng.normal(size=n) > 0, 1.0, -1.0)
    X[:, 4] = 1.0
    X[:, 6] = X[:, 5]
    X[3], y[3] = X[2], y[2]
    return X, y


def definition(name, X, y, kernel, alpha=None, beta=None, support=None):
    """The criterion of the machine with kernel K + I/C on these columns; kept multipliers where given."""
    K = kernel.matrix(X) + np.eye(y.size) / C
    Q = K * y * y[:, None]
    alpha = dual_alpha(Q, y) if alpha is None else alpha
    if name == "w2":
        return alpha @ Q @ alpha
    if name == "r2w2":
        radius = squared_radius(K) if beta is None else beta @ np.diag(K) - beta @ K @ beta
        return radius * (alpha @ Q @ alpha)
    s = np.flatnonzero(alpha > 1e-7 * alpha.max()) if support is None else support
    block = K[np.ix_(s, s)]
    return sum(alpha[p] * squared_span(block, i) for i, p in enumerate(s))


@pytest.fixture(params=KERNELS)
def setting(request):
    X, y = awkward_data()
    kernel = KERNELS[request.param]
    return X, y, kernel, Machine(X, y, Svm(kernel=kernel, C=C, tol=1e-11))


def columns_without(X):
    return [np.delete(X, k, axis=1) for k in range(X.shape[1])]


@pytest.mark.parametrize("name", CRITERIA)
def test_value(name, setting):
    X, y, kernel, machine = setting
    assert load_criterion(name).value(machine) == pytest.approx(definition(name, X, y, kernel), rel=1e-6)


@pytest.mark.parametrize("name", CRITERIA)
def test_zero_order_keeps_the_multipliers(name, setting):
    X, y, kernel, machine = setting
    kept = {"alpha": machine.solution.alpha, "beta": machine.sphere.beta, "support": machine.support}
    expected = [definition(name, part, y, kernel, **kept) for part in columns_without(X)]
    np.testing.assert_allclose(load_criterion(name).zero(machine), expected, rtol=1e-6)


@pytest.mark.parametrize("name", CRITERIA)
def test_zero_order_with_retraining_equals_a_refit_per_feature(name, setting):
    X, y, kernel, machine = setting
    expected = [definition(name, part, y, kernel) for part in columns_without(X)]
    np.testing.assert_allclose(load_criterion(name).zero_retrained(machine), expected, rtol=1e-6)


@pytest.mark.parametrize("name", CRITERIA)
def test_first_order_equals_finite_differences(name, setting):
    X, y, kernel, machine = setting
    h = 1e-5

    def value(scale):
        return load_criterion(name).value(Machine(X * scale, y, Svm(kernel=kernel, C=C, tol=1e-12)))

    differences = [(value(1 + h * unit) - value(1 - h * unit)) / (2 * h) for unit in np.eye(X.shape[1])]
    scale = np.abs(differences).max()
    np.testing.assert_allclose(load_criterion(name).first(machine), differences, atol=1e-6 * scale)


def test_linear_first_order_is_twice_the_squared_weight():
    X, y = awkward_data()
    machine = Machine(X, y, Svm(C=1.0, slack="l1"))
    w = machine.coefficients @ X
    np.testing.assert_allclose(load_criterion("w2").first(machine), -2 * w**2, rtol=1e-12, atol=1e-20)
    np.testing.assert_allclose(load_criterion("w2").zero(machine), w @ w - w**2, rtol=1e-12)


def test_retraining_says_infinite_where_a_feature_is_indispensable():
    X = np.array([[1.0, 0.3], [2.0, -0.1], [-1.0, 0.2], [-2.0, 0.1]])
    y = np.array([1.0, 1, -1, -1])
    without = load_criterion("w2").zero_retrained(Machine(X, y, HARD_MARGIN))
    assert np.isinf(without[0])
    assert without[1] == pytest.approx(1.0)


def test_machine_follows_features_out():
    X, y = awkward_data()
    machine = Machine(X, y, Svm(kernel=KERNELS["gaussian"], C=C, tol=1e-11))
    load_criterion("r2w2").value(machine)
    machine.remove(np.array([0, 4]))
    machine.remove(np.array([1]))
    fresh = Machine(X[:, machine.features], y, Svm(kernel=KERNELS["gaussian"], C=C, tol=1e-11))
    assert sorted(machine.features) == sorted(set(range(9)) - {0, 4, 2})
    for name in CRITERIA:
        value = load_criterion(name).value
        assert value(machine) == pytest.approx(value(fresh), rel=1e-9)


@pytest.mark.parametrize("name", ["r2w2", "span"])
def test_bounds_are_refused_for_linear_slack(name):
    X, y = awkward_data()
    with pytest.raises(ConfigError, match="slack"):
        load_criterion(name).value(Machine(X, y, Svm(C=1.0, slack="l1")))


def spans_by_inversion(machine: Machine) -> np.ndarray:
    """The zero-order span estimate by definition: [[K, 1], [1', 0]] inverted in long floats, without each feature."""
    s, found = machine.support, []
    for k in range(machine.features.size):
        X = np.delete(machine.gram.columns, k, axis=0)[:, s].astype(np.longdouble)
        ones = np.ones((s.size, 1))
        K = X.T @ X + machine.svm.ridge * np.eye(s.size)
        rows = np.hstack([np.block([[K, ones], [ones.T, np.zeros((1, 1))]]), np.eye(s.size + 1)])
        for i in range(s.size + 1):
            pivot = i + np.abs(rows[i:, i]).argmax()
            rows[[i, pivot]] = rows[[pivot, i]]
            rows[i] /= rows[i, i]
            others = np.arange(s.size + 1) != i
            rows[others] -= np.outer(rows[others, i], rows[i])
        inverse = rows[:, s.size + 1 :]
        found.append(float(machine.solution.alpha[s] @ (1.0 / np.diag(inverse)[:-1])))
    return np.array(found)


@pytest.mark.parametrize("penalty", [1e2, 1e5, 1e6, 1e8])
@pytest.mark.parametrize("d", [5, 20, 50])
def test_spans_of_the_linear_kernel_keep_their_digits_at_any_penalty(penalty, d):
    rng = np.random.default_rng(d)
    X = rng.normal(size=(60, d))
    y = np.sign(X @ rng.normal(size=d) + 2.0 * rng.normal(size=60))
    machine = Machine(X, y, Svm.of(C=penalty))
    np.testing.assert_allclose(load_criterion("span").zero(machine), spans_by_inversion(machine), rtol=1e-6)
