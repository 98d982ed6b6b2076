"""Numbers read off a curve at the optimum of its mean over splits."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from marginfs.results.verdicts import Estimate
from marginfs.study.table_parts import Metric, Optimum


def at_optimum(part: pd.DataFrame, optimum: Optimum, metrics: Iterable[Metric]) -> dict[str, Estimate]:
    """Read metrics off the curves of one cell.

    Each `per` consecutive splits make one mean curve of `optimum.of`, over the steps that all of them have. Its first
    minimum (or maximum) is the optimum; the other metrics are their means over these splits there. The estimate is the
    mean and spread over the curves or, of a single curve, over its splits; the place of that one has no spread. A guess
    of the place stands at step 0.

    Parameters
    ----------
    part : pandas.DataFrame
        The measures of one cell: split, metric, step, value.
    optimum : Optimum
        What is optimal, and over which splits the mean is taken.
    metrics : iterable of Metric
        What is wanted there.

    Returns
    -------
    dict of str to Estimate
        By metric, those that were measured at the optimum.
    """
    part = part[(part["step"] > 0) | (part["metric"] == optimum.guess)]
    found = {}
    for per, wanted in _by_splits(metrics, optimum.per).items():
        curves = [(curve, place) for curve in _curves(part, per) if (place := _place(curve, optimum)) is not None]
        for metric in wanted:
            values = [_read(curve, metric.name, place, optimum) for curve, place in curves]
            if values and all(values):
                found[metric.name] = _estimate(values, redrawn=per != 1)
    return found


def flat_places(part: pd.DataFrame, optimum: Optimum) -> list[float]:
    """Find the places that the mean curve of all splits does not tell from its best one.

    Parameters
    ----------
    part : pandas.DataFrame
        The measures of one cell, as for `at_optimum`.
    optimum : Optimum
        What is optimal, and what is `flat`.

    Returns
    -------
    list of float
        The steps, divided by `total`, at which the mean is within `flat` of its best value.
    """
    mean = _mean(part[part["step"] > 0], optimum)
    best = mean.min() if optimum.goal == "min" else mean.max()
    near = mean.index[(mean - best).abs() <= (optimum.flat or 0.0)]
    return [step / optimum.total for step in near]


def _by_splits(metrics: Iterable[Metric], per: int | None) -> dict[int | None, list[Metric]]:
    """The metrics, by the number of splits that make a curve for them."""
    groups: dict[int | None, list[Metric]] = {}
    for metric in metrics:
        groups.setdefault(metric.per or per, []).append(metric)
    return groups


def _curves(part: pd.DataFrame, per: int | None) -> list[pd.DataFrame]:
    """The measures of each group of `per` splits; an incomplete group counts only where it is the only one."""
    if per is None:
        return [part] if len(part) else []
    groups = [group for _, group in part.groupby(part["split"] // per)]
    return [group for group in groups if group["split"].nunique() == per] or groups[:1]


def _place(curve: pd.DataFrame, optimum: Optimum) -> int | None:
    """The step at which the mean over the splits is best, None where there is no common step."""
    mean = _mean(curve, optimum)
    if mean.empty:
        return None
    return int(mean.idxmin() if optimum.goal == "min" else mean.idxmax())


def _mean(curve: pd.DataFrame, optimum: Optimum) -> pd.Series[float]:
    """The mean over the splits at every step that all of them have."""
    values = curve[curve["metric"] == optimum.of]
    return values.pivot(index="step", columns="split", values="value").dropna().mean(axis=1)


def _read(curve: pd.DataFrame, metric: str, place: int, optimum: Optimum) -> list[float]:
    """The values of a metric at the optimum; or the optimum's place, a guess of it, or by how much that missed."""
    if metric == optimum.size:
        return [place / optimum.total]
    if metric == optimum.guess:
        return _at(curve, metric, 0)
    if metric == optimum.miss:
        guesses = _at(curve, optimum.guess, 0)
        return [abs(place / optimum.total - float(np.mean(guesses)))] if guesses else []
    return _at(curve, metric, place)


def _at(curve: pd.DataFrame, metric: str, place: int) -> list[float]:
    return list(curve.loc[(curve["metric"] == metric) & (curve["step"] == place), "value"])


def _estimate(values: list[list[float]], redrawn: bool) -> Estimate:
    """Of one curve the mean over its splits, of several the mean over the curves."""
    if len(values) == 1 and len(values[0]) > 1:
        return _over(values[0], redrawn=False)
    return _over([float(np.mean(curve)) for curve in values], redrawn)


def _over(values: list[float], redrawn: bool) -> Estimate:
    spread = float(np.std(values, ddof=1)) if len(values) > 1 else None
    return Estimate(float(np.mean(values)), spread, len(values), redrawn)
