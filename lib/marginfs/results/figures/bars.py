"""Bars in groups: a group per value of the x axis, a bar per curve."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from marginfs.results.figures.drawers import Drawer
from marginfs.results.figures.page import draw_panels
from marginfs.results.figures.points import mean_points
from marginfs.results.figures.styles import styles_along
from marginfs.study.panels import Panel

FILLED = 0.8
"""The share of a group's width that its bars take."""
HEADROOM = 1.5
"""Room above the highest bar, for the legend."""


def draw_bars(ax: Axes, panel: Panel, part: pd.DataFrame) -> None:
    """Draw the bars of one panel, with the standard error of the mean.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The panel.
    panel : Panel
        Its specification.
    part : pandas.DataFrame
        Its points.
    """
    groups = list(part["x"].unique())
    bars = [name for name in styles_along(panel.curves, list(part["curve"].unique())) if name in set(part["curve"])]
    styles = styles_along(panel.curves, bars)
    width = FILLED / len(bars)
    for place, name in enumerate(bars):
        bar = part[part["curve"] == name].set_index("x").reindex(groups)
        centres = np.arange(len(groups)) + width * (place - (len(bars) - 1) / 2)
        error = bar["spread"] / bar["trials"] ** 0.5
        ax.bar(centres, bar["y"], width, yerr=error, label=name, color=styles[name].colour, capsize=2)
    ax.set_xticks(range(len(groups)), [str(group) for group in groups])
    if panel.log:
        ax.set_yscale("log")
    else:
        ax.set_ylim(0, HEADROOM * ax.get_ylim()[1])


BARS = Drawer(frame=mean_points, draw=partial(draw_panels, draw_panel=draw_bars))
"""Means as bars."""
