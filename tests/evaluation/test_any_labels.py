"""Evaluations compare classes: whatever the two labels are called, the measures are the same."""

from __future__ import annotations

import numpy as np
import pytest

from marginfs.data.load import SplitData
from marginfs.errors import DataError
from marginfs.evaluation.hyperplane import hyperplane
from marginfs.evaluation.margin_curves import margin_curves
from marginfs.evaluation.ranking_curve import ranking_curve
from marginfs.evaluation.top_features import top_features
from marginfs.selectors.correlation import correlation
from marginfs.selectors.margin_elimination import kernel_elimination, mfe
from marginfs.selectors.zero_norm import weston

CASES = [
    (weston, hyperplane, {"iterations": 3}),
    (mfe, margin_curves, {}),
    (kernel_elimination, margin_curves, {}),
    (correlation, top_features, {"counts": [1, 3], "bound": True, "kernel": "gaussian", "C": 5.0}),
    (correlation, ranking_curve, {"C": 1.0}),
]


def split(labels) -> SplitData:
    """Separable training points, test points of both classes, and errors among them."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((60, 8))
    y = np.array(labels)[(X[:, 0] + 0.5 * X[:, 1] > 0).astype(int)]
    return SplitData(X[:15], y[:15], X[15:], y[15:])


def measures(selector, evaluation, options, data):
    selection = selector(data.X_train, data.y_train, rng=np.random.default_rng(0))
    return evaluation(selection, data, **options)


@pytest.mark.parametrize("labels", [(-1, 1), (0, 1), (False, True), ("benign", "malignant")])
@pytest.mark.parametrize(("selector", "evaluation", "options"), CASES)
def test_measures_do_not_depend_on_the_names_of_the_classes(selector, evaluation, options, labels):
    expected = measures(selector, evaluation, options, split((-1.0, 1.0)))
    assert any(measure.metric == "test_error" and 0 < measure.value < 1 for measure in expected)
    assert measures(selector, evaluation, options, split(labels)) == expected


@pytest.mark.parametrize(("selector", "evaluation", "options"), CASES[:3])
def test_a_test_label_that_was_not_trained_is_named(selector, evaluation, options):
    data = split((0, 1))
    data.y_test[0] = 2
    with pytest.raises(DataError, match="hold 2, and the training points only 0, 1"):
        measures(selector, evaluation, options, data)
