"""Elimination paths judged by the classifier that each removal left: margin, squared weight length and test error."""

from __future__ import annotations

import numpy as np

from marginfs.data.load import SplitData
from marginfs.evaluation.declared import produces
from marginfs.evaluation.path_errors import path_errors
from marginfs.types import Measure, Selection


@produces("margin", "squared_length", "test_error", "set_misses")
def margin_curves(selection: Selection, data: SplitData) -> list[Measure]:
    """Each quantity at every number of retained features, and its mean over the path as step 0.

    Parameters
    ----------
    selection : Selection
        What a margin-elimination selector found on the training part of `data`.
    data : SplitData
        The split.

    Returns
    -------
    list of Measure
        margin, squared_length and test_error; and set_misses, the share of the steps at which the paper's candidate set
        S(i) misses the margin-optimal removal.
    """
    trace = selection.trace
    curves = {
        "margin": trace["margin"],
        "squared_length": trace["squared_length"],
        "test_error": path_errors(selection.model, data.X_train, data.y_train, data.X_test, data.y_test),
    }
    measures = [Measure("set_misses", 0, float(np.mean(trace["differs"])))]
    for metric, values in curves.items():
        measures.append(Measure(metric, 0, float(np.mean(values))))
        points = zip(trace["retained"], values, strict=True)
        measures += [Measure(metric, int(retained), float(value)) for retained, value in points]
    return measures
