"""What a set of features is worth to a support vector machine, and what each feature adds to it.

A criterion has five faces, all of one trained Machine:
    value           the criterion C_t on the features that remain
    zero            C_t without each feature, the multipliers kept as they are
    zero_dual       the same, ||w||^2 being measured by the dual objective, which equals it at the optimum
    zero_retrained  C_t without each feature, everything trained again
    first           derivative of C_t with respect to a factor that scales each feature, at one
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from marginfs.criteria import margin, radius_margin, span
from marginfs.criteria.machine import Machine
from marginfs.types import FloatArray


@dataclass(frozen=True, slots=True)
class Criterion:
    """The five faces of a criterion."""

    value: Callable[[Machine], float]
    zero: Callable[[Machine], FloatArray]
    zero_dual: Callable[[Machine], FloatArray]
    zero_retrained: Callable[[Machine], FloatArray]
    first: Callable[[Machine], FloatArray]


CRITERIA = {
    name: Criterion(module.value, module.zero, module.zero_dual, module.zero_retrained, module.first)
    for name, module in (("w2", margin), ("r2w2", radius_margin), ("span", span))
}

__all__ = ["CRITERIA", "Criterion", "Machine"]
