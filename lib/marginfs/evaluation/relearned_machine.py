"""Selections judged by a Gaussian machine that is tuned once more on the features that a method kept."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from marginfs.data.load import SplitData
from marginfs.evaluation.declared import produces
from marginfs.evaluation.kernel_machine import error_rate, true_and_false
from marginfs.evaluation.tuned_curve import tuned_curve
from marginfs.labels import signs
from marginfs.types import Measure, Selection


@produces("test_error", "tuned_C", "tuned_sigma", "features", "true_features", "false_features")
def relearned_machine(
    selection: Selection,
    data: SplitData,
    *,
    C: Sequence[float],
    sigma: Sequence[float],
    folds: int = 10,
    seed: int = 0,
    tol: float = 1e-4,
) -> list[Measure]:
    """Measure a machine on the selected features, unweighted, with C and sigma chosen by cross-validation.

    Parameters
    ----------
    selection : Selection
        A ranking, and how many of its features are selected; all where it does not say.
    data : SplitData
        The split that it was made on.
    C, sigma, folds, seed, tol : object
        As of `tuned_curve`.

    Returns
    -------
    list of Measure
        Every step is 0. Without a feature the machine says the more frequent class of the training part.
    """
    size = selection.ranking.size if selection.selected is None else selection.selected
    used = selection.ranking[:size]
    if size:
        curve = tuned_curve(selection, data, sizes=[size], C=C, sigma=sigma, folds=folds, seed=seed, tol=tol)
        numbers = {measure.metric: measure.value for measure in curve}
    else:
        majority = np.full(len(data.y_test), signs(data.y_train).sum())
        numbers = {"test_error": error_rate(majority, data.y_train, data.y_test)}
    numbers |= {"features": float(size), **true_and_false(used, data)}
    return [Measure(name, 0, value) for name, value in numbers.items()]
