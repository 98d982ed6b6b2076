"""Grey images in a grid: the steps of a metric are the pixels, row by row from the top left."""

from __future__ import annotations

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from marginfs.results.figures.drawers import Drawer
from marginfs.results.figures.page import rows_of, say_not_run
from marginfs.results.figures.points import mean_points
from marginfs.study.figure_specs import FigureSpec

IMAGE = 2.0
"""Width and height that an image may take, in inches."""


def draw_images(spec: FigureSpec, frame: pd.DataFrame) -> Figure:
    """Draw an image per row and curve, the panels beside each other; the largest value of an image is white.

    Parameters
    ----------
    spec : FigureSpec
        The figure.
    frame : pandas.DataFrame
        Mean value of every pixel.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.
    """
    sns.set_theme(context="paper", style="white")
    rows = rows_of(spec, frame)
    columns = [
        (panel, name)
        for panel in spec.panels
        for name in [panel.curves.name(value) for value in panel.curves.shown]
        or list(frame.loc[frame["panel"] == panel.label, "curve"].unique())
        or [""]
    ]
    size = (IMAGE * len(columns), IMAGE * len(rows) + 0.6)
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots(len(rows), len(columns), squeeze=False)
    for row, line in zip(rows, axes, strict=True):
        for (panel, name), ax in zip(columns, line, strict=True):
            part = frame[(frame["row"] == row) & (frame["panel"] == panel.label) & (frame["curve"] == name)]
            if len(part):
                pixels = np.zeros(panel.shape[0] * panel.shape[1])
                pixels[part["x"].to_numpy(dtype=int) - 1] = part["y"]
                ax.imshow(pixels.reshape(panel.shape), cmap="gray", interpolation="nearest")
                ax.set(xticks=[], yticks=[])
            else:
                say_not_run(ax, panel.experiment)
            if row == rows[0]:
                ax.set_title(name if len(spec.panels) == 1 else f"{panel.label}\n{name}")
        line[0].set_ylabel(row)
    return figure


IMAGES = Drawer(frame=mean_points, draw=draw_images)
"""Pixels that the features are."""
