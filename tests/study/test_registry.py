"""The contract of every registered selector."""

from __future__ import annotations

import numpy as np
import pytest

from marginfs.errors import ConfigError, DataError
from marginfs.lookup import look_up
from marginfs.study.registry import EVALUATIONS, SELECTORS, entries_of, path_of
from marginfs.study.unit_jobs import pack, unpack
from marginfs.types import Selection

ANY_NUMBER_OF_CLASSES = {"all_features", "estimator", "mutual_information", "random_ranking", "relief", "svm_rfe"}
BLIND = {"all_features", "gaussian_svm", "random_ranking"}
WEIGHED = ("ao_efs", "full_fs", "gmkl", "margin_sharing_ao", "simple_ao")
OPTIONS = {
    **{key: {"C": 1.0, "mu": 0.5} for key in WEIGHED},
    "gaussian_svm": {"C": 1.0, "sigma": 3.0},
    "estimator": {"estimator": "sklearn.linear_model:LogisticRegression"},
}
"""What selectors need that have no defaults, because their papers tune these options or the user names a class."""


def problem(n: int = 24, d: int = 7) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    X = rng.standard_normal((n, d))
    X[:, 3] += 6.0 * y
    return X, y


def run(name: str, X: np.ndarray, y: np.ndarray) -> Selection:
    return look_up(SELECTORS[name])(X, y, rng=np.random.default_rng(0), **OPTIONS.get(name, {}))


@pytest.mark.parametrize("name", sorted(SELECTORS))
class TestEverySelector:
    def test_ranks_every_feature_and_finds_the_one_that_matters(self, name):
        X, y = problem()
        selection = run(name, X, y)
        assert sorted(selection.ranking) == list(range(X.shape[1]))
        assert selection.ranking[0] == 3 or name in BLIND
        assert selection.selected is None or 1 <= selection.selected <= X.shape[1]

    def test_same_input_same_output_and_input_untouched(self, name):
        X, y = problem()
        copies = X.copy(), y.copy()
        first, second = (pack(run(name, X, y)) for _ in range(2))
        assert first == second
        np.testing.assert_array_equal(X, copies[0])
        np.testing.assert_array_equal(y, copies[1])

    @pytest.mark.parametrize("labels", [(0, 1), (False, True), ("healthy", "ill"), (3.5, 7.0), (-1, 1)])
    def test_any_two_labels_do(self, name, labels):
        X, y = problem()
        expected = pack(run(name, X, y))
        other = np.array(labels)[(y > 0).astype(int)]
        assert pack(run(name, X, other)) == expected

    def test_three_classes_are_refused_or_made_use_of(self, name):
        X, _ = problem()
        y = np.arange(len(X)) % 3
        if name in ANY_NUMBER_OF_CLASSES:
            assert sorted(run(name, X, y).ranking) == list(range(X.shape[1]))
        else:
            with pytest.raises(DataError, match=r"3 classes \(0, 1, 2\), and this method is for two"):
                run(name, X, y)

    def test_says_how_much_of_the_ranking_is_an_order(self, name):
        X, y = problem()
        selection = run(name, X, y)
        kept = dict.fromkeys(("sfm", "weston", "soft_sfm", "soft_weston"), selection.selected)
        weights = {**kept, **dict.fromkeys(WEIGHED, selection.ranked)}
        expected = {"all_features": 0, "gaussian_svm": 0, **weights}
        assert selection.ranked == expected.get(name)
        assert name not in WEIGHED or selection.selected <= selection.ranked <= X.shape[1]

    def test_survives_the_way_through_a_file(self, name):
        X, y = problem()
        record = pack(run(name, X, y))
        assert pack(unpack(record)) == record


@pytest.mark.parametrize("name", sorted(EVALUATIONS))
def test_every_evaluation_can_be_loaded(name):
    assert look_up(EVALUATIONS[name]).__name__ == name


def test_an_unknown_name_lists_those_that_exist():
    with pytest.raises(ConfigError, match=r"here: no selector is called 'sfmm'; did you mean 'sfm'\? known: .*weston"):
        path_of("sfmm", SELECTORS, "here", "selector")


def test_an_option_that_names_a_part_leads_to_that_part_alone():
    path = SELECTORS["backward_elimination"]
    assert entries_of(path, {}) == [path, "marginfs.criteria.squared_norm"]
    assert entries_of(path, {"criterion": "span"}) == [path, "marginfs.criteria.span"]
