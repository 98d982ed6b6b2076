"""Kernel values of support vectors, followed as features leave, against the definition."""

from __future__ import annotations

import numpy as np
import pytest

from marginfs.searches.support_gram import SupportGram, _gaussian_response, kernel_of

KERNELS = [("gaussian", 0.05), ("gaussian", 0.6), ("polynomial", 2.0), ("polynomial", 3.0)]
RNG = np.random.default_rng(0)
X = RNG.standard_normal((20, 30))
SUPPORT = np.array([1, 4, 5, 11, 17])
A = RNG.standard_normal(5)


def definition(X, kernel, parameter):
    """Kernel values between support vectors and samples."""
    if kernel == "gaussian":
        return np.exp(-parameter * np.square(X[SUPPORT][:, None, :] - X[None, :, :]).sum(axis=2))
    return (1.0 + X[SUPPORT] @ X.T) ** parameter


@pytest.mark.parametrize(("kernel", "parameter"), KERNELS)
def test_values_and_responses_equal_their_definition_as_features_leave(kernel, parameter):
    gram = SupportGram(X, SUPPORT, kernel, parameter)
    rng = np.random.default_rng(1)
    while gram.features.size > 3:
        left = gram.features
        expected = definition(X[:, left], kernel, parameter)
        np.testing.assert_allclose(gram.values, expected, rtol=1e-9, atol=1e-12)
        assert gram.largest == pytest.approx(np.abs(expected).max())
        without = [A @ definition(X[:, np.delete(left, k)], kernel, parameter) for k in range(left.size)]
        np.testing.assert_allclose(gram.responses_without(A), without, atol=1e-10 * np.abs(without).max())
        gram.remove(rng.choice(left.size, rng.integers(1, 3), replace=False))
        assert np.all(np.diff(gram.features) > 0)


@pytest.mark.parametrize("beta", [1e-6, 0.01, 0.4, 3.0])
def test_the_vector_exponential(beta):
    rng = np.random.default_rng(0)
    x, K, a = rng.standard_normal(40), rng.random((12, 40)), rng.standard_normal(12)
    support = rng.permutation(40)[:12]
    h, expected = np.zeros(40), a @ (K * np.exp(beta * np.square(x[support][:, None] - x)))
    scale = np.abs(a) @ (K * np.exp(beta * np.square(x[support][:, None] - x)))
    _gaussian_response(x, support, K, a, beta, h, np.empty(40))
    assert np.all(np.abs(h - expected) <= 1e-13 * scale)


def test_kernels_are_those_of_the_paper():
    for kernel, parameter in KERNELS:
        values = kernel_of(kernel, parameter).matrix(X)[SUPPORT]
        np.testing.assert_allclose(values, definition(X, kernel, parameter), rtol=1e-10)
