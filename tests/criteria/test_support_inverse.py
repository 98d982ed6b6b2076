"""Spans of support vectors against their geometric definition."""

from __future__ import annotations

import numpy as np
import pytest

from marginfs.criteria.support_inverse import inverse_block, squared_spans
from marginfs.kernels import Kernel
from svm_oracles import squared_span


@pytest.mark.parametrize("m", [2, 5, 12])
@pytest.mark.parametrize("kernel", [Kernel(), Kernel("gaussian", sigma=2.0)])
def test_spans_are_distances_from_the_hull_of_the_others(m, kernel):
    rng = np.random.default_rng(m)
    K = kernel.matrix(rng.normal(size=(m, 4))) + 0.1 * np.eye(m)
    y = rng.choice([-1.0, 1.0], m)
    expected = [squared_span(K, p) for p in range(m)]
    np.testing.assert_allclose(squared_spans(K * y * y[:, None], y), expected, rtol=1e-7)


def test_inverse_block_is_that_of_the_optimality_system():
    rng = np.random.default_rng(0)
    y = rng.choice([-1.0, 1.0], 9)
    X = rng.normal(size=(9, 20))
    Q = (X @ X.T) * y * y[:, None]
    H = np.block([[Q, y[:, None]], [y[None, :], np.zeros((1, 1))]])
    np.testing.assert_allclose(inverse_block(Q, y), np.linalg.inv(H)[:9, :9], atol=1e-9)


def test_a_duplicated_support_vector_has_no_span():
    X = np.array([[1.0, 0], [1, 0], [0, 1], [-1, -1]])
    y = np.array([1.0, 1, -1, -1])
    spans = squared_spans((X @ X.T) * y * y[:, None], y)
    assert spans[:2].max() < 1e-9
    assert spans[2:].min() > 0.1
