"""Types of arrays and counters, the mark of an option that names a part, and the result that every selector returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
Labels = npt.NDArray[Any]
"""One class for every point: numbers, truth values or text."""
ZERO: Any = np.int64(0)
"""For counters that compiled functions pass on: a plain 0 would make numba compile those that take it twice."""


@dataclass(frozen=True, eq=False)
class NameOf:
    """The mark of an option that names one of a table of parts: `Annotated[str, NameOf(TABLE)]`.

    Attributes
    ----------
    table : Mapping of str to str
        The name in configuration files -> the module that holds the part, imported only when it is used.
    """

    table: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class PathTo:
    """The mark of an option that is itself "module:name", a class or function of any package."""


@dataclass(frozen=True)
class AtLeast:
    """The mark of an option with a least value: `Annotated[int, AtLeast(1)]`.

    Attributes
    ----------
    least : float
        The value.
    """

    least: float


Count = Annotated[int, AtLeast(1)]
"""An option that counts something of which there must be one."""


@dataclass(frozen=True)
class Selection:
    """What a selector found on one training set.

    Attributes
    ----------
    ranking : ndarray of int
        All features, the most relevant first.
    selected : int or None
        How many of them the method keeps by itself; None where the method only ranks.
    ranked : int or None
        How many of the first features of `ranking` stand there by their relevance; those behind them are tied, and
        their order says nothing. None where all are ranked.
    trace : Mapping of str to ndarray
        Numbers along the search, one array per quantity (criterion at each removal, features per iteration, ...).
    model : Mapping of str to ndarray
        The arrays of the classifier that the method trained along the way, where its paper evaluates that one.
    """

    ranking: IntArray
    selected: int | None = None
    ranked: int | None = None
    trace: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)
    model: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)


class Measure(NamedTuple):
    """One number measured of one selection; `step` is the position along a curve, 0 where there is no curve."""

    metric: str
    step: int
    value: float
