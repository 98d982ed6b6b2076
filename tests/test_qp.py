"""The Cholesky factorisation behind the quadratic programs, against LAPACK's."""

from __future__ import annotations

import numpy as np
import pytest

from marginfs.solvers.qp import cholesky


def positive_definite(size, rng):
    factor = rng.normal(size=(size, size + 2))
    return factor @ factor.T


@pytest.mark.parametrize("size", [*range(14), 63, 64, 65, 66])
def test_factor_equals_lapacks_and_leaves_the_rest_alone(size):
    A = positive_definite(size + 1, np.random.default_rng(size))
    work = A.copy()
    assert cholesky(work, size)
    np.testing.assert_allclose(np.tril(work[:size, :size]), np.linalg.cholesky(A[:size, :size]), rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(work[size], A[size])


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7, 12, 13])
def test_a_matrix_that_is_not_positive_definite_is_refused(size):
    A = positive_definite(size, np.random.default_rng(size))
    for bad in range(size):
        indefinite = A.copy()
        indefinite[bad, bad] = -1.0
        assert not cholesky(indefinite, size)
