"""Curves along the steps or along a key of the grids."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter, StrMethodFormatter

from marginfs.results.figures.drawers import Drawer
from marginfs.results.figures.page import draw_panels
from marginfs.results.figures.points import mean_points
from marginfs.results.figures.styles import GREY, styles_along, symbol
from marginfs.study.panels import Panel

DENSE = 25
"""A curve of more points is drawn as a line in a band, without a marker and bar at every point."""
MARKS = 8
"""Markers of such a curve, so that one that hides another is seen."""
TICKS = 12
"""So many places along an axis have a tick each."""
FROM_ZERO = 0.5
"""Curves that fall below this share of their highest point are drawn from zero."""
LEVELS = ("--", "-.")
"""Line styles of the lines across a panel."""


def draw_lines(ax: Axes, panel: Panel, part: pd.DataFrame) -> None:
    """Draw the curves of one panel; bars and bands are the standard error of the mean.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The panel.
    panel : Panel
        Its specification.
    part : pandas.DataFrame
        Its points.
    """
    styles = styles_along(panel.curves, list(part["curve"].unique()))
    for place, (name, style) in enumerate(styles.items()):
        curve = part[part["curve"] == name].sort_values("x")
        if not len(curve):
            continue
        error = curve["spread"] / curve["trials"] ** 0.5
        look: dict[str, Any] = {"label": symbol(name), "color": style.colour, "linestyle": style.line}
        look |= {"marker": style.marker, "markersize": 3.5}
        if len(curve) > DENSE:
            every = len(curve) // MARKS
            ax.plot(curve["x"], curve["y"], markevery=(place * every // len(styles), every), **look)
            low, high = curve["y"] - error, curve["y"] + error
            ax.fill_between(curve["x"], low, high, color=style.colour, alpha=0.2, linewidth=0)
        else:
            ax.errorbar(curve["x"], curve["y"], yerr=error, capsize=2, **look)
        if panel.optimum:
            best = curve.loc[curve["y"].idxmin() if panel.optimum == "min" else curve["y"].idxmax()]
            ax.plot(best["x"], best["y"], marker="*", markersize=11, color=style.colour, markeredgecolor="white")
    _draw_levels(ax, panel)
    _scale(ax, panel, part)


def _draw_levels(ax: Axes, panel: Panel) -> None:
    """The level of guessing, and other lines across the panel."""
    if panel.chance is not None:
        ax.axhline(panel.chance, color=GREY, linestyle=":", label="chance")
    for place, line in enumerate(panel.lines):
        look: dict[str, Any] = {"color": GREY, "linewidth": 0.8, "linestyle": LEVELS[place % 2], "label": line.label}
        if line.y is not None:
            ax.axhline(line.y, **look)
        if line.x is not None:
            ax.axvline(line.x, **look)


def _scale(ax: Axes, panel: Panel, part: pd.DataFrame) -> None:
    """Ticks at the points where these are few; a range from zero, unless the curves would use little of it."""
    places = sorted(part["x"].unique())
    if panel.x.log:
        ax.set_xscale("log")
        if panel.x.by == "step":
            ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
            ax.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
            ax.xaxis.set_minor_formatter(NullFormatter())
    elif len(places) <= TICKS:
        ax.set_xticks(places, [f"{place:g}" for place in places])
    elif panel.x.by == "step":
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    if panel.log:
        ax.set_yscale("log")
    elif part["y"].min() < FROM_ZERO * part["y"].max():
        ax.set_ylim(0, None)


LINES = Drawer(frame=mean_points, draw=partial(draw_panels, draw_panel=draw_lines, same_range=True))
"""Mean curves with their standard errors."""
