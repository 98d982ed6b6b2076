"""Claims with their tests, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from marginfs.results.claims import overall
from marginfs.results.report.sections import ClaimSection
from marginfs.study.claim_specs import Claim, Side


def claim_sections(
    paper: str, claims: Sequence[Mapping[str, Any]], points: pd.DataFrame | None, full: pd.DataFrame | None
) -> tuple[ClaimSection, ...]:
    """Describe the claims of a paper.

    Parameters
    ----------
    paper : str
        The paper's key.
    claims : sequence of mapping
        Its claims file.
    points : pandas.DataFrame or None
        Where they were tested in this run.
    full : pandas.DataFrame or None
        Where they were tested in the full run, if that is to stand beside.

    Returns
    -------
    tuple of ClaimSection
        In the order of the file.
    """
    sections = []
    for mapping in claims:
        claim = Claim.from_config(mapping, paper)
        here = _of(claim.id, points)
        sections.append(
            ClaimSection(
                id=claim.id,
                statement=claim.statement,
                source=claim.source,
                test=describe(claim),
                verdict=overall(list(here["verdict"])),
                full_verdict="" if full is None else overall(list(_of(claim.id, full)["verdict"])),
                points=tuple(_point(point) for point in here.itertuples(index=False)),
            )
        )
    return tuple(sections)


def describe(claim: Claim) -> str:
    """Say how a claim is tested.

    Parameters
    ----------
    claim : Claim
        The claim.

    Returns
    -------
    str
        One sentence.
    """
    lower, higher = _side(claim.lower), _side(claim.higher)
    metric = claim.metric.replace("_", " ")
    along = f", at each {' and '.join(key.replace('_', ' ') for key in claim.at)}" if claim.at else ""
    along = along.replace("each", "some") if claim.some else along
    if claim.kind == "law":
        how = "checked on every split"
    elif claim.overlap:
        how = "paired t-test over the common splits, corrected for shared data"
    else:
        how = "paired t-test over the common splits"
    return f"{metric}: {lower} {'≤' if claim.kind == 'law' else '<'} {higher}{along}; {how}."


def _of(claim: str, points: pd.DataFrame | None) -> pd.DataFrame:
    return pd.DataFrame(columns=["verdict"]) if points is None else points[points["claim"] == claim]


def _side(side: Side) -> str:
    if side.value is not None:
        return f"{side.value:g}"
    words = [f"{key.replace('_', ' ')} {_value(value)}" for key, value in side.where.items()]
    if side.best:
        place = "best" if side.rank == 1 else f"number {side.rank}"
        words.append(f"the {place} {' and '.join(side.best)} by {side.by.replace('_', ' ')}")
    text = ", ".join(words) or "all"
    return text if side.factor == 1.0 else f"{side.factor:g} × ({text})"


def _value(value: Any) -> str:
    return " or ".join(map(str, value)) if isinstance(value, list) else str(value)


def _point(point: Any) -> tuple[str, ...]:
    return (
        point.at or "overall",
        _number(point.lower, 4),
        _number(point.higher, 4),
        str(point.splits),
        _number(point.p_value, 2),
        point.verdict,
    )


def _number(value: float, digits: int) -> str:
    return "" if pd.isna(value) else f"{value:.{digits}g}"
