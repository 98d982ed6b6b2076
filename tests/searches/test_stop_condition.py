"""The estimated number of features, on traces whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest

from marginfs.data.load import SplitData
from marginfs.errors import ConfigError
from marginfs.evaluation.stop_estimate import stop_estimate
from marginfs.searches.stop_condition import estimate_size
from marginfs.selectors.svm_rfe import svm_rfe
from marginfs.types import Selection


def traced(retained, relevance, train_accuracy):
    trace = {"retained": retained, "relevance": relevance, "train_accuracy": train_accuracy}
    return Selection(np.arange(len(retained)), trace={key: np.array(values) for key, values in trace.items()})


def test_one_block_falls_from_the_training_accuracy_to_chance_as_importance_leaves():
    found = estimate_size(traced([4] * 4, [0.0, 1.0, 3.0, 4.0], [0.9] * 4))
    np.testing.assert_allclose(found.accuracy, [0.9, 0.9, 0.9 - 0.4 / 8, 0.9 - 0.4 * 4 / 8])
    np.testing.assert_allclose(found.cost, 0.8 * (1 - found.accuracy) + 0.2 * np.array([4, 3, 2, 1]) / 4)
    assert found.sizes.tolist() == [4, 3, 2, 1]
    assert found.size == 2


def test_blocks_meet_at_the_true_training_accuracies():
    found = estimate_size(traced([5, 5, 5, 2, 2], [1.0, 1.0, 2.0, 5.0, 5.0], [1.0, 1.0, 1.0, 0.8, 0.8]))
    np.testing.assert_allclose(found.accuracy, [1.0, 0.95, 0.9, 0.8, 0.65])


def test_features_worth_nothing_share_the_fall_equally():
    found = estimate_size(traced([2, 2], [0.0, 0.0], [0.9, 0.9]))
    np.testing.assert_allclose(found.accuracy, [0.9, 0.7])


def test_estimate_of_a_real_elimination_finds_its_few_features():
    rng = np.random.default_rng(0)
    y = np.where(rng.random(200) < 0.5, 1, 0)
    X = rng.normal(size=(200, 40))
    X[:, :3] += 2.0 * y[:, None]
    found = svm_rfe(X, y, rng=rng, C=0.1, step=10)
    assert 1 <= estimate_size(found).size <= 6
    measures = stop_estimate(found, SplitData(X, y, X, y))
    assert measures[0] == ("estimated_features", 0, float(estimate_size(found).size))
    assert len(measures) == 82


def test_bad_input_is_named():
    with pytest.raises(ConfigError, match="use selector svm_rfe"):
        estimate_size(Selection(np.arange(3)))
    with pytest.raises(ConfigError, match="accuracy_weight is 2"):
        estimate_size(traced([1], [1.0], [1.0]), accuracy_weight=2)
