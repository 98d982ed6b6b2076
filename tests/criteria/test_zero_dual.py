"""Zero-order ranking by the dual objective: its definition, and where it agrees with the other readings."""

from __future__ import annotations

import numpy as np
import pytest

from marginfs.criteria import CRITERIA, load_criterion
from marginfs.criteria.machine import Machine
from marginfs.kernels import Kernel
from marginfs.selectors.backward_elimination import backward_elimination
from marginfs.solvers.svm_options import Svm
from marginfs.types import FloatArray

C = 20.0
KERNELS = {"linear": Kernel(), "gaussian": Kernel("gaussian", sigma=2.0)}


@pytest.fixture(scope="module")
def problem() -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(11)
    y = np.where(np.arange(30) % 2 == 0, 1.0, -1.0)
    X = rng.standard_normal((30, 6))
    X[:, 0] += y
    X[:, 3] += 0.5 * y
    return X, y


@pytest.mark.parametrize("name", KERNELS)
def test_definition(problem, name):
    X, y = problem
    machine = Machine(X, y, Svm(kernel=KERNELS[name], C=C))
    alpha, beta = machine.solution.alpha, machine.sphere.beta
    margin, bound = (load_criterion(criterion).zero_dual(machine) for criterion in ("w2", "r2w2"))
    for feature in range(X.shape[1]):
        K = KERNELS[name].matrix(np.delete(X, feature, axis=1)) + np.eye(len(y)) / C
        squared_norm = 2.0 * alpha.sum() - (alpha * y) @ K @ (alpha * y)
        squared_radius = beta @ np.diag(K) - beta @ K @ beta
        assert margin[feature] == pytest.approx(squared_norm, rel=1e-9)
        assert bound[feature] == pytest.approx(squared_norm * squared_radius, rel=1e-9)


def test_equals_the_smallest_change_for_a_linear_kernel(problem):
    X, y = problem
    rng = np.random.default_rng(0)
    rankings = [
        backward_elimination(X, y, rng=rng, order="zero", rank_by=rank_by, C=C).ranking
        for rank_by in ("dual", "change")
    ]
    np.testing.assert_array_equal(*rankings)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_equals_the_smallest_value_after_retraining(problem, criterion):
    X, y = problem
    options = {"criterion": criterion, "order": "zero_retrained", "kernel": "gaussian", "sigma": 2.0, "C": C}
    dual, minimum = (
        backward_elimination(X, y, rng=np.random.default_rng(0), rank_by=rank_by, **options)
        for rank_by in ("dual", "minimum")
    )
    np.testing.assert_array_equal(dual.ranking, minimum.ranking)
