"""Rankings of data with unknown truth: the error along the ranking, and the place of every feature near its top."""

from __future__ import annotations

from typing import Unpack

from marginfs.data.load import SplitData
from marginfs.evaluation.declared import produces
from marginfs.evaluation.top_features import top_features
from marginfs.solvers.multiclass import Multiclass
from marginfs.solvers.svm_options import SvmKeys
from marginfs.types import Measure, Selection


@produces("test_error", "rank")
def ranking_curve(
    selection: Selection,
    data: SplitData,
    *,
    depth: int = 200,
    multiclass: Multiclass = "one_vs_one",
    **keys: Unpack[SvmKeys],
) -> list[Measure]:
    """Test error on the 1, 2, 5, 10, 20, 50, ... best and on all features; `rank` of the best ones.

    Parameters
    ----------
    selection : Selection
        What a selector found on the training part of `data`.
    data : SplitData
        The split.
    depth : int
        At most so many of the best features get a `rank`; features that are tied get none.
    multiclass : {"one_vs_one", "one_vs_rest"}
        As in `top_features`.
    **keys : SvmKeys
        The SVM, as in `top_features`.

    Returns
    -------
    list of Measure
        test_error by number of features; rank by the feature's column, counted from one.
    """
    counts = _one_two_five(len(selection.ranking))
    errors = top_features(selection, data, counts=counts, multiclass=multiclass, **keys)
    best = selection.ranking[: selection.ranked][:depth]
    return errors + [Measure("rank", int(feature) + 1, float(place)) for place, feature in enumerate(best, 1)]


def _one_two_five(largest: int) -> list[int]:
    """1, 2, 5, 10, 20, 50, ... below `largest`, and `largest`."""
    counts = [factor * 10**power for power in range(len(str(largest))) for factor in (1, 2, 5)]
    return [count for count in counts if count < largest] + [largest]
