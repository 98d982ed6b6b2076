"""Linear margin-based elimination against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from margin_problems import brute_margin, follow, grid_little_margin, separable, trained
from marginfs.errors import ConfigError, NotSeparableError
from marginfs.searches.linear_margin import Walk, by_margin, by_weight

problems = st.tuples(st.integers(0, 10**6), st.integers(3, 24), st.integers(2, 40), st.sampled_from([0, 0, 2, 3]))


def problem(seed, n, d, values):
    """A random problem with its hyperplane: an SVM where separable, else a random direction that may not separate."""
    X, y = separable(seed, n, d, values=values)
    try:
        return X, y, *trained(X, y)
    except NotSeparableError:
        rng = np.random.default_rng(seed)
        return X, y, rng.standard_normal(d) * (rng.random(d) < 0.8) + 1e-3, rng.standard_normal() * 0.1


@settings(max_examples=150, deadline=None)
@given(problems, st.booleans())
def test_every_removal_has_the_largest_margin_of_all(args, little):
    X, y, w, b = problem(*args)
    path = by_margin(X, y, w, b, walk=Walk(little, "soft"))
    retained = list(range(X.shape[1]))
    for i, feature in enumerate(path.removed):
        margins = {
            m: brute_margin(X, y, w, b, np.array([k for k in retained if k != m]), little)
            for m in retained
            if np.any(w[[k for k in retained if k != m]])
        }
        best = max(margins.values(), default=-np.inf)
        if path.soft[i]:
            assert best <= 1e-9
        else:
            assert margins[feature] == pytest.approx(best, rel=1e-9, abs=1e-12)
            assert path.margin[i + 1] == pytest.approx(margins[feature], rel=1e-9, abs=1e-10)
        retained.remove(feature)
    assert sorted(path.ranking) == list(range(X.shape[1]))


@settings(max_examples=60, deadline=None)
@given(problems)
def test_soft_steps_minimise_the_soft_margin_objective(args):
    X, y, w, b = problem(*args)
    C = 0.7
    path = by_margin(X, y, w, b, walk=Walk(at_zero="soft", soft_penalty=C))
    retained = np.arange(X.shape[1])
    for i, feature in enumerate(path.removed):
        if path.soft[i]:
            objective = {}
            for m in retained:
                left = retained[retained != m]
                hinge = np.maximum(0.0, 1.0 - y * (X[:, left] @ w[left] + b)).sum()
                objective[m] = 0.5 * w[left] @ w[left] + C * hinge
            assert objective[feature] == pytest.approx(min(objective.values()), rel=1e-9, abs=1e-9)
        retained = retained[retained != feature]


@settings(max_examples=60, deadline=None)
@given(problems)
def test_sufficient_candidates_are_the_papers_set(args):
    X, y, w, b = problem(*args)
    path = by_margin(X, y, w, b, candidates="sufficient", walk=Walk(at_zero="soft"))
    delta = y[:, None] * X * w
    retained = np.arange(X.shape[1])
    for i, feature in enumerate(path.removed):
        g = delta[:, retained].sum(axis=1) + y * b
        margins = {
            m: brute_margin(X, y, w, b, retained[retained != m]) for m in retained if w[retained[retained != m]].any()
        }
        allowed = {m: v for m, v in margins.items() if delta[:, m].max() <= g.min() and v > 1e-12}
        if not path.soft[i]:
            assert margins[feature] == pytest.approx(max(allowed.values(), default=0.0), rel=1e-9, abs=1e-12)
            best = max(margins.values())
            if abs(best - margins[feature]) > 1e-9:
                assert path.differs[i]
        retained = retained[retained != feature]


def test_exact_and_sufficient_candidates_can_differ():
    counts = []
    for seed in range(30):
        X, y = separable(seed, 12, 20)
        w, b = trained(X, y)
        exact, sufficient = by_margin(X, y, w, b), by_margin(X, y, w, b, candidates="sufficient")
        same = min(exact.removed.size, sufficient.removed.size)
        first = np.flatnonzero(exact.removed[:same] != sufficient.removed[:same])
        where = np.flatnonzero(exact.differs)
        assert (first.size == 0) or first[0] == where[0]
        counts.append(exact.differs.sum())
    assert sum(counts) > 0


@settings(max_examples=60, deadline=None)
@given(problems)
def test_little_optimisation_never_lowers_the_margin_of_a_sequence(args):
    X, y, w, b = problem(*args)
    order = np.random.default_rng(args[0]).permutation(X.shape[1])
    plain = follow(X, y, w, b, order, walk=Walk(at_zero="soft"))
    little = follow(X, y, w, b, order, walk=Walk(True, "soft"))
    np.testing.assert_array_equal(plain.removed, little.removed)
    defined = np.isfinite(plain.margin)
    assert np.all(little.margin[defined] >= plain.margin[defined] - 1e-9)


@settings(max_examples=60, deadline=None)
@given(problems)
def test_little_optimisation_is_the_optimum_over_slope_and_intercept(args):
    X, y, w, b = problem(*args)
    path = follow(X, y, w, b, np.arange(X.shape[1]), walk=Walk(True, "soft"))
    for i in range(path.removed.size + 1):
        s, length = X[:, i:] @ w[i:], np.linalg.norm(w[i:])
        if path.margin[i] > 1e-9:
            assert path.margin[i] == pytest.approx(grid_little_margin(s, y, length), rel=1e-9)
            g = y * (path.scale[i] * s + path.bias[i])
            assert g.min() == pytest.approx(1.0, rel=1e-8)
            assert path.margin[i] == pytest.approx(1.0 / (abs(path.scale[i]) * length), rel=1e-9)


def test_the_mirrored_cone_is_found():
    X = np.array([[2.0, -1.0], [3.0, -1.5], [-2.0, 1.0], [-3.0, 1.2]])
    y = np.array([1.0, 1.0, -1.0, -1.0])
    w = np.array([1.0, 0.5])
    path = follow(X, y, w, 0.0, np.array([0, 1]), walk=Walk(True))
    assert path.margin[1] == pytest.approx(1.0)
    assert path.scale[1] < 0
    assert np.all(y * (path.scale[1] * 0.5 * X[:, 1] + path.bias[1]) >= 1.0 - 1e-12)
    chosen = by_margin(X, y, w, 0.0, walk=Walk(True))
    assert chosen.removed[0] == 1


@pytest.mark.parametrize("little", [False, True])
def test_recursion_equals_recomputation_over_hundreds_of_steps(little):
    X, y = separable(5, 30, 900)
    w, b = trained(X, y)
    w = w * np.logspace(0, 3, w.size)
    for path in (
        by_margin(X, y, w, b, walk=Walk(little, "soft")),
        by_weight(X, y, w, b, walk=Walk(little, "soft")),
        follow(X, y, w, b, np.random.default_rng(0).permutation(900), walk=Walk(little, "soft")),
    ):
        assert path.removed.size == 899
        order = np.concatenate([path.removed, path.survivors])
        for i in range(0, 900, 7):
            left = order[i:]
            assert path.squared_length[i] == pytest.approx(w[left] @ w[left], rel=1e-10)
            assert path.margin[i] == pytest.approx(brute_margin(X, y, w, b, left, little), rel=1e-10, abs=1e-10)


def test_weights_go_in_ascending_order_and_ties_by_index():
    X, y = separable(3, 8, 12)
    w, b = trained(X, y)
    w[[2, 7, 9]] = w[5]
    path = by_weight(X, y, w, b, walk=Walk(at_zero="soft"))
    order = np.concatenate([path.removed, path.survivors])
    np.testing.assert_array_equal(order, np.argsort(np.abs(w), kind="stable"))


@pytest.mark.parametrize("little", [False, True])
def test_equal_features_go_by_index(little):
    X, y = separable(11, 10, 15)
    X = np.repeat(X, 3, axis=1)
    w, b = trained(X, y)
    w = np.repeat(w[::3], 3)
    path = by_margin(X, y, w, b, walk=Walk(little))
    position = np.argsort(np.concatenate([path.removed, path.survivors[::-1]]))
    copies = position.reshape(-1, 3)
    gone = copies < path.removed.size
    for k in range(copies.shape[0]):
        assert np.all(np.diff(copies[k][gone[k]]) > 0)


def test_stop_ends_where_no_removal_keeps_the_separation():
    X, y = separable(1, 20, 30)
    w, b = trained(X, y)
    path = by_margin(X, y, w, b)
    assert path.survivors.size > 1
    assert path.retained[-1] == path.survivors.size
    assert np.all(path.margin > 0)
    margins = [brute_margin(X, y, w, b, path.survivors[path.survivors != m]) for m in path.survivors]
    assert max(margins) <= 0
    assert np.all(np.diff(margins) >= -1e-12), "the most relevant feature leaves the smallest margin"
    longer = by_margin(X, y, w, b, walk=Walk(at_zero="soft"))
    assert longer.survivors.size == 1
    np.testing.assert_array_equal(longer.removed[: path.removed.size], path.removed)
    assert longer.soft[path.removed.size]


def test_stop_of_a_fixed_order_keeps_the_rest_of_the_order():
    X, y = separable(1, 20, 30)
    w, b = trained(X, y)
    path = by_weight(X, y, w, b)
    assert path.survivors.size > 1
    np.testing.assert_array_equal(path.ranking, np.argsort(np.abs(w), kind="stable")[::-1])


def test_data_that_the_hyperplane_does_not_separate():
    X, y = separable(1, 20, 30)
    w, b = trained(X, y)
    with pytest.raises(NotSeparableError, match="at_zero: soft"):
        by_margin(X, y, -w, b)
    path = by_margin(X, y, -w, b, walk=Walk(at_zero="soft"))
    assert path.soft[0]
    assert path.removed.size == 29
    assert by_margin(X, y, -w, b, walk=Walk(True)).margin[0] > 0


def test_retraining_restores_the_maximal_margin():
    X, y = separable(2, 15, 60)

    def retrain(features):
        return trained(X[:, features], y)

    w, b = trained(X, y)
    path = by_margin(X, y, w, b, walk=Walk(retrain=retrain, retrain_every=7))
    plain = by_margin(X, y, w, b)
    np.testing.assert_array_equal(path.removed[:7], plain.removed[:7])
    assert path.margin[7] > plain.margin[7]
    order = np.concatenate([path.removed, path.survivors])
    for i in range(7, path.removed.size, 7):
        left = np.sort(order[i:])
        v, _ = retrain(left)
        assert path.margin[i] == pytest.approx(1.0 / np.linalg.norm(v), rel=1e-6)
    np.testing.assert_array_equal(path.epoch, np.arange(path.epoch.size) // 7)


def test_zero_weights_go_first_and_one_feature_stays():
    X, y = separable(4, 6, 10)
    w, b = trained(X[:, :6], y)
    w = np.concatenate([w, np.zeros(4)])
    path = by_margin(X, y, w, b, walk=Walk(at_zero="soft"))
    assert set(path.removed[:4]) == {6, 7, 8, 9}
    assert path.survivors.size == 1


@pytest.mark.parametrize(
    ("options", "key"),
    [({"at_zero": "go"}, "at_zero"), ({"soft_penalty": 0.0}, "soft_penalty"), ({"retrain_every": 3}, "retrain_every")],
)
def test_options_are_checked(options, key):
    with pytest.raises(ConfigError, match=key):
        Walk(**options)


def test_unknown_candidates_are_refused():
    X, y = separable(4, 6, 10)
    w, b = trained(X, y)
    with pytest.raises(ConfigError, match="candidates"):
        by_margin(X, y, w, b, candidates="all")


@pytest.mark.parametrize("little", [False, True])
@pytest.mark.parametrize(("seed", "n", "d", "tail"), [(0, 40, 900, 0.0), (1, 25, 700, 1.0), (2, 12, 1200, 0.5)])
def test_screened_choice_is_exact_with_many_features(seed, n, d, tail, little):
    X, y = separable(seed, n, d)
    X *= np.exp(tail * np.random.default_rng(seed).standard_normal(d))
    w, b = trained(X, y)
    path = by_margin(X, y, w, b, walk=Walk(little))
    delta = y[:, None] * X * w
    alive = np.ones(d, dtype=bool)
    for i, feature in enumerate(path.removed):
        left = np.flatnonzero(alive)
        total = delta[:, left].sum(axis=1)
        g = (total if little else total + y * b)[:, None] - delta[:, left]
        low, high = [g[y > 0].min(axis=0), g[y < 0].min(axis=0)], [g[y > 0].max(axis=0), g[y < 0].max(axis=0)]
        numerator = np.where(sum(high) < 0, -sum(high) / 2, sum(low) / 2) if little else np.minimum(*low)
        margins = numerator / np.sqrt((w[left] ** 2).sum() - w[left] ** 2)
        assert margins[left == feature][0] == pytest.approx(margins.max(), rel=1e-10), f"step {i}"
        alive[feature] = False
    assert path.evaluated.mean() < 0.2 * d
