"""Methods that are classifiers themselves: the test error of their own hyperplane, and which features it uses."""

from __future__ import annotations

import numpy as np

from marginfs.data.load import SplitData
from marginfs.evaluation.declared import produces
from marginfs.labels import signs
from marginfs.types import IntArray, Measure, Selection


@produces("test_error", "features", "relevant_share", "iterations", "first_excess")
def hyperplane(selection: Selection, data: SplitData, *, iterations: int) -> list[Measure]:
    """Test error, number of features and the share of truly relevant ones, at the end and along the iterations.

    A test point on the hyperplane counts as an error. A method that has converged keeps its last features.

    Parameters
    ----------
    selection : Selection
        What a selector found on the training part of `data`; its model holds weights and bias.
    data : SplitData
        The split.
    iterations : int
        After how many iterations to measure, from the first on.

    Returns
    -------
    list of Measure
        test_error; features and, where the truth is known, relevant_share at step 0 (the end) and after each iteration;
        iterations and first_excess, how many more features the first iteration kept than the last.
    """
    w, b = selection.model["weights"], float(selection.model["bias"])
    used = np.flatnonzero(w)
    scores = signs(data.y_test, like=data.y_train) * (data.X_test[:, used] @ w[used] + b)
    measures = [
        Measure("test_error", 0, float(np.mean(scores <= 0.0))),
        *_features(0, selection.ranking[: selection.selected], data),
    ]
    if "iteration" in selection.trace:
        measures += _progress(selection, data, iterations)
    return measures


def _progress(selection: Selection, data: SplitData, iterations: int) -> list[Measure]:
    """Features after each iteration, the number of iterations, and how many more the first one kept than the last."""
    owner, feature = selection.trace["iteration"], selection.trace["feature"]
    last = int(owner.max())
    first_excess = np.count_nonzero(owner == 1) - np.count_nonzero(owner == last)
    measures = [Measure("iterations", 0, float(last)), Measure("first_excess", 0, float(first_excess))]
    for step in range(1, iterations + 1):
        measures += _features(step, feature[owner == min(step, last)], data)
    return measures


def _features(step: int, features: IntArray, data: SplitData) -> list[Measure]:
    measures = [Measure("features", step, float(len(features)))]
    if data.relevant is not None:
        measures.append(Measure("relevant_share", step, float(np.mean(features < data.relevant))))
    return measures
