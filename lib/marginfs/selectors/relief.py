"""Relief (Kira and Rendell 1992), a filter of tayal2014 (section 5.2)."""

from __future__ import annotations

import numpy as np

from marginfs.errors import DataError
from marginfs.labels import encode
from marginfs.selectors.guard import guarded
from marginfs.types import FloatArray, IntArray, Selection


@guarded
def relief(X: FloatArray, y: FloatArray, *, rng: np.random.Generator) -> Selection:
    """Rank features by the mean distance to the nearest miss over that to the nearest hit, along the feature.

    The nearest hit of a point is its nearest neighbour of the same class, the nearest miss that of another class, both
    by the Euclidean distance in all features; every point is asked once.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points, standardised.
    y : array_like of shape (n,)
        Labels; each class needs two points.
    rng : numpy.random.Generator
        Not drawn from.

    Returns
    -------
    Selection
        Ties keep the order of the columns; a constant feature is worth nothing. trace: `relevance`, the ratio, infinite
        where hits agree in a feature and misses do not.
    """
    _, codes = encode(y)
    X = np.asarray(X, dtype=np.float64)
    if np.bincount(codes).min() < 2:
        raise DataError("a class has a single point, which has no nearest hit: give two points of each class.")
    squares = np.einsum("ij,ij->i", X, X)
    distance = squares[:, None] + squares - 2.0 * (X @ X.T)
    np.fill_diagonal(distance, np.inf)
    same = codes[:, None] == codes
    to_hit = _mean_distance(X, np.argmin(np.where(same, distance, np.inf), axis=1))
    to_miss = _mean_distance(X, np.argmin(np.where(same, np.inf, distance), axis=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(to_miss > 0.0, to_miss / to_hit, 0.0)
    ranking = np.argsort(-ratio, kind="stable")
    return Selection(ranking=ranking, trace={"relevance": ratio[ranking]})


def _mean_distance(X: FloatArray, neighbour: IntArray) -> FloatArray:
    """Mean distance of the points to their neighbours, along each feature."""
    return np.asarray(np.abs(X - X[neighbour]).mean(axis=0))
