"""What an elimination says of the best number of features without any test data (section 5.4 of planas2021)."""

from __future__ import annotations

from typing import Unpack

import numpy as np

from marginfs.data.load import SplitData
from marginfs.evaluation.declared import produces
from marginfs.evaluation.validation_phase import validation_phase
from marginfs.searches.stop_condition import estimate_size
from marginfs.selectors.svm_rfe import svm_rfe
from marginfs.solvers.large_svm import LargeSvmKeys
from marginfs.types import Measure, Selection


@produces(
    "estimated_features",
    "estimated_share",
    "estimated_accuracy",
    "estimated_cost",
    accuracy="full_step",
    train_accuracy="full_step",
    elimination_accuracy="full_step",
    cost="full_step",
    best_size="full_step",
    missed_share="full_step",
)
def stop_estimate(
    selection: Selection,
    data: SplitData,
    *,
    accuracy_weight: float = 0.8,
    full_step: int | None = None,
    stride: int = 1,
    **keys: Unpack[LargeSvmKeys],
) -> list[Measure]:
    """The estimates of the stop condition and, to judge them, the validation phase of a full elimination.

    Parameters
    ----------
    selection : Selection
        What `svm_rfe` found, with few iterations.
    data : SplitData
        The split.
    accuracy_weight : float
        Weight of the error in the cost.
    full_step : int or None
        Step of the full elimination that is validated; None for the estimates alone.
    stride : int
        Distance between the numbers of features at which it is validated.
    **keys : LargeSvmKeys
        The machine of the full elimination and its validation.

    Returns
    -------
    list of Measure
        estimated_features, and its share of all features, at step 0; estimated_accuracy and estimated_cost at every
        number of features; what `validation_phase` says of the full elimination, and the distance of its best size
        from the estimate as a share of all features.
    """
    found = estimate_size(selection, accuracy_weight=accuracy_weight)
    total = selection.ranking.size
    measures = [
        Measure("estimated_features", 0, float(found.size)),
        Measure("estimated_share", 0, found.size / total),
    ]
    for size, accuracy, cost in zip(found.sizes, found.accuracy, found.cost, strict=True):
        measures.append(Measure("estimated_accuracy", int(size), float(accuracy)))
        measures.append(Measure("estimated_cost", int(size), float(cost)))
    if full_step is None:
        return measures
    full = svm_rfe(data.X_train, data.y_train, rng=np.random.default_rng(0), step=full_step, **keys)
    validated = validation_phase(full, data, stride=stride, accuracy_weight=accuracy_weight, **keys)
    best = next(measure.value for measure in validated if measure.metric == "best_size")
    return [*measures, *validated, Measure("missed_share", 0, abs(best - found.size) / total)]
