"""One metric against another, a point per split."""

from __future__ import annotations

from functools import partial

import pandas as pd
from matplotlib.axes import Axes

from marginfs.results.figures.drawers import Drawer
from marginfs.results.figures.page import draw_panels
from marginfs.results.figures.points import of_panel
from marginfs.results.figures.styles import GREY, styles_along
from marginfs.study.axes import Axis
from marginfs.study.figure_specs import FigureSpec
from marginfs.study.panels import Panel

COLUMNS = ["row", "panel", "curve", "split", "x", "y"]


def paired_points(spec: FigureSpec, evaluation: pd.DataFrame) -> pd.DataFrame:
    """Pair both metrics of every panel.

    Parameters
    ----------
    spec : FigureSpec
        The figure.
    evaluation : pandas.DataFrame
        The evaluations of its experiments.

    Returns
    -------
    pandas.DataFrame
        `COLUMNS`, a line per split and curve.
    """
    parts = [_points(panel, spec.rows, evaluation) for panel in spec.panels]
    return pd.concat([part for part in parts if len(part)] or [pd.DataFrame(columns=COLUMNS)], ignore_index=True)


def _points(panel: Panel, rows: Axis | None, evaluation: pd.DataFrame) -> pd.DataFrame:
    axes = list(filter(None, (rows, panel.curves)))
    keys = list(dict.fromkeys([*(axis.by for axis in axes), "split"]))
    across, up = (of_panel(panel, rows, metric, evaluation) for metric in (panel.x.metric, panel.metric))
    across, up = (data.loc[data["step"] == 0, [*keys, "value"]] for data in (across, up))
    pairs = across.merge(up, on=keys, suffixes=("_x", "_y"), sort=False)
    return pd.DataFrame(
        {
            "row": [rows.name(value) for value in pairs[rows.by]] if rows else "",
            "panel": panel.label,
            "curve": [panel.curves.name(value) for value in pairs[panel.curves.by]],
            "split": pairs["split"],
            "x": pairs["value_x"],
            "y": pairs["value_y"] * panel.scale,
        }
    )


def draw_scatter(ax: Axes, panel: Panel, part: pd.DataFrame) -> None:
    """Draw the points of one panel and, where both axes are alike, the diagonal.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The panel.
    panel : Panel
        Its specification.
    part : pandas.DataFrame
        Its points.
    """
    for name, style in styles_along(panel.curves, list(part["curve"].unique())).items():
        cloud = part[part["curve"] == name]
        if len(cloud):
            ax.scatter(cloud["x"], cloud["y"], label=name, color=style.colour, marker=style.marker, s=18, alpha=0.8)
    for line in panel.lines:
        if line.x is not None:
            ax.axvline(line.x, color=GREY, linewidth=0.8, label=line.label)
        if line.y is not None:
            ax.axhline(line.y, color=GREY, linewidth=0.8, label=line.label)
    if panel.x.log:
        ax.set_xscale("log")
    if panel.log:
        ax.set_yscale("log")


SCATTER = Drawer(frame=paired_points, draw=partial(draw_panels, draw_panel=draw_scatter))
"""One point per split."""
