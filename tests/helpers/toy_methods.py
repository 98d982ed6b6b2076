"""Methods of a paper that exists in the tests only: a selector for any number of classes, its sweep, and a drawing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from marginfs.labels import encode
from marginfs.results.figures.drawers import Drawer
from marginfs.types import Selection


def centroids(X, y, *, rng: np.random.Generator, shrink: float, power: float = 1.0) -> Selection:
    """Rank features by how far the class means lie apart, and keep those above a share of the largest distance."""
    classes, codes = encode(y)
    means = np.array([X[codes == c].mean(axis=0) for c in range(len(classes))])
    score = means.std(axis=0) ** power
    ranking = np.argsort(-score, kind="stable")
    kept = int(np.count_nonzero(score >= shrink * score.max()))
    return Selection(ranking=ranking, selected=max(kept, 1))


def centroids_sweep(X, y, *, rng: np.random.Generator, shrink: Sequence[float], power: float) -> Iterator[Selection]:
    for value in shrink:
        yield centroids(X, y, rng=rng, shrink=value, power=power)


def _frame(spec, evaluations: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame({"x": [0.0, 1.0, 2.0], "y": [1.0, 0.5, 0.0]})


def _draw(spec, frame: pd.DataFrame) -> Figure:
    figure = Figure()
    figure.subplots().plot(frame["x"], frame["y"])
    return figure


LOSS = Drawer(frame=_frame, draw=_draw)


def scaled_kbest(k: int = 1):
    """A pipeline that is a selector."""
    from sklearn.feature_selection import SelectKBest
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), SelectKBest(k=k))
