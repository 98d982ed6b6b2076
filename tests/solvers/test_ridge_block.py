"""Blocks with a ridge against numpy's solver."""

from __future__ import annotations

import numpy as np
import pytest

from marginfs.solvers.ridge_block import RidgeBlock


@pytest.mark.parametrize("size", [0, 1, 2, 7, 30])
@pytest.mark.parametrize("ridge", [0.5, -0.3])
def test_it_solves_for_vectors_and_matrices_also_where_the_block_is_indefinite(size, ridge):
    rng = np.random.default_rng(size)
    A = rng.standard_normal((40, 40))
    K = A @ A.T / 40.0
    q = np.sort(rng.permutation(40)[:size])
    M = K[np.ix_(q, q)] + ridge * np.eye(size)
    block = RidgeBlock(K, q, ridge)
    for right in (rng.standard_normal(size), rng.standard_normal((size, 1)), rng.standard_normal((size, 5))):
        kept = right.copy()
        np.testing.assert_allclose(block.solve(right), np.linalg.solve(M, right), rtol=1e-8, atol=1e-10)
        np.testing.assert_array_equal(right, kept)
