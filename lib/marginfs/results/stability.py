"""How alike the sets are that a selector chooses on different splits (Nogueira, Sechidis and Brown 2018)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from marginfs.types import BoolArray

NORMAL = 1.959963984540054
"""The 97.5 % point of the normal distribution."""


class Stability(NamedTuple):
    """The index, and the variance of its estimate; neither is a number where there is none."""

    value: float
    variance: float

    @property
    def half_width(self) -> float:
        """Half the width of the 95 % interval, by the normal distribution."""
        return float(NORMAL * np.sqrt(self.variance))


def stability(chosen: BoolArray) -> Stability:
    """Measure how alike sets of features are.

    Parameters
    ----------
    chosen : ndarray of bool of shape (M, d)
        Which of d features each of M sets holds.

    Returns
    -------
    Stability
        Phi = 1 - mean_f [M/(M-1) p_f (1 - p_f)] / [k/d (1 - k/d)] with p_f the share of the sets that hold feature f
        and k their mean size: 1 where all sets are the same, 0 where they are as alike as random sets. The variance is
        that of its asymptotic normal distribution, from three sets on. Not a number for one set, and where all
        features, or none, are chosen.
    """
    sets, d = chosen.shape
    share, sizes = chosen.mean(axis=0), chosen.sum(axis=1) / d
    mean = float(share.mean())
    if sets < 2 or not 0.0 < mean < 1.0:
        return Stability(float("nan"), float("nan"))
    by_chance = mean * (1.0 - mean)
    value = 1.0 - float((sets / (sets - 1) * share * (1.0 - share)).mean()) / by_chance
    part = chosen @ share / d - sizes * mean + value / 2.0 * (2.0 * sizes * mean - sizes - mean + 1.0)
    variance = float(4.0 / sets**2 * np.square((part - part.mean()) / by_chance).sum())
    return Stability(value, variance if sets > 2 else float("nan"))


def chosen_sets(part: pd.DataFrame, size: int | pd.Series[int], columns: int) -> BoolArray:
    """Find the best features of every split.

    Parameters
    ----------
    part : pandas.DataFrame
        Measures of one selector on one data set, among them `rank`, whose step is the feature's column from one.
    size : int or pandas.Series
        How many features a set has at most, the same for all splits or one number a split.
    columns : int
        How many there are to choose from.

    Returns
    -------
    ndarray of bool of shape (splits, columns)
        What `stability` takes.
    """
    splits = {split: place for place, split in enumerate(part["split"].unique())}
    most = part["split"].map(size) if isinstance(size, pd.Series) else size
    ranks = part[(part["metric"] == "rank") & (part["value"] <= most)]
    chosen = np.zeros((len(splits), columns), dtype=bool)
    chosen[ranks["split"].map(splits), ranks["step"] - 1] = True
    return chosen
