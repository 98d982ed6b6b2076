"""Rankings of data with unknown truth: the errors along the ranking, and the place of every feature near its top."""

from __future__ import annotations

from typing import Unpack

import numpy as np

from marginfs.data.load import SplitData
from marginfs.evaluation.declared import produces
from marginfs.labels import encode
from marginfs.solvers.multiclass import Classifier, Multiclass, train
from marginfs.solvers.svm_options import Svm, SvmKeys
from marginfs.types import FloatArray, Labels, Measure, Selection


@produces("test_error", "balanced_error", "auc", "majority_error", "rank")
def ranking_curve(
    selection: Selection,
    data: SplitData,
    *,
    depth: int | None = 200,
    size: int | None = None,
    multiclass: Multiclass = "one_vs_one",
    **keys: Unpack[SvmKeys],
) -> list[Measure]:
    """Errors on the 1, 2, 5, 10, 20, 50, ... best and on all features; `rank` of the best ones.

    A split without a test part gives the ranks alone.

    Parameters
    ----------
    selection : Selection
        What a selector found on the training part of `data`.
    data : SplitData
        The split.
    depth : int or None
        At most so many of the best features get a `rank`, or all; features that are tied get none.
    size : int or None
        The number of features that tuning chose; as many get a `rank` at least.
    multiclass : {"one_vs_one", "one_vs_rest"}
        As in `top_features`.
    **keys : SvmKeys
        The SVM; tol is 1e-6 by default, enough for the sign of a decision.

    Returns
    -------
    list of Measure
        By number of features test_error, balanced_error (the mean of the classes' errors) and, for two classes, auc;
        majority_error, that of the class which is most frequent in training, at step 0; rank by the feature's column,
        counted from one.
    """
    keys.setdefault("tol", 1e-6)
    svm = Svm.of(**keys)
    measures = []
    if data.y_test.size:
        measures.append(Measure("majority_error", 0, _majority_error(data.y_train, data.y_test)))
        for count in _one_two_five(len(selection.ranking)):
            best = selection.ranking[:count]
            classifier = train(data.X_train[:, best], data.y_train, svm, multiclass)
            measures += _errors(classifier, data.X_test[:, best], data.y_test, count)
    top = selection.ranking[: selection.ranked][: depth and max(depth, size or 0)]
    return measures + [Measure("rank", int(feature) + 1, float(place)) for place, feature in enumerate(top, 1)]


def area_under_curve(scores: FloatArray, positive: Labels) -> float:
    """Share of pairs of a positive and a negative point whose scores are in the right order; a tie counts one half.

    Parameters
    ----------
    scores : ndarray of shape (m,)
        Decision values.
    positive : ndarray of bool
        Which points are positive.

    Returns
    -------
    float
        The area; not a number where one class is missing.
    """
    if positive.all() or not positive.any():
        return float("nan")
    gaps = scores[positive][:, None] - scores[~positive]
    return float(np.mean((gaps > 0.0) + 0.5 * (gaps == 0.0)))


def _errors(classifier: Classifier, X: FloatArray, y: Labels, size: int) -> list[Measure]:
    by_class = [classifier.error(X[y == label], y[y == label]) for label in np.unique(y)]
    measures = [
        Measure("test_error", size, classifier.error(X, y)),
        Measure("balanced_error", size, float(np.mean(by_class))),
    ]
    if classifier.classes.size == 2:
        area = area_under_curve(classifier.decisions(X)[0], y == classifier.classes[1])
        measures.append(Measure("auc", size, area))
    return measures


def _majority_error(y_train: Labels, y_test: Labels) -> float:
    classes, codes = encode(y_train)
    return float(np.mean(y_test != classes[np.bincount(codes).argmax()]))


def _one_two_five(largest: int) -> list[int]:
    """1, 2, 5, 10, 20, 50, ... below `largest`, and `largest`."""
    counts = [factor * 10**power for power in range(len(str(largest))) for factor in (1, 2, 5)]
    return [count for count in counts if count < largest] + [largest]
