"""No selection: the baseline that keeps every feature."""

from __future__ import annotations

import numpy as np

from marginfs.selectors.guard import guarded
from marginfs.types import FloatArray, Labels, Selection


@guarded
def all_features(X: FloatArray, y: Labels, *, rng: np.random.Generator) -> Selection:
    """Keep all features; none is before another.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : ndarray of shape (n,)
        Their labels, of any number of classes; not looked at.
    rng : Generator
        Not used: nothing is drawn.

    Returns
    -------
    Selection
        The features in the order of the columns, all of them tied.
    """
    d = X.shape[1]
    return Selection(ranking=np.arange(d), selected=d, ranked=0)
