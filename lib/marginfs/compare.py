"""Verdicts on reproduced numbers, and on claims."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy import stats

Verdict = Literal["match", "close", "differs", "not run", "unpublished"]
ClaimVerdict = Literal["holds", "fails", "undecided"]

Z = 2.58
"""Two-sided 99 % point of the normal distribution."""
SIGNIFICANT = 0.05
CLAIM_COLUMNS = ["claim", "at", "lower", "higher", "splits", "p_value", "verdict"]


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


def check_claim(claim: Mapping[str, Any], evaluation: pd.DataFrame) -> pd.DataFrame:
    """One row per point where the claim is tested: both means, the paired p-value and the verdict there.

    The claim is that the metric of `lower` (times its factor) is below that of `higher` (times its factor).
    """
    data = evaluation[evaluation["metric"] == claim["metric"]]
    if not any("step" in claim.get(part, {}) for part in ("at", "lower", "higher")):
        data = data[data["step"] == 0]
    points = [data]
    for key, wanted in claim.get("at", {}).items():
        values = sorted(data[key].unique()) if wanted == "all" else [v for v in wanted if v in set(data[key])]
        points = [part[part[key] == value] for part in points for value in values]
    rows = []
    for part in points:
        lower, higher = _side(claim["lower"], part).align(_side(claim["higher"], part), join="inner")
        if len(lower) > 1:
            label = ", ".join(f"{key} = {part[key].iloc[0]}" for key in claim.get("at", {}))
            p_value = _paired(lower - higher)
            rows.append((claim["id"], label, lower.mean(), higher.mean(), len(lower), p_value))
    table = pd.DataFrame(rows, columns=CLAIM_COLUMNS[:-1])
    table["verdict"] = [
        _decide(row.lower - row.higher, row.p_value, tests=len(table)) for row in table.itertuples(index=False)
    ]
    return table


def check_claims(claims: list[Mapping[str, Any]], evaluations: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The points of all claims, each tested on the evaluation of its experiment."""
    tables = [check_claim(claim, evaluations[claim["experiment"]]) for claim in claims]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=CLAIM_COLUMNS)


def overall(verdicts: list[ClaimVerdict]) -> ClaimVerdict:
    """A claim holds where it holds at every point, and fails where it fails at one."""
    if "fails" in verdicts:
        return "fails"
    return "holds" if verdicts and set(verdicts) == {"holds"} else "undecided"


def _side(side: Mapping[str, Any], part: pd.DataFrame) -> pd.Series[float]:
    """The metric of one side of a claim, by split."""
    for key, value in side.items():
        if key != "factor":
            part = part[part[key] == value]
    return part.set_index("split")["value"] * float(side.get("factor", 1.0))


def _paired(difference: pd.Series[float]) -> float:
    """Two-sided p-value of the paired t-test."""
    if np.ptp(difference) == 0.0:
        return 1.0 if difference.iloc[0] == 0.0 else 0.0
    return float(stats.ttest_1samp(difference, 0.0).pvalue)


def _decide(difference: float, p_value: float, tests: int) -> ClaimVerdict:
    """Holds at the 5 % level; fails at 5 % shared among all points, since one failure is enough to fail the claim."""
    if difference < 0 and p_value < SIGNIFICANT:
        return "holds"
    if difference > 0 and p_value < SIGNIFICANT / tests:
        return "fails"
    return "undecided"
