"""Ranking by the correlation of each feature with the label, the baseline of Rakotomamonjy (2003)."""

from __future__ import annotations

from typing import Literal

import numpy as np

from marginfs.errors import ConfigError
from marginfs.labels import signs
from marginfs.selectors.guard import guarded
from marginfs.types import FloatArray, Labels, Selection


@guarded
def correlation(
    X: FloatArray,
    y: Labels,
    *,
    rng: np.random.Generator,
    coefficient: Literal["pearson", "golub"] = "pearson",
) -> Selection:
    """Rank features by |coefficient|; ties keep the order of the columns, and a constant feature has coefficient zero.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : ndarray of shape (n,)
        Their labels, of two classes.
    rng : Generator
        Not used: nothing is drawn.
    coefficient : {"pearson", "golub"}
        Pearson's, or the difference of the class means over the sum of the class standard deviations, which the gene
        expression literature also calls a correlation coefficient.

    Returns
    -------
    Selection
        The ranking; the trace holds the relevance |coefficient| in its order.
    """
    y = signs(y)
    positive, negative = X[y > 0], X[y < 0]
    if coefficient == "pearson":
        centred = y - y.mean()
        top = centred @ X
        bottom = np.sqrt(centred @ centred * X.var(axis=0) * y.size)
    elif coefficient == "golub":
        top = positive.mean(axis=0) - negative.mean(axis=0)
        bottom = positive.std(axis=0) + negative.std(axis=0)
    else:
        raise ConfigError(f"coefficient is {coefficient!r}: write pearson or golub.")
    strength = np.abs(top) / np.where(bottom > 0, bottom, np.inf)
    ranking = np.argsort(-strength, kind="stable")
    return Selection(ranking=ranking, trace={"relevance": strength[ranking]})
