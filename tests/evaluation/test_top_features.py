"""The SVM on the best features: its error against scikit-learn's, the bound against a QP library, the ranking terms."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.svm import SVC

from marginfs.data.load import SplitData
from marginfs.errors import ConfigError
from marginfs.evaluation.top_features import top_features
from marginfs.selectors.all_features import all_features
from marginfs.selectors.backward_elimination import backward_elimination
from marginfs.types import Selection

C, SIGMA = 10.0, 1.5


@pytest.fixture(scope="module")
def data() -> SplitData:
    rng = np.random.default_rng(5)
    y = np.where(rng.random(140) < 0.5, 1.0, -1.0)
    X = rng.standard_normal((140, 5))
    X[:, 2] *= 2.0
    y = np.where(X[:, 2] ** 2 + X[:, 4] > 1.5, 1.0, -1.0)
    return SplitData(X[:40], y[:40], X[40:], y[40:])


def by_metric(measures, metric):
    return {measure.step: measure.value for measure in measures if measure.metric == metric}


def slow_error(data, features):
    """Quadratic slack is a hard margin on the kernel plus I/C, which scikit-learn solves as a precomputed one."""
    gram = np.exp(-_distances(data.X_train[:, features], data.X_train[:, features]) / (2 * SIGMA**2))
    machine = SVC(kernel="precomputed", C=1e9, tol=1e-8).fit(gram + np.eye(len(gram)) / C, data.y_train)
    cross = np.exp(-_distances(data.X_test[:, features], data.X_train[:, features]) / (2 * SIGMA**2))
    return float(np.mean(machine.predict(cross) != data.y_test)), machine


def _distances(A, B):
    return ((A[:, None, :] - B[None, :, :]) ** 2).sum(axis=2)


def test_errors_are_those_of_scikit_learn(data):
    ranking = np.array([2, 4, 0, 1, 3])
    measures = top_features(
        Selection(ranking), data, counts="all", final=2, kernel="gaussian", sigma=SIGMA, C=C, tol=1e-10
    )
    errors = by_metric(measures, "test_error")
    assert set(errors) == {0, 1, 2, 3, 4, 5}
    for count in range(1, 6):
        assert errors[count] == slow_error(data, ranking[:count])[0]
    assert errors[0] == errors[2]


def test_a_method_that_keeps_features_is_judged_on_them(data):
    selection = all_features(data.X_train, data.y_train, rng=np.random.default_rng(0))
    errors = by_metric(top_features(selection, data, final=2, kernel="gaussian", sigma=SIGMA, C=C), "test_error")
    assert errors == {0: slow_error(data, np.arange(5))[0]}


def test_bound_is_radius_times_margin_over_points(data):
    features = np.array([2, 4])
    measures = top_features(
        Selection(np.array([2, 4, 0, 1, 3])),
        data,
        counts=[2],
        bound=True,
        kernel="gaussian",
        sigma=SIGMA,
        C=C,
        tol=1e-10,
    )
    _, machine = slow_error(data, features)
    squared_norm = np.abs(machine.dual_coef_).sum()
    K = np.exp(-_distances(data.X_train[:, features], data.X_train[:, features]) / (2 * SIGMA**2)) + np.eye(40) / C
    assert by_metric(measures, "bound") == {2: pytest.approx(_squared_radius(K) * squared_norm / 40, rel=1e-5)}


def _squared_radius(K):
    """The smallest sphere by a general QP solver."""
    import daqp

    n = len(K)
    rows = np.ones((1, n))
    upper, lower = np.r_[np.full(n, 1e30), 1.0], np.r_[np.zeros(n), 1.0]
    _, value, _, _ = daqp.solve(2 * K, -np.diag(K).copy(), rows, upper, lower, np.r_[np.zeros(n), 5.0].astype(np.int32))
    return -value


def test_ranking_terms_are_the_trace_of_the_elimination(data):
    options = {"kernel": "gaussian", "sigma": SIGMA, "C": C}
    selection = backward_elimination(
        data.X_train,
        data.y_train,
        rng=np.random.default_rng(0),
        criterion="w2",
        order="zero",
        rank_by="dual",
        **options,
    )
    terms = by_metric(top_features(selection, data, ranking_term=True, **options), "ranking_term")
    assert list(terms) == [5, 4, 3, 2, 1]
    for remaining in (5, 3):
        assert terms[remaining] == pytest.approx(smallest_dual_objective(data, selection.ranking[:remaining]), rel=1e-6)


def smallest_dual_objective(data, features):
    """The smallest 2 sum(alpha) - alpha'Q^(i) alpha over i, with the alpha of scikit-learn's machine."""
    _, machine = slow_error(data, features)
    coefficients = np.zeros(40)
    coefficients[machine.support_] = machine.dual_coef_[0]
    values = []
    for left_out in features:
        kept = [feature for feature in features if feature != left_out]
        K = np.exp(-_distances(data.X_train[:, kept], data.X_train[:, kept]) / (2 * SIGMA**2)) + np.eye(40) / C
        values.append(2 * np.abs(coefficients).sum() - coefficients @ K @ coefficients)
    return min(values)


def test_the_bound_needs_quadratic_slack(data):
    with pytest.raises(ConfigError, match="slack l2"):
        top_features(Selection(np.arange(5)), data, counts=[1], bound=True, slack="l1", C=1.0)
