"""Verdicts on reproduced numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["match", "close", "differs", "not run", "unpublished"]

Z = 2.58
"""Two-sided 99 % point of the normal distribution."""


@dataclass(frozen=True)
class Estimate:
    """A mean with the spread over its trials; spread None where none was published."""

    mean: float
    spread: float | None
    trials: int

    def variance(self) -> float | None:
        return None if self.spread is None else self.spread**2 / self.trials


def verdict(published: Estimate, reproduced: Estimate, *, decimals: int, unit: str = "%") -> Verdict:
    """`match`: |m_r - m_p| <= 2.58 sqrt(s_p^2/k_p + s_r^2/k_r), or within the rounding of the printed number.

    `close`: within 2 percentage points, or 10 % of the published value. `differs`: anything else. Where the paper
    gives no spread, its variance is taken to be the reproduced one.
    """
    difference = abs(reproduced.mean - published.mean)
    ours = reproduced.variance() or 0.0
    theirs = published.variance()
    allowed = Z * math.sqrt(ours + (ours if theirs is None else theirs))
    if difference <= max(allowed, 0.5 * 10.0**-decimals + 1e-12):
        return "match"
    if difference <= 0.1 * abs(published.mean) or (unit == "%" and difference <= 2.0):
        return "close"
    return "differs"
