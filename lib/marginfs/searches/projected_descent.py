"""Projected gradient descent with Armijo steps over non-negative weights: the search of GMKL (Varma and Babu 2009)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Generic, Protocol, TypeVar

import numpy as np

from marginfs.types import FloatArray

SLOPE, SHRINK, GROWTH = 0.3, 0.3, 2.1
"""Armijo's share of the expected decrease; factors of a step that fails and of one that was taken."""
GONE = 1e-4
"""A weight at or below this becomes zero and stays it."""
FALL = 1e-9
"""The search ends when the squared projected gradient has fallen to this share."""
FIRST_SHARE = 0.1
"""The first step tried changes no weight by more than this."""


class Descent(Enum):
    """Why the descent ended."""

    CONVERGED = "converged"
    STALLED = "stalled"
    """No step lowers the objective enough: it is at its rounding error."""
    COLLAPSED = "collapsed"
    ITERATION_LIMIT = "iteration_limit"
    EVALUATION_LIMIT = "evaluation_limit"


class SlopePoint(Protocol):
    """An objective at one point."""

    @property
    def value(self) -> float:  # numpydoc ignore=RT01
        """The objective."""

    @property
    def gradient(self) -> FloatArray:  # numpydoc ignore=RT01
        """Its gradient."""


P = TypeVar("P", bound=SlopePoint)


@dataclass(frozen=True, slots=True)
class DescentResult(Generic[P]):
    """Where the descent ended.

    Attributes
    ----------
    w : ndarray of shape (d,)
        Weights.
    point : SlopePoint
        The objective there.
    end : Descent
        Why it ended.
    values : ndarray
        The objective at the start and after every step.
    evaluations : int
        Evaluations of the objective.
    """

    w: FloatArray
    point: P
    end: Descent
    values: FloatArray
    evaluations: int


def descend(
    evaluate: Callable[[FloatArray], P],
    w: FloatArray,
    *,
    max_iterations: int = 40,
    max_evaluations: int = 200,
    fall: float = FALL,
) -> DescentResult[P]:
    """Descend from w.

    Parameters
    ----------
    evaluate : callable
        w -> the objective there.
    w : ndarray of shape (d,)
        The start, not negative.
    max_iterations, max_evaluations : int
        Most steps, and most evaluations of the objective.
    fall : float
        The share of the first squared projected gradient at which the search ends.

    Returns
    -------
    DescentResult
        The last point.
    """
    point = evaluate(w)
    values, evaluations, first = [point.value], 1, 0.0
    step = FIRST_SHARE / max(float(np.abs(point.gradient).max()), 1e-300)
    end = Descent.ITERATION_LIMIT
    for iteration in range(max_iterations + 1):
        free = np.where(w > 0.0, point.gradient, 0.0)
        squared = float(free @ free)
        first = first or squared
        if not w.any() or squared <= fall * first:
            end = Descent.CONVERGED if w.any() else Descent.COLLAPSED
            break
        if iteration == max_iterations:
            break
        while evaluations < max_evaluations:
            trial_w = np.maximum(w - step * free, 0.0)
            trial_w[trial_w <= GONE] = 0.0
            trial = evaluate(trial_w)
            evaluations += 1
            if trial.value <= point.value + SLOPE * float(point.gradient @ (trial_w - w)):
                break
            step *= SHRINK
            if step * np.sqrt(squared) < 1e-12:
                return DescentResult(w, point, Descent.STALLED, np.array(values), evaluations)
        else:
            end = Descent.EVALUATION_LIMIT
            break
        w, point = trial_w, trial
        values.append(point.value)
        step *= GROWTH
    return DescentResult(w, point, end, np.array(values), evaluations)
