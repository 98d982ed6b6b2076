"""Rankings judged by an SVM that is trained again on the best features only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Unpack

import numpy as np

from marginfs.data.load import SplitData
from marginfs.errors import ConfigError
from marginfs.evaluation.declared import produces
from marginfs.solvers.multiclass import Classifier, Multiclass, train
from marginfs.solvers.sphere import enclosing_sphere
from marginfs.solvers.svm_options import Svm, SvmKeys
from marginfs.types import Measure, Selection


@produces("test_error", bound="bound", ranking_term="ranking_term")
def top_features(
    selection: Selection,
    data: SplitData,
    *,
    counts: Sequence[int] | Literal["all"] = (),
    final: int | None = None,
    bound: bool = False,
    ranking_term: bool = False,
    multiclass: Multiclass = "one_vs_one",
    **keys: Unpack[SvmKeys],
) -> list[Measure]:
    """Test error of an SVM on the first features of the ranking.

    Step k is the error on the first k features; step 0 that on as many as the method keeps by itself or, where it only
    ranks, on `final`.

    Parameters
    ----------
    selection : Selection
        What a selector found on the training part of `data`.
    data : SplitData
        The split.
    counts : sequence of int or "all"
        The numbers of features k.
    final : int, optional
        The number of features of step 0.
    bound : bool
        Also R^2 ||w||^2 / m of every SVM, on m training points.
    ranking_term : bool
        Also what each feature was worth when it was removed; the step is how many features there were.
    multiclass : {"one_vs_one", "one_vs_rest"}
        For more than two classes: a machine for every pair, or for every class against the rest.
    **keys : SvmKeys
        The SVM; tol is 1e-6 by default, enough for the sign of a decision.

    Returns
    -------
    list of Measure
        test_error and, where asked for, bound and ranking_term.
    """
    keys.setdefault("tol", 1e-6)
    svm = Svm.of(**keys)
    if bound and svm.slack != "l2":
        raise ConfigError(f"bound is for slack l2, and slack is {svm.slack}: write slack: l2, or leave bound out.")
    steps = range(1, len(selection.ranking) + 1) if counts == "all" else counts
    measures = []
    for step, count in [*((step, step) for step in steps), (0, selection.selected or final)]:
        if count is None:
            continue
        best = selection.ranking[:count]
        classifier = train(data.X_train[:, best], data.y_train, svm, multiclass)
        measures.append(Measure("test_error", step, classifier.error(data.X_test[:, best], data.y_test)))
        if bound:
            measures.append(Measure("bound", step, _radius_margin_bound(classifier, svm)))
    if ranking_term:
        measures += _ranking_terms(selection)
    return measures


def _radius_margin_bound(classifier: Classifier, svm: Svm) -> float:
    """R^2 ||w||^2 / m for the kernel K + I/C, in which the machine has a hard margin and ||w||^2 = sum alpha."""
    if len(classifier.coefficients) > 1:
        raise ConfigError(f"bound is for two classes, and the labels hold {classifier.classes.size}: leave bound out.")
    m = len(classifier.K)
    squared_radius = enclosing_sphere(classifier.K + svm.ridge * np.eye(m), tol=svm.tol).squared_radius
    return float(squared_radius * np.abs(classifier.coefficients[0]).sum() / m)


def _ranking_terms(selection: Selection) -> list[Measure]:
    """What each feature was worth when it was removed, at the number of features there were."""
    retained, relevance = selection.trace["retained"], selection.trace["relevance"]
    return [Measure("ranking_term", int(k), float(value)) for k, value in zip(retained, relevance, strict=True)]
