"""Types of arrays and counters, and the result that every selector returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
ZERO: Any = np.int64(0)
"""For counters that compiled functions pass on: a plain 0 would make numba compile those that take it twice."""


@dataclass(frozen=True)
class Selection:
    """What a selector found on one training set.

    ranking: all features, the most relevant first.
    selected: how many of them the method keeps by itself; None where the method only ranks.
    trace: numbers along the search, one array per quantity (criterion at each removal, features per iteration, ...).
    model: the arrays of the classifier that the method trained along the way, where its paper evaluates that one.
    """

    ranking: IntArray
    selected: int | None = None
    trace: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)
    model: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)


class Measure(NamedTuple):
    """One number measured of one selection; `step` is the position along a curve, 0 where there is no curve."""

    metric: str
    step: int
    value: float
