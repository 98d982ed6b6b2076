"""Figures 1 and 2 of tayal2014, which no run is needed for."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from marginfs.results.figures.clusters import CLUSTERS
from marginfs.results.figures.smoothed_loss import HINGE, SMOOTHED, SMOOTHED_LOSS
from marginfs.study.figure_specs import FigureSpec


def spec(**options) -> FigureSpec:
    return FigureSpec("t", "m:n", options=options)


def test_the_smoothed_loss_runs_along_the_hinge():
    frame = SMOOTHED_LOSS.frame(spec(epsilon=0.5), pd.DataFrame())
    margin = frame.loc[frame["curve"] == HINGE, "x"].to_numpy()
    hinge, smoothed = (frame.loc[frame["curve"] == name, "y"].to_numpy() for name in (HINGE, SMOOTHED))
    np.testing.assert_allclose(smoothed[margin <= 0.0], hinge[margin <= 0.0] - 0.5)
    np.testing.assert_array_equal(smoothed[margin >= 1.0], 0.0)
    assert np.abs(np.diff(smoothed, 2)).max() < 0.1 * np.abs(np.diff(hinge, 2)).max(), "it has no kink"
    assert isinstance(SMOOTHED_LOSS.draw(spec(epsilon=0.5), frame), Figure)


def test_clusters_sit_at_the_vertices_and_opposite_ones_differ():
    options = spec(points=400, seed=1, spread=0.01, signs="zero_sum", weight_power=0.0)
    frame = CLUSTERS.frame(options, pd.DataFrame())
    vertices = frame[["x", "y"]].round().astype(int)
    at = frame.assign(x=vertices["x"], y=vertices["y"]).groupby(["x", "y"])["curve"].unique()
    assert len(at) == 12
    assert all(len(found) == 1 for found in at)
    assert all(at[x, y][0] == -at[-x, -y][0] for x, y in at.index)
    assert isinstance(CLUSTERS.draw(options, frame), Figure)
