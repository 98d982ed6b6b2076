"""Methods that are classifiers themselves: the test error of their own hyperplane, and which features it uses."""

from __future__ import annotations

import numpy as np

from marginfs.data.load import SplitData
from marginfs.types import IntArray, Measure, Selection


def own_classifier(selection: Selection, split: SplitData, *, iterations: int) -> list[Measure]:
    """Test error, number of features and the share of truly relevant ones, at the end and after each of `iterations`.

    A test point on the hyperplane counts as an error. A method that has converged keeps its last features.
    """
    w, b = selection.model["weights"], float(selection.model["bias"])
    used = np.flatnonzero(w)
    scores = split.y_test * (split.X_test[:, used] @ w[used] + b)
    measures = [
        Measure("test_error", 0, float(np.mean(scores <= 0.0))),
        *_features(0, selection.ranking[: selection.selected], split),
    ]
    if "iteration" in selection.trace:
        measures += _progress(selection, split, iterations)
    return measures


def _progress(selection: Selection, split: SplitData, iterations: int) -> list[Measure]:
    """Features after each iteration, the number of iterations, and how many more the first one kept than the last."""
    owner, feature = selection.trace["iteration"], selection.trace["feature"]
    last = int(owner.max())
    first_excess = np.count_nonzero(owner == 1) - np.count_nonzero(owner == last)
    measures = [Measure("iterations", 0, float(last)), Measure("first_excess", 0, float(first_excess))]
    for step in range(1, iterations + 1):
        measures += _features(step, feature[owner == min(step, last)], split)
    return measures


def _features(step: int, features: IntArray, split: SplitData) -> list[Measure]:
    measures = [Measure("features", step, float(len(features)))]
    if split.relevant is not None:
        measures.append(Measure("relevant_share", step, float(np.mean(features < split.relevant))))
    return measures
