"""Estimators of scikit-learn behind the library's signature."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFE, SelectFromModel, SelectKBest, VarianceThreshold, f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from marginfs.errors import ConfigError, DataError
from marginfs.selectors.any_estimator import any_estimator
from marginfs.selectors.zero_norm import sfm


def scaled_rfe(keep=3):
    return make_pipeline(StandardScaler(), RFE(SVC(kernel="linear"), n_features_to_select=keep))


def chosen_by_weight():
    return SelectFromModel(LogisticRegression(), threshold="mean")


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((80, 8))
    return X, np.where(X[:, 2] + 0.8 * X[:, 5] + 0.3 * rng.standard_normal(80) > 0, "b", "a")


def select(problem, estimator, seed=0, **parameters):
    path = f"{estimator.__module__}:{estimator.__name__}"
    return any_estimator(*problem, rng=np.random.default_rng(seed), estimator=path, parameters=parameters)


def test_scores_order_the_features(problem):
    found = select(problem, SelectKBest, k=3)
    assert found.ranking.tolist() == np.argsort(-f_classif(*problem)[0]).tolist()
    assert (found.selected, found.ranked) == (3, None)


def test_a_pipeline_ends_with_the_step_that_tells(problem):
    X, y = problem
    found = select(problem, scaled_rfe, keep=3)
    whole = RFE(SVC(kernel="linear"), n_features_to_select=1).fit(StandardScaler().fit_transform(X), y)
    # Features behind the first three are in the order of their removal, the first three in that of their weights.
    assert found.ranking[3:].tolist() == np.argsort(whole.ranking_)[3:].tolist()
    best = found.ranking[:3]
    weights = SVC(kernel="linear").fit(StandardScaler().fit_transform(X)[:, best], y).coef_[0]
    assert np.all(np.diff(np.abs(weights)) < 0)
    assert found.selected == 3


def test_weights_order_the_features_and_are_the_model(problem):
    found = select(problem, LogisticRegression)
    fitted = LogisticRegression().fit(*problem)
    assert found.ranking.tolist() == np.argsort(-np.abs(fitted.coef_[0])).tolist()
    assert found.selected is None
    assert np.allclose(found.model["weights"], fitted.coef_[0])
    assert found.model["bias"] == pytest.approx(fitted.intercept_[0])


def test_importances_follow_the_stream(problem):
    first, again, other = (select(problem, RandomForestClassifier, seed, n_estimators=20) for seed in (1, 1, 2))
    assert set(first.ranking[:2]) == {2, 5}
    assert first.ranking.tolist() == again.ranking.tolist() != other.ranking.tolist()


def test_what_is_kept_comes_first_by_the_machine_inside(problem):
    found = select(problem, chosen_by_weight)
    weights = np.abs(LogisticRegression().fit(*problem).coef_[0])
    assert found.ranking.tolist() == np.argsort(-weights).tolist()
    assert set(found.ranking[:2]) == {2, 5}
    assert found.selected == 2


def test_a_bare_support_leaves_ties(problem):
    X, y = problem
    scaled = X * np.array([0.1, 2, 2, 0.1, 2, 2, 2, 2])
    found = select((scaled, y), VarianceThreshold, threshold=0.5)
    assert set(found.ranking[:6]) == {1, 2, 4, 5, 6, 7}
    assert (found.selected, found.ranked) == (6, 6)


def test_an_estimator_of_this_library_gives_what_its_selector_gives():
    X = np.random.default_rng(1).standard_normal((40, 30))
    y = np.where(X[:, :2].sum(axis=1) > 0, 1, -1)
    path = "marginfs:SupportFeatureMachine"
    found = any_estimator(X, y, rng=np.random.default_rng(0), estimator=path, parameters={"C": np.inf})
    expected = sfm(X, y, rng=np.random.default_rng(0))
    assert np.array_equal(found.ranking[: found.selected], expected.ranking[: expected.selected])
    assert np.array_equal(found.model["weights"], expected.model["weights"])


def test_what_says_nothing_of_features_is_refused(problem):
    with pytest.raises(ConfigError, match=r"SVC says of the 8 features neither ranking_, .* nor get_support"):
        select(problem, SVC)


def test_wrong_parameters_and_what_fit_refuses_are_named(problem):
    with pytest.raises(ConfigError, match="unexpected keyword argument 'bins'"):
        select(problem, SelectKBest, bins=3)
    with pytest.raises(DataError, match="The 'C' parameter of LogisticRegression"):
        select(problem, LogisticRegression, C=-1.0)
