"""A Gram matrix that follows features out, against fresh computation."""

from __future__ import annotations

import numpy as np
import pytest

from marginfs.kernels import Kernel
from marginfs.solvers.gram import Gram

KERNELS = [
    Kernel(),
    Kernel("polynomial", degree=1),
    Kernel("polynomial", degree=3, offset=0.5),
    Kernel("gaussian", sigma=3.0),
    Kernel("gaussian", sigma=1.0),
]
RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 9))
A = RNG.normal(size=30)
A[::4] = 0.0


@pytest.mark.parametrize("kernel", KERNELS)
def test_forms_without_each_feature(kernel):
    gram = Gram(X, kernel)
    without = [kernel.matrix(np.delete(X, k, axis=1)) for k in range(9)]
    np.testing.assert_allclose(gram.quadratic_without(A), [A @ K @ A for K in without], rtol=1e-10)
    np.testing.assert_allclose(gram.diagonal_without(A), [A @ np.diag(K) for K in without], rtol=1e-10)


@pytest.mark.parametrize("kernel", KERNELS)
def test_slopes_equal_finite_differences(kernel):
    gram, M = Gram(X, kernel), RNG.normal(size=(30, 30))
    M += M.T
    h = 1e-6
    steps = [(kernel.matrix(X * v), kernel.matrix(X * (2 - v))) for v in np.ones((9, 9)) + h * np.eye(9)]
    slopes = [(up - down) / (2 * h) for up, down in steps]
    scale = np.abs(slopes).sum()
    np.testing.assert_allclose(gram.slope(M), [np.sum(M * s) for s in slopes], atol=1e-8 * scale)
    np.testing.assert_allclose(gram.quadratic_slope(A), [A @ s @ A for s in slopes], atol=1e-8 * scale)
    np.testing.assert_allclose(gram.diagonal_slope(A), [A @ np.diag(s) for s in slopes], atol=1e-8 * scale)


@pytest.mark.parametrize("kernel", KERNELS)
def test_downdated_gram_stays_exact(kernel):
    rng = np.random.default_rng(1)
    wide = rng.normal(size=(20, 400)) * 10.0 ** rng.uniform(-2, 1, 400)
    wide[:, 7] = 3.0
    wide[:, 8] = wide[:, 9]
    if kernel.name == "gaussian":
        kernel = Kernel("gaussian", sigma=50 * kernel.sigma)
    gram = Gram(wide, kernel)
    while gram.features.size > 2:
        size = rng.choice([1, 1, 1, 5, gram.features.size // 3])
        gram.remove(rng.choice(gram.features.size, min(max(size, 1), gram.features.size - 1), replace=False))
        np.testing.assert_array_equal(gram.columns.T, wide[:, gram.features])
        fresh = kernel.matrix(wide[:, gram.features])
        np.testing.assert_allclose(gram.K, fresh, atol=1e-10 * np.abs(fresh).max())
