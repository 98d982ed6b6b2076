"""The enclosing sphere against a QP library and elementary geometry."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marginfs.kernels import Kernel
from marginfs.solvers.sphere import enclosing_sphere
from svm_oracles import squared_radius


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 25), d=st.integers(1, 12), gaussian=st.booleans())
def test_sphere_encloses_and_touches(seed, n, d, gaussian):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, d)), 1)
    K = Kernel("gaussian" if gaussian else "linear", sigma=2.0).matrix(X)
    sphere = enclosing_sphere(K, tol=1e-10)
    distances = np.diag(K) - 2 * K @ sphere.beta + sphere.beta @ K @ sphere.beta
    assert sphere.beta.min() >= 0
    assert sphere.beta.sum() == pytest.approx(1)
    assert distances.max() == pytest.approx(sphere.squared_radius, abs=1e-8)


@pytest.mark.parametrize("kernel", [Kernel(), Kernel("gaussian", sigma=3.0), Kernel("polynomial")])
def test_radius_equals_that_of_a_qp_library(kernel):
    K = kernel.matrix(np.random.default_rng(0).normal(size=(40, 6)))
    expected = squared_radius(K)
    assert enclosing_sphere(K, tol=1e-10).squared_radius == pytest.approx(expected, rel=1e-8)
    start = np.full(40, 1 / 40)
    assert enclosing_sphere(K, tol=1e-10, beta=start).squared_radius == pytest.approx(expected, rel=1e-8)


def test_known_spheres():
    square = np.array([[0.0, 0], [0, 2], [2, 0], [2, 2]])
    assert enclosing_sphere(square @ square.T).squared_radius == pytest.approx(2)
    assert enclosing_sphere(np.ones((3, 3))).squared_radius == pytest.approx(0)
