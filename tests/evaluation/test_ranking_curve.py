"""The error along a ranking, and the places of the features that are truly ranked."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

from marginfs.data.load import SplitData
from marginfs.errors import ConfigError
from marginfs.evaluation.ranking_curve import ranking_curve
from marginfs.evaluation.top_features import top_features
from marginfs.types import Selection


@pytest.fixture(scope="module")
def data() -> SplitData:
    """Three classes, which the first two of twelve features tell apart."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 150)
    X = rng.standard_normal((150, 12))
    X[:, :2] += 2.0 * np.array([[0, 1], [1, -1], [-1, -1]])[y]
    return SplitData(X[:60], y[:60], X[60:], y[60:])


def of(measures, metric):
    return {measure.step: measure.value for measure in measures if measure.metric == metric}


PEERS = {
    "one_vs_one": SVC(kernel="linear", C=1.0, tol=1e-8, break_ties=True),
    "one_vs_rest": OneVsRestClassifier(SVC(kernel="linear", C=1.0, tol=1e-8)),
}


@pytest.mark.parametrize("multiclass", PEERS)
def test_errors_of_three_classes_are_those_of_scikit_learn(data, multiclass):
    measures = ranking_curve(Selection(np.arange(12)), data, C=1.0, slack="l1", multiclass=multiclass)
    errors = of(measures, "test_error")
    assert list(errors) == [1, 2, 5, 10, 12]
    for count, error in errors.items():
        peer = PEERS[multiclass].fit(data.X_train[:, :count], data.y_train)
        assert error == np.mean(peer.predict(data.X_test[:, :count]) != data.y_test)


@pytest.mark.parametrize(
    ("ranked", "depth", "places"), [(None, 200, 12), (None, 3, 3), (5, 200, 5), (5, 3, 3), (0, 9, 0)]
)
def test_only_ranked_features_have_a_rank(data, ranked, depth, places):
    ranking = np.random.default_rng(1).permutation(12)
    ranks = of(ranking_curve(Selection(ranking, ranked=ranked), data, depth=depth, C=1.0), "rank")
    assert ranks == {int(feature) + 1: place for place, feature in enumerate(ranking[:places], 1)}


def test_the_bound_is_for_two_classes(data):
    with pytest.raises(ConfigError, match="bound is for two classes, and the labels hold 3"):
        top_features(Selection(np.arange(12)), data, counts=[1], bound=True, C=1.0)
