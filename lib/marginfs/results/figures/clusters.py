"""Normally distributed clusters on cubes, in two dimensions (tayal2014, figure 2)."""

from __future__ import annotations

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from marginfs.data.generators.ndcc import ndcc
from marginfs.results.figures.drawers import Drawer
from marginfs.results.figures.page import PANEL
from marginfs.results.figures.styles import BLUE, GREY, ORANGE
from marginfs.study.figure_specs import FigureSpec

RADII = (1.0, 2.0, 3.0)
LOOKS = ((-1, ORANGE, "s"), (1, BLUE, "o"))


def cluster_points(spec: FigureSpec, evaluation: pd.DataFrame) -> pd.DataFrame:
    """Draw the points.

    Parameters
    ----------
    spec : FigureSpec
        The figure; its options are `points`, `seed`, and those of the generator.
    evaluation : pandas.DataFrame
        Not read.

    Returns
    -------
    pandas.DataFrame
        curve (the class), x, y.
    """
    options = dict(spec.options)
    rng, points = np.random.default_rng(options.pop("seed")), options.pop("points")
    X, y, _ = ndcc(rng, points, dimensions=2, noise=0, radii=RADII, **options)
    return pd.DataFrame({"curve": y.astype(int), "x": X[:, 0], "y": X[:, 1]})


def draw_clusters(spec: FigureSpec, frame: pd.DataFrame) -> Figure:
    """Draw both classes, and the cubes on whose vertices the clusters sit.

    Parameters
    ----------
    spec : FigureSpec
        The figure.
    frame : pandas.DataFrame
        The points.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.
    """
    sns.set_theme(context="paper", style="ticks")
    figure = Figure(figsize=(PANEL[0], PANEL[0] + 0.5), layout="constrained")
    ax = figure.subplots()
    for radius in RADII:
        ax.plot([radius, 0, -radius, 0, radius], [0, radius, 0, -radius, 0], color=GREY, linewidth=0.8)
    for label, colour, marker in LOOKS:
        cloud = frame[frame["curve"] == label]
        ax.scatter(cloud["x"], cloud["y"], s=8, color=colour, marker=marker, label=f"class {label:+d}")
    ax.set(xlabel="x1", ylabel="x2", aspect="equal")
    ax.legend(frameon=False)
    sns.despine(figure)
    return figure


CLUSTERS = Drawer(frame=cluster_points, draw=draw_clusters)
"""Opposite vertices are of opposite classes."""
