"""Kernel values over features that come and go, against kernels computed from nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel

from marginfs.kernels import Kernel
from marginfs.solvers.moving_gram import MovingGram, power


def direct(X, Z, kernel, scaled):
    gamma = 1.0 / X.shape[1] if scaled else 1.0
    if kernel.name == "gaussian":
        return rbf_kernel(X, Z, gamma=kernel.gamma)
    degree, offset = (kernel.degree, kernel.offset) if kernel.name == "polynomial" else (1, 0.0)
    return polynomial_kernel(X, Z, degree=degree, gamma=gamma, coef0=offset)


@settings(deadline=None, max_examples=40)
@given(
    st.integers(0, 1000),
    st.sampled_from(
        [Kernel(), Kernel("polynomial", 3, 0.5), Kernel("polynomial", 1, 1e-6), Kernel("gaussian", sigma=3)]
    ),
    st.booleans(),
    st.lists(st.integers(1, 3), max_size=5),
)
def test_after_any_moves_the_matrix_is_that_of_the_features_left(seed, kernel, scaled, moves):
    rng = np.random.default_rng(seed)
    X, Z = rng.normal(size=(9, 12)) * 10.0 ** rng.integers(-2, 3, 12), rng.normal(size=(5, 12))
    own, cross = (MovingGram(X, kernel=kernel, scaled=scaled), MovingGram(Z, X, kernel=kernel, scaled=scaled))
    features = np.arange(12)
    for count in moves:
        gone = rng.choice(features.size, min(count, features.size - 1), replace=False)
        features = np.delete(features, gone)
        own.remove(gone)
        cross.remove(gone)
        back = rng.integers(12, size=1)
        features = np.append(features, back)
        own.add(X[:, back])
        cross.add(Z[:, back], X[:, back])
    size = np.abs(direct(X[:, features], X[:, features], kernel, scaled)).max()
    np.testing.assert_allclose(own.matrix(), direct(X[:, features], X[:, features], kernel, scaled), atol=1e-9 * size)
    np.testing.assert_allclose(
        cross.matrix(), direct(Z[:, features], X[:, features], kernel, scaled), rtol=1e-7, atol=1e-9 * size
    )


@pytest.mark.parametrize("degree", range(1, 10))
def test_power(degree):
    sums = np.random.default_rng(degree).normal(size=(4, 6))
    for first in (0, 2):
        found = np.empty((4, 6 - first))
        power(sums, 0.5, -0.2, degree, found, first)
        np.testing.assert_allclose(found, (0.5 * sums[:, first:] - 0.2) ** degree, rtol=1e-13)


@pytest.mark.parametrize("kernel", [Kernel(), Kernel("polynomial", 5, 0.3), Kernel("gaussian", sigma=3)])
def test_rounded_is_the_matrix_in_single_precision_to_the_bit(kernel):
    X = np.random.default_rng(1).normal(size=(150, 40))
    gram = MovingGram(X[:, :30], kernel=kernel, scaled=True)
    gram.add(X[:, 30:])
    gram.remove(np.array([0, 7]))
    rounded = np.empty((150, 150), np.float32)
    gram.round_to(rounded)
    np.testing.assert_array_equal(rounded, gram.matrix().astype(np.float32))
    np.testing.assert_array_equal(gram.diagonal(), np.diagonal(gram.matrix()))


def test_gaussian_diagonal_is_exactly_one():
    X = np.random.default_rng(0).normal(size=(20, 30))
    gram = MovingGram(X, kernel=Kernel("gaussian", sigma=0.3))
    gram.remove(np.array([3, 5]))
    assert (np.diag(gram.matrix()) == 1.0).all()
