"""Ranking by the mutual information of each feature with the class, a filter of tayal2014 (section 5.2)."""

from __future__ import annotations

from typing import Literal

import numpy as np

from marginfs.errors import ConfigError
from marginfs.labels import encode
from marginfs.selectors.guard import guarded
from marginfs.types import FloatArray, IntArray, Selection

Binning = Literal["width", "quantile"]


@guarded
def mutual_information(
    X: FloatArray,
    y: FloatArray,
    *,
    rng: np.random.Generator,
    bins: int = 10,
    binning: Binning = "width",
) -> Selection:
    """Rank features by I = sum_ij p_ij log(p_ij / (p_i p_j)), i a bin of the feature and j a class.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : array_like of shape (n,)
        Labels of any number of classes.
    rng : numpy.random.Generator
        Not drawn from.
    bins : int
        Bins of each feature; the paper does not say how many.
    binning : {"width", "quantile"}
        Bins of equal width between the extremes, or of nearly equal numbers of points.

    Returns
    -------
    Selection
        Ties keep the order of the columns; a constant feature has no information. trace: `relevance` in nats.
    """
    if bins < 2:
        raise ConfigError(f"bins is {bins}: write 2 or more.")
    if binning not in ("width", "quantile"):
        raise ConfigError(f"binning is {binning!r}: write width or quantile.")
    classes, codes = encode(y)
    X = np.asarray(X, dtype=np.float64)
    information = np.array([_information(_binned(x, bins, binning), codes, bins, classes.size) for x in X.T])
    ranking = np.argsort(-information, kind="stable")
    return Selection(ranking=ranking, trace={"relevance": information[ranking]})


def _binned(x: FloatArray, bins: int, binning: Binning) -> IntArray:
    """The bin of every value."""
    shares = np.arange(1, bins) / bins
    low, high = x.min(), x.max()
    borders = low + shares * (high - low) if binning == "width" else np.quantile(x, shares)
    return np.asarray(np.searchsorted(borders, x, side="right"), dtype=np.int64)


def _information(bin_of: IntArray, class_of: IntArray, bins: int, classes: int) -> float:
    """Mutual information of two discrete variables, from their joint frequencies."""
    joint = np.bincount(bin_of * classes + class_of, minlength=bins * classes).reshape(bins, classes) / bin_of.size
    apart = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    there = joint > 0.0
    return float(np.sum(joint[there] * np.log(joint[there] / apart[there])))
