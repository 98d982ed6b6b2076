"""Rankings of data with unknown truth: the error along the ranking, and the place of every feature near its top."""

from __future__ import annotations

from typing import Any

from marginfs.data.load import SplitData
from marginfs.evaluation.top_features import top_features
from marginfs.types import Measure, Selection


def ranking_curve(selection: Selection, data: SplitData, *, depth: int = 200, **classifier: Any) -> list[Measure]:
    """Test error on the 1, 2, 5, 10, 20, 50, ... best and on all features; `rank` of the `depth` best ones.

    The step of `rank` is the feature's column, counted from one. classifier: options of `top_features`.
    """
    errors = top_features(selection, data, counts=one_two_five(len(selection.ranking)), **classifier)
    best = selection.ranking[:depth]
    return errors + [Measure("rank", int(feature) + 1, float(place)) for place, feature in enumerate(best, 1)]


def one_two_five(largest: int) -> list[int]:
    """1, 2, 5, 10, 20, 50, ... below `largest`, and `largest`."""
    counts = [factor * 10**power for power in range(len(str(largest))) for factor in (1, 2, 5)]
    return [count for count in counts if count < largest] + [largest]
