"""Elimination paths judged by the classifier that each removal left: margin, squared weight length and test error."""

from __future__ import annotations

import numpy as np

from marginfs.data.load import SplitData
from marginfs.evaluation.declared import produces
from marginfs.evaluation.path_errors import path_errors, path_lengths
from marginfs.types import Measure, Selection


@produces("margin", "squared_length", "test_error", "set_misses", "length_rise", "recursion_gap")
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
        margin, squared_length and test_error. At step 0 alone: set_misses, the share of the steps at which the paper's
        candidate set S(i) misses the margin-optimal removal; length_rise, the largest rise of the squared length at one
        removal, relative to that of all features, negative where it always falls; of a kernel path recursion_gap, the
        largest relative difference of the lengths that the recursion of equation 3 gave from those computed anew.
    """
    trace, lengths = selection.trace, selection.trace["squared_length"]
    curves = {
        "margin": trace["margin"],
        "squared_length": lengths,
        "test_error": path_errors(selection.model, data.X_train, data.y_train, data.X_test, data.y_test),
    }
    measures = [Measure("set_misses", 0, float(np.mean(trace["differs"])))]
    if lengths.size > 1:
        measures.append(Measure("length_rise", 0, float(np.max(np.diff(lengths)) / lengths[0])))
    if "kernel" in selection.model:
        anew = path_lengths(selection.model, data.X_train)
        measures.append(Measure("recursion_gap", 0, float(np.max(np.abs(lengths / anew - 1.0)))))
    for metric, values in curves.items():
        measures.append(Measure(metric, 0, float(np.mean(values))))
        points = zip(trace["retained"], values, strict=True)
        measures += [Measure(metric, int(retained), float(value)) for retained, value in points]
    return measures
