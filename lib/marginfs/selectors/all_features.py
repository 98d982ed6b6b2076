"""No selection: the baseline that keeps every feature."""

from __future__ import annotations

import numpy as np

from marginfs.types import FloatArray, Selection


def all_features(X: FloatArray, y: FloatArray, *, rng: np.random.Generator) -> Selection:
    """Keep all features, in the order of the columns."""
    d = X.shape[1]
    return Selection(ranking=np.arange(d), selected=d)
