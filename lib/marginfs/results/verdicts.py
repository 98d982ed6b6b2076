"""Verdicts on reproduced numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["match", "compatible", "close", "within draws", "differs", "not run", "unpublished"]

VERDICTS: tuple[Verdict, ...] = ("match", "compatible", "close", "within draws", "differs", "not run", "unpublished")
"""From the best to what cannot be judged."""
MEANINGS = {
    "match": "within 2.58 standard errors of the difference or the rounding of the printed number",
    "compatible": "within 2.58 standard errors, but of too few trials to tell",
    "close": "within 2 percentage points or 10 % of the published value (for an accuracy, of its error), or a place "
    "where the curve is as good as at its optimum",
    "within draws": "inside the 95 % range over other draws of the simulated data",
    "differs": "anything else",
}
Z = 2.58
"""Two-sided 99 % point of the normal distribution."""


@dataclass(frozen=True)
class Estimate:
    """A mean with the spread over its trials.

    Attributes
    ----------
    mean : float
        The number.
    spread : float or None
        Standard deviation over the trials; None or NaN where it is not known.
    trials : int
        Their number.
    redrawn : bool
        Whether each trial is a whole procedure drawn again (the optimum of one more shuffled k-fold), of which the
        published number is one.
    """

    mean: float
    spread: float | None
    trials: int
    redrawn: bool = False

    @property
    def variance(self) -> float | None:
        """Compute the variance of the mean.

        Returns
        -------
        float or None
            s^2 / k; None where the spread is not known.
        """
        return None if self.spread is None or math.isnan(self.spread) else self.spread**2 / self.trials


def verdict(
    published: Estimate,
    reproduced: Estimate,
    *,
    rounding: float,
    unit: str = "%",
    accuracy: bool = False,
    draws: tuple[float, float] | None = None,
) -> Verdict:
    """Judge a reproduced number.

    With e = 2.58 sqrt(s_p^2/k_p + s_r^2/k_r) and c from `closeness`: |m_r - m_p| <= e, or within the rounding, is a
    `match` if the comparison could have failed (k_r >= k_p or e <= 2c), otherwise `compatible`; |m_r - m_p| <= c is
    `close`; low <= m_p <= high is `within draws`; the rest `differs`. Where the paper gives no spread, s_p^2/k_p is the
    reproduced one or, where the trials are redrawn, the variance of a single one of them.

    Parameters
    ----------
    published : Estimate
        The printed number.
    reproduced : Estimate
        Ours.
    rounding : float
        Half a unit of the last printed digit.
    unit : str
        `%` or nothing.
    accuracy : bool
        Whether the number is an accuracy, which is close relative to its error.
    draws : tuple of float or None
        The 95 % range over other draws of the data.

    Returns
    -------
    Verdict
        One of the first five of `VERDICTS`.
    """
    difference = abs(reproduced.mean - published.mean)
    ours = reproduced.variance or 0.0
    theirs = published.variance
    if theirs is None:
        theirs = ours * reproduced.trials if reproduced.redrawn else ours
    allowed = Z * math.sqrt(ours + theirs)
    near = closeness(published.mean, unit=unit, accuracy=accuracy)
    if difference <= max(allowed, rounding + 1e-12):
        enough = reproduced.redrawn or reproduced.trials >= published.trials
        return "match" if enough or allowed <= 2.0 * near else "compatible"
    if difference <= near:
        return "close"
    if draws is not None and draws[0] <= published.mean <= draws[1]:
        return "within draws"
    return "differs"


def closeness(value: float, *, unit: str = "%", accuracy: bool = False) -> float:
    """Tell how far from a published value is still close to it.

    Parameters
    ----------
    value : float
        The published value.
    unit : str
        `%` or nothing.
    accuracy : bool
        Whether the value is an accuracy.

    Returns
    -------
    float
        10 % of the value (of 100 % less an accuracy), and at least 2 percentage points where it is a percentage.
    """
    whole = 100.0 if unit == "%" else 1.0
    relative = 0.1 * abs(whole - value if accuracy else value)
    return max(2.0, relative) if unit == "%" else relative
