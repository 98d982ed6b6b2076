"""Equation 4.37 for all features at once, against the Gram matrix computed again without each."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marginfs.criteria.removal_cost import removal_costs
from marginfs.errors import ConfigError
from marginfs.kernels import Kernel
from marginfs.solvers.kernel_svm import KernelSvm

KERNELS = [Kernel("polynomial", degree, 0.5) for degree in range(1, 10)]
KERNELS += [Kernel("linear"), *(Kernel("gaussian", sigma=sigma) for sigma in (0.2, 0.6, 2.0, 9.0))]


def definition(machine, reading):
    """DJ(k), the slow way, and the size of what is subtracted."""
    kernel, scale = machine.gram.kernel, machine.gram.scale
    factor = {"written": machine.signs, "run": 1.0, "run_positive": machine.signs > 0}[reading]
    a, X = machine.solution.alpha * factor, machine.gram.left.T
    ones = machine.solution.alpha + (reading != "written") * (machine.solution.alpha == 0)

    def value(points):
        if kernel.name == "gaussian":
            K = np.exp(-kernel.gamma * ((points[:, None] - points[None]) ** 2).sum(axis=2))
        else:
            K = scale * points @ points.T
            K = (K + kernel.offset) ** kernel.degree if kernel.name == "polynomial" else K
        return 0.5 * a @ K @ a, 0.5 * ones @ np.abs(K) @ ones

    whole, size = value(X)
    return np.array([whole - value(np.delete(X, k, axis=1))[0] for k in range(X.shape[1])]), size


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 10_000),
    st.sampled_from(KERNELS),
    st.booleans(),
    st.sampled_from(["written", "run", "run_positive"]),
    st.sampled_from([0.1, 1.0, 4.0]),
)
def test_all_at_once_is_the_definition(seed, kernel, scaled, reading, spread):
    rng = np.random.default_rng(seed)
    X = spread * rng.normal(size=(40, 6))
    y = np.where(X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=40) > 0, 1.0, -1.0)
    machine = KernelSvm(X, y, C=1.0, kernel=kernel, scaled=scaled, max_iterations=200)
    machine.remove(np.array([4]))
    costs, size = definition(machine, reading)
    np.testing.assert_allclose(removal_costs(machine, reading), costs, atol=1e-8 * size, rtol=1e-8)


def test_more_points_than_a_block():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(600, 4))
    y = np.where(X[:, 0] * X[:, 1] > 0, 1.0, -1.0)
    machine = KernelSvm(X, y, C=1e-4, kernel=Kernel("polynomial", 4, 1.0), scaled=True, max_iterations=5000)
    assert np.count_nonzero(machine.solution.alpha) > 512
    costs, size = definition(machine, "written")
    np.testing.assert_allclose(removal_costs(machine), costs, atol=1e-8 * size, rtol=1e-8)


def test_linear_kernel_gives_half_the_squared_weights():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(50, 8))
    machine = KernelSvm(X, np.where(X[:, 0] > 0, 1.0, -1.0), C=1.0, kernel=Kernel())
    np.testing.assert_allclose(removal_costs(machine), 0.5 * machine.weights**2, rtol=1e-10)


def test_a_kernel_matrix_that_rounds_to_the_identity_makes_ties_as_run_and_none_as_written():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 200))
    machine = KernelSvm(X, np.where(X[:, 0] > 0, 1.0, -1.0), C=1.0, kernel=Kernel("gaussian", sigma=1.5))
    assert np.unique(removal_costs(machine, "run")).size == 1
    assert np.unique(removal_costs(machine, "written")).size == 200


def test_rows_that_are_lost_beside_the_diagonal_change_no_bit_as_run():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(60, 400)) * np.linspace(0.8, 1.2, 60)[:, None]
    y = np.where(X[:, 0] > 0, 1.0, -1.0)
    machine = KernelSvm(X, y, C=0.5, kernel=Kernel("gaussian", sigma=2.8), max_iterations=500)
    a, X, gamma = machine.solution.alpha, machine.gram.left.T, machine.gram.kernel.gamma
    K = machine.gram.matrix()
    np.fill_diagonal(K, 0.0)
    assert (a > 0).all()
    assert (K @ a / a).min() < 2.0**-58
    assert (K @ a / a).max() > 2.0**-50

    def total(k):
        without = K * np.exp(gamma * (X[:, k, None] - X[:, k]) ** 2) if k is not None else K
        return sum(own * (own + row @ a) for own, row in zip(a, without, strict=True))

    costs = np.array([0.5 * (total(None) - total(k)) for k in range(400)])
    assert np.unique(costs).size > 20
    np.testing.assert_array_equal(removal_costs(machine, "run"), costs)


def test_points_of_weight_one_make_ties_of_large_kernel_values_as_run_and_none_as_written():
    rng = np.random.default_rng(4)
    X = 30.0 * rng.normal(size=(400, 20))
    y = np.where(X[:, 0] * X[:, 1] > 0, 1.0, -1.0)
    machine = KernelSvm(X, y, C=0.01, kernel=Kernel("polynomial", 3, 0.01), scaled=True)
    assert 0 < np.count_nonzero(machine.solution.alpha == 0) < 200
    assert np.unique(removal_costs(machine, "run")).size < 10
    assert np.unique(removal_costs(machine, "written")).size == 20


def test_unknown_reading_is_named():
    machine = KernelSvm(np.eye(4), np.array([1.0, 1, -1, -1]), C=1.0, kernel=Kernel())
    with pytest.raises(ConfigError, match="criterion is 'runn'"):
        removal_costs(machine, "runn")
