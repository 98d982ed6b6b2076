"""The contract of every registered selector."""

from __future__ import annotations

import numpy as np
import pytest

from marginfs.engine import pack, unpack
from marginfs.errors import ConfigError
from marginfs.registry import EVALUATIONS, SELECTORS, evaluation, selector


def problem(n: int = 24, d: int = 7) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    X = rng.standard_normal((n, d))
    X[:, 3] += 6.0 * y
    return X, y


@pytest.mark.parametrize("name", sorted(SELECTORS))
class TestEverySelector:
    def test_ranks_every_feature_and_finds_the_one_that_matters(self, name):
        X, y = problem()
        selection = selector(name)(X, y, rng=np.random.default_rng(0))
        assert sorted(selection.ranking) == list(range(X.shape[1]))
        assert selection.ranking[0] == 3 or name == "all_features"
        assert selection.selected is None or 1 <= selection.selected <= X.shape[1]

    def test_same_input_same_output_and_input_untouched(self, name):
        X, y = problem()
        copies = X.copy(), y.copy()
        first, second = (pack(selector(name)(X, y, rng=np.random.default_rng(0))) for _ in range(2))
        assert first == second
        np.testing.assert_array_equal(X, copies[0])
        np.testing.assert_array_equal(y, copies[1])

    def test_survives_the_way_through_a_file(self, name):
        X, y = problem()
        record = pack(selector(name)(X, y, rng=np.random.default_rng(0)))
        assert pack(unpack(record)) == record


@pytest.mark.parametrize("name", sorted(EVALUATIONS))
def test_every_evaluation_can_be_loaded(name):
    assert evaluation(name).__name__ == name


def test_an_unknown_name_lists_those_that_exist():
    with pytest.raises(ConfigError, match=r"no selector is called 'sfmm'; did you mean 'sfm'\? known: .*weston"):
        selector("sfmm")
