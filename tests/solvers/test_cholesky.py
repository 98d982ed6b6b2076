"""The Cholesky factor, made and changed, against LAPACK's."""

from __future__ import annotations

import numpy as np
import pytest

from marginfs.solvers.cholesky import cholesky, delete


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


@pytest.mark.parametrize("size", [2, 3, 5, 8, 13, 30])
def test_a_row_taken_out_leaves_the_factor_of_the_rest(size):
    rng = np.random.default_rng(size)
    A, b, c = positive_definite(size, rng), rng.normal(size=size), rng.normal(size=size)
    L = np.linalg.cholesky(A)
    for row in range(size):
        stays = np.delete(np.arange(size), row)
        factor, first, second = L.copy(), np.linalg.solve(L, b), np.linalg.solve(L, c)
        delete(factor, size, row, first, second)
        expected = np.linalg.cholesky(A[np.ix_(stays, stays)])
        np.testing.assert_allclose(np.tril(factor[:-1, :-1]), expected, rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(first[:-1], np.linalg.solve(expected, b[stays]), rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(second[:-1], np.linalg.solve(expected, c[stays]), rtol=1e-6, atol=1e-8)
