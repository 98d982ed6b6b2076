"""The selectors of Rakotomamonjy (2003) against plain loops that train a machine afresh for every question."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import get_type_hints

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.feature_selection import RFE
from sklearn.svm import SVC

from marginfs.criteria import CRITERIA, load_criterion
from marginfs.criteria.machine import Machine
from marginfs.errors import ConfigError, NotSeparableError
from marginfs.kernels import Kernel
from marginfs.searches.backward import eliminate, step_rule
from marginfs.selectors.backward_elimination import backward_elimination, relevance
from marginfs.solvers.svm_options import Svm

RNG = np.random.default_rng(0)


def toy(n=40, d=15, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.where(X[:, 2] - X[:, 5] + 0.3 * rng.normal(size=n) > 0, 1.0, -1.0)
    return X, y


def slow_elimination(X, y, score):
    """Remove the feature of smallest score, everything computed afresh at every step."""
    left, removed = list(range(X.shape[1])), []
    while left:
        scores = score(X[:, left])
        removed.append(left.pop(int(np.argmin(scores))))
    return removed[::-1]


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("rank_by", ["change", "minimum"])
@pytest.mark.parametrize("order", ["zero", "zero_retrained"])
def test_zero_orders_follow_their_definition(criterion, order, rank_by):
    X, y = toy(n=20, d=6)
    kernel, face = Kernel("gaussian", sigma=2.0), load_criterion(criterion)

    def score(part):
        machine = Machine(part, y, Svm(kernel=kernel, C=100.0, tol=1e-10))
        if order == "zero_retrained" and part.shape[1] > 1:
            parts = [np.delete(part, k, axis=1) for k in range(part.shape[1])]
            without = np.array([face.value(Machine(p, y, Svm(kernel=kernel, C=100.0, tol=1e-10))) for p in parts])
        else:
            without = face.zero(machine)
        return np.abs(without - face.value(machine)) if rank_by == "change" else without

    options = {"kernel": "gaussian", "sigma": 2.0, "C": 100.0, "tol": 1e-10, "order": order, "rank_by": rank_by}
    selection = backward_elimination(X, y, rng=RNG, criterion=criterion, **options)
    assert selection.ranking.tolist() == slow_elimination(X, y, score)


@pytest.mark.parametrize("criterion", ["w2", "span"])
def test_first_order_finds_the_relevant_pair(criterion):
    X, y = toy(n=120, d=15)
    selection = backward_elimination(X, y, rng=RNG, criterion=criterion, C=1.0, order="first")
    assert {2, 5} <= set(selection.ranking[:4])


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(4, 40), d=st.integers(2, 12), C=st.sampled_from([1.0, 0.001]))
@example(seed=78262, n=37, d=9, C=1.0)
@example(seed=1584, n=32, d=11, C=1.0)
@example(seed=1792, n=30, d=4, C=1.0)
def test_every_step_is_trained_exactly_even_on_constant_and_equal_columns(seed, n, d, C):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, d)))
    y = np.where(X[:, 0] + rng.normal(size=n) > 0, 1.0, -1.0)
    y[0], y[1] = 1.0, -1.0
    X[:, rng.integers(d)] = 0.0
    X[:, rng.integers(d)] = X[:, 0]
    trace = backward_elimination(X, y, rng=RNG, C=C, slack="l1").trace
    for step, value in enumerate(trace["value"]):
        svc = SVC(kernel="linear", C=C, tol=1e-8).fit(X[:, trace["removed"][step:]], y)
        assert value == pytest.approx(np.sum(svc.coef_**2), rel=1e-5, abs=1e-9)


@pytest.mark.parametrize(("C", "slack"), [(1.0, "l1"), (0.05, "l1"), (100.0, "l2")])
@pytest.mark.parametrize("step", [1, 3, 0.3, "halving"])
def test_compiled_linear_loop_equals_the_general_search(C, slack, step):
    X, y = toy(n=50, d=80, seed=1)
    X[:, 7] = 1.0
    w2 = load_criterion("w2")
    fast = backward_elimination(X, y, rng=RNG, C=C, slack=slack, step=step, floor=20, tol=1e-10)
    machine = Machine(X, y, Svm(C=C, slack=slack, tol=1e-10))
    general = eliminate(machine, relevance(w2, "first", "change"), step=step_rule(step, 20), value=w2.value)
    np.testing.assert_array_equal(fast.ranking, general.ranking)
    for name in ("removed", "retained", "relevance", "value"):
        np.testing.assert_allclose(fast.trace[name], general.trace[name], rtol=1e-6, atol=1e-12)


def test_linear_elimination_equals_scikit_learns_rfe():
    X, y = toy(n=40, d=120, seed=2)
    rfe = RFE(SVC(kernel="linear", C=1.0, tol=1e-10), n_features_to_select=1, step=1).fit(X, y)
    selection = backward_elimination(X, y, rng=RNG, C=1.0, slack="l1", tol=1e-10)
    np.testing.assert_array_equal(selection.ranking, np.argsort(rfe.ranking_))


def test_zero_and_first_order_agree_for_the_linear_kernel():
    X, y = toy(d=30)
    first = backward_elimination(X, y, rng=RNG, C=1e5, order="first")
    zero = backward_elimination(X, y, rng=RNG, C=1e5, order="zero")
    np.testing.assert_array_equal(first.ranking, zero.ranking)
    np.testing.assert_allclose(first.trace["relevance"], 2 * zero.trace["relevance"])


def test_hard_margin_ends_with_a_clear_sentence_when_features_run_out():
    X, y = toy(n=60, d=20)
    with pytest.raises(NotSeparableError, match="60 training points are not separable"):
        backward_elimination(X, y, rng=RNG, C=np.inf)


@pytest.mark.parametrize(
    "options", [{"criterion": "w3"}, {"order": "second"}, {"rank_by": "size", "order": "zero"}, {"step": 0}]
)
def test_bad_options_are_named(options):
    X, y = toy()
    with pytest.raises(ConfigError, match=next(iter(options))):
        backward_elimination(X, y, rng=RNG, **{"C": 1.0, **options})


def test_criteria_are_named_in_the_signature_and_imported_when_used():
    (mark,) = get_type_hints(backward_elimination, include_extras=True)["criterion"].__metadata__
    assert mark.table is CRITERIA
    code = (
        "import sys, marginfs.criteria; before = set(sys.modules); marginfs.criteria.load_criterion('w2');"
        "print(*sorted(name for name in set(sys.modules) - before if name.startswith('marginfs.criteria')))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["marginfs.criteria.retraining", CRITERIA["w2"], "marginfs.criteria.support_inverse"]


MEMORY = """
import sys
import numpy as np
from marginfs.study.provenance import peak_memory_kilobytes
from marginfs.selectors.backward_elimination import backward_elimination
rng = np.random.default_rng(0)
X = rng.normal(size=(200, int(sys.argv[1])))
y = np.where(X[:, 0] > 0, 1.0, -1.0)
common = {"rng": rng, "C": 10.0, "step": 0.9}
for criterion in ("w2", "r2w2", "span"):
    for order in ("zero", "first"):
        backward_elimination(X, y, criterion=criterion, order=order, **common)
    backward_elimination(X, y, criterion=criterion, kernel="polynomial", **common)
    backward_elimination(X, y, criterion=criterion, kernel="gaussian", sigma=100.0, **common)
backward_elimination(X, y, kernel="gaussian", sigma=100.0, order="zero", **common)
print(peak_memory_kilobytes())
"""


def peak_kilobytes(d, cache):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", MEMORY, str(d)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return int(run.stdout)


def test_memory_stays_far_below_n_times_n_times_d(tmp_path):
    peak_kilobytes(20_000, tmp_path)  # fills a cache of its own, so that the compiler's memory is not measured
    assert peak_kilobytes(20_000, tmp_path) < 500_000
