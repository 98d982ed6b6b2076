"""Features in random order: the baseline that knows nothing (section 4.4.3 of planas2021)."""

from __future__ import annotations

import numpy as np

from marginfs.selectors.guard import guarded
from marginfs.types import FloatArray, Labels, Selection


@guarded
def random_ranking(X: FloatArray, y: Labels, *, rng: np.random.Generator) -> Selection:
    """Rank features by chance.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : ndarray of shape (n,)
        Their labels; not used.
    rng : Generator
        Source of the order.

    Returns
    -------
    Selection
        The ranking.
    """
    return Selection(ranking=rng.permutation(X.shape[1]))
