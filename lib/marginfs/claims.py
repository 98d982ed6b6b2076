"""Verdicts on a paper's claims, by a paired test over the common splits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy import stats

ClaimVerdict = Literal["holds", "fails", "undecided"]

SIGNIFICANT = 0.05
COLUMNS = ["claim", "at", "lower", "higher", "splits", "p_value", "verdict"]


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
    table = pd.DataFrame(rows, columns=COLUMNS[:-1])
    table["verdict"] = [
        _decide(row.lower - row.higher, row.p_value, tests=len(table)) for row in table.itertuples(index=False)
    ]
    return table


def check_claims(claims: list[Mapping[str, Any]], evaluations: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The points of all claims, each tested on the evaluation of its experiment."""
    tables = [check_claim(claim, evaluations[claim["experiment"]]) for claim in claims]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=COLUMNS)


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
