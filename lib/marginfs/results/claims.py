"""Verdicts on a paper's claims: a paired test over the common splits, or a law that every split must keep."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
import pandas as pd
from scipy import stats

from marginfs.study.claim_specs import Claim, Side

ClaimVerdict = Literal["holds", "fails", "undecided", "not run"]

SIGNIFICANT = 0.05
COLUMNS = ["claim", "at", "lower", "higher", "splits", "p_value", "verdict"]


def check_claim(claim: Claim, evaluation: pd.DataFrame) -> pd.DataFrame:
    """Test a claim at every point where it is made.

    Parameters
    ----------
    claim : Claim
        The claim.
    evaluation : pandas.DataFrame
        The evaluations of its experiments, told apart by the column `experiment` where there are several.

    Returns
    -------
    pandas.DataFrame
        `COLUMNS`: per point both means, the splits behind them, the p-value and the verdict there; of a law, one line
        for every split that breaks it, or one line that all keep it; of a claim that asks for some point, its best one.
        Where only some points were run, the others are `not run`; where none was, there is no line.
    """
    pairs = list(_pairs(claim, evaluation))
    run = [pair for pair in pairs if len(pair[1]) > (claim.kind == "test")]
    rows = _law(claim, run) if claim.kind == "law" else _tested(claim, run)
    if run and not claim.some:
        missing = [label for label, lower, _ in pairs if not len(lower)]
        rows += [(claim.id, label, None, None, 0, None, "not run") for label in missing]
    return pd.DataFrame(rows, columns=COLUMNS).astype(dict.fromkeys(("lower", "higher", "p_value"), float))


def check_claims(claims: Iterable[Claim], evaluations: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Test all claims of a paper.

    Parameters
    ----------
    claims : iterable of Claim
        The claims.
    evaluations : mapping of str to pandas.DataFrame
        The evaluations, by experiment.

    Returns
    -------
    pandas.DataFrame
        The points of `check_claim`, claim after claim.
    """
    tables = []
    for claim in claims:
        parts = [evaluations[name].assign(experiment=name) for name in claim.experiments]
        if "experiment" in claim.over:
            parts = _whole(parts)
        tables.append(check_claim(claim, pd.concat(parts, ignore_index=True)))
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=COLUMNS)


def _whole(parts: list[pd.DataFrame]) -> list[pd.DataFrame]:
    """The experiments with the most splits: a mean must be over the same ones in every split."""
    splits = [part["split"].nunique() for part in parts]
    return [part for part, number in zip(parts, splits, strict=True) if number == max(splits)]


def overall(verdicts: Sequence[ClaimVerdict]) -> ClaimVerdict:
    """Judge a claim by its points.

    Parameters
    ----------
    verdicts : sequence of str
        The verdict at every point.

    Returns
    -------
    str
        `fails` where it fails at one point, `holds` where it holds at all of them, `not run` where it was tested at
        none, otherwise `undecided`.
    """
    if "fails" in verdicts:
        return "fails"
    if set(verdicts) <= {"not run"}:
        return "not run"
    return "holds" if set(verdicts) == {"holds"} else "undecided"


Pair = tuple[str, "pd.Series[float]", "pd.Series[float]"]


def _pairs(claim: Claim, evaluation: pd.DataFrame) -> Iterator[Pair]:
    """(point, lower, higher) of every point, both sides by split and over the same splits; empty if not run."""
    if not claim.along_steps:
        evaluation = evaluation[evaluation["step"] == 0]
    if claim.relative:
        parts = [_relative(claim, part) for _, part in evaluation.groupby("experiment", sort=False)]
        evaluation = pd.concat(parts) if parts else evaluation
    measured = evaluation[evaluation["metric"] == claim.metric]
    points: list[tuple[list[str], pd.DataFrame]] = [([], evaluation)]
    for key, wanted in claim.at.items():
        values = sorted(measured[key].unique()) if wanted == "all" else wanted
        points = [([*names, f"{key} = {v}"], part[part[key] == v]) for names, part in points for v in values]
    for names, part in points:
        lower, higher = (_side(side, claim.metric, part) for side in claim.sides)
        lower, higher = lower.align(higher, join="inner")
        yield ", ".join(names), lower, higher


def _side(side: Side, metric: str, part: pd.DataFrame) -> pd.Series[float]:
    """The metric of one side of a claim, by split."""
    if side.value is not None:
        return pd.Series(side.value, index=pd.Index(part["split"].unique(), name="split"))
    for key, value in side.where.items():
        part = part[part[key].isin(value if isinstance(value, list) else [value])]
    if side.best:
        part = _at_best(side, part)
    return part[part["metric"] == metric].groupby("split")["value"].mean() * side.factor


def _relative(claim: Claim, part: pd.DataFrame) -> pd.DataFrame:
    """The measures of one experiment over the mean of the claim's higher side."""
    plain = replace(claim.higher, factor=1.0)
    return part.assign(value=part["value"] / _side(plain, claim.metric, part).mean())


def _at_best(side: Side, part: pd.DataFrame) -> pd.DataFrame:
    """The lines of the best point of a side, or of the one with its rank."""
    keys = list(side.best)
    means = part[(part["metric"] == side.by) & (part["step"] == 0)].groupby(keys)["value"].mean().sort_values()
    chosen = means.iloc[side.rank - 1 : side.rank].reset_index()[keys]
    return part.merge(chosen, on=keys)


def _tested(claim: Claim, pairs: list[Pair]) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    for label, lower, higher in pairs:
        p_value = _paired(lower - higher, claim.overlap)
        tests = len(pairs)
        decided = _decide(lower.mean() - higher.mean(), p_value * tests if claim.some else p_value, tests)
        rows.append((claim.id, label, lower.mean(), higher.mean(), len(lower), p_value, decided))
    return sorted(rows, key=_promise)[:1] if claim.some else rows


def _promise(row: tuple[object, ...]) -> float:
    """The smaller, the more a point speaks for the claim."""
    _, _, lower, higher, _, p_value, _ = row
    return float(np.sign(float(str(lower)) - float(str(higher))) * (1.0 - float(str(p_value))))


def _law(claim: Claim, pairs: list[Pair]) -> list[tuple[object, ...]]:
    """The splits that break the law; where there is none, one line with the means over all."""
    rows: list[tuple[object, ...]] = []
    for label, lower, higher in pairs:
        broken = lower > higher + claim.tolerance * higher.abs()
        for split in lower.index[broken]:
            place = ", ".join(filter(None, (label, f"split = {split}")))
            rows.append((claim.id, place, lower[split], higher[split], 1, None, "fails"))
    if pairs and not rows:
        below, above = (pd.concat([pair[side] for pair in pairs]) for side in (1, 2))
        rows.append((claim.id, "every split", below.mean(), above.mean(), len(below), None, "holds"))
    return rows


def _paired(difference: pd.Series[float], overlap: float) -> float:
    """Two-sided p-value of the paired t-test; `overlap` widens it for splits that share data."""
    if np.ptp(difference) == 0.0:
        return 1.0 if difference.iloc[0] == 0.0 else 0.0
    if overlap == 0.0:
        return float(stats.ttest_1samp(difference, 0.0).pvalue)
    trials = len(difference)
    statistic = difference.mean() / (difference.std() * np.sqrt(1.0 / trials + overlap))
    return float(2.0 * stats.t.sf(abs(statistic), trials - 1))


def _decide(difference: float, p_value: float, tests: int) -> ClaimVerdict:
    """Holds at the 5 % level; fails at 5 % shared among all points, since one failure is enough to fail the claim."""
    if difference < 0 and p_value < SIGNIFICANT:
        return "holds"
    if difference > 0 and p_value < SIGNIFICANT / tests:
        return "fails"
    return "undecided"
