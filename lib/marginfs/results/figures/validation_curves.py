"""Accuracy along a ranking as planas2021 plots it: both curves, the optimum, chance, the sizes of the elimination."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from marginfs.results.figures.drawers import Drawer
from marginfs.results.figures.page import draw_panels
from marginfs.results.figures.points import of_panel
from marginfs.results.figures.styles import BLUE, GREEN, GREY, ORANGE, VERMILION
from marginfs.study.axes import Axis
from marginfs.study.figure_specs import FigureSpec
from marginfs.study.panels import Panel

COLUMNS = ["row", "panel", "curve", "x", "y", "cost", "spread", "trials"]
CURVES = {
    "accuracy": "test",
    "train_accuracy": "training",
    "elimination_accuracy": "elimination",
    "estimated_accuracy": "estimated",
}
"""Metric -> how its curve is called."""
OPTIMA = {"test": ("optimum", "cost"), "estimated": ("estimated optimum", "estimated_cost")}
"""Curve -> its marked point, and the metric whose mean is least there."""
COLOURS = {"test": BLUE, "training": ORANGE, "estimated": GREEN}
WEIGHT = 0.8
"""Weight of the error in the measured costs."""
BELOW = 1 / 6
"""Share of a panel's height, below the curves, for the words about optima."""


def curve_points(spec: FigureSpec, evaluation: pd.DataFrame) -> pd.DataFrame:
    """Compute the curves of every panel, and their optima.

    Parameters
    ----------
    spec : FigureSpec
        The figure; its option `weights` gives panels another weight of the error in the cost, by their labels.
    evaluation : pandas.DataFrame
        The evaluations of its experiments.

    Returns
    -------
    pandas.DataFrame
        `COLUMNS`: the mean of each curve over the trials, and a line for each optimum, with its cost.
    """
    parts = [pd.DataFrame(columns=COLUMNS)]
    weights = spec.options.get("weights", {})
    for panel in spec.panels:
        for row, data in _rows(panel, spec.rows, evaluation):
            means = {metric: _means(part, panel.scale) for metric, part in data.groupby("metric")}
            lines = [_line(means[metric], curve) for metric, curve in CURVES.items() if metric in means]
            lines += _optima(means, panel.scale, weights.get(panel.label, WEIGHT))
            parts += [line.assign(row=row, panel=panel.label) for line in lines]
    found = [part for part in parts if len(part)]
    return pd.concat(found, ignore_index=True)[COLUMNS] if found else parts[0]


def _rows(panel: Panel, rows: Axis | None, evaluation: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """(row, measures) of one panel, those of curves and costs alone."""
    metrics = [*CURVES, *(metric for _, metric in OPTIMA.values())]
    data = pd.concat([of_panel(panel, rows, metric, evaluation) for metric in metrics])
    data = data[data["step"] > 0]
    for value in data[rows.by].unique() if rows else [None]:
        yield (rows.name(value), data[data[rows.by] == value]) if rows else ("", data)


def _means(part: pd.DataFrame, scale: float) -> pd.DataFrame:
    """Mean, spread and number of trials at every step that all of them have."""
    points = part.groupby("step")["value"].agg(["mean", "std", "count"])
    return points[points["count"] == points["count"].max()] * [scale, scale, 1]


def _line(points: pd.DataFrame, curve: str) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "curve": curve,
            "x": points.index,
            "y": points["mean"],
            "cost": np.nan,
            "spread": points["std"],
            "trials": points["count"].astype(int),
        }
    )


def _optima(means: dict[Any, pd.DataFrame], scale: float, weight: float) -> list[pd.DataFrame]:
    """The marked points of one panel."""
    found = []
    for metric, curve in CURVES.items():
        if curve not in OPTIMA or metric not in means:
            continue
        name, of = OPTIMA[curve]
        error = 1.0 - means[metric]["mean"] / scale
        share = (means[of]["mean"] / scale - WEIGHT * error) / (1.0 - WEIGHT)
        cost = weight * error + (1.0 - weight) * share
        best = cost.idxmin()
        found.append(_line(means[metric].loc[[best]], name).assign(cost=cost.loc[best]))
    return found


def draw_curves(ax: Axes, panel: Panel, part: pd.DataFrame) -> None:
    """Draw one panel; bands are the standard error of the mean.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The panel.
    panel : Panel
        Its specification.
    part : pandas.DataFrame
        Its points.
    """
    curves = {name: lines.sort_values("x") for name, lines in part.groupby("curve", sort=False)}
    for name, colour in COLOURS.items():
        if name in curves:
            x, y, error = curves[name]["x"], curves[name]["y"], curves[name]["spread"] / curves[name]["trials"] ** 0.5
            ax.plot(x, y, color=colour, label=name)
            ax.fill_between(x, y - error, y + error, color=colour, alpha=0.2, linewidth=0)
    if "elimination" in curves:
        ticks = curves["elimination"]
        ax.plot(ticks["x"], ticks["y"], "|", color=GREY, markersize=7, label="sizes of the elimination")
    if panel.chance is not None:
        ax.axhline(panel.chance, color=VERMILION, linestyle=":", label="chance")
    for height, (name, colour) in enumerate((("optimum", VERMILION), ("estimated optimum", GREEN))):
        if name in curves:
            _mark(ax, curves[name].iloc[0], name, colour, 0.02 + 0.08 * height)
    low, high = ax.get_ylim()
    ax.set_ylim(low - BELOW / (1.0 - BELOW) * (high - low), high)
    if part["row"].iloc[0]:
        ax.set_ylabel(f"{part['row'].iloc[0]}: {ax.get_ylabel()}")


def _mark(ax: Axes, best: Any, name: str, colour: str, height: float) -> None:
    """Mark an optimum, and say at the given height below the curves what it is."""
    ax.axvline(best["x"], ymin=BELOW, color=colour, linewidth=0.6)
    ax.plot(best["x"], best["y"], marker="o", color=colour, linestyle="none")
    label = f"{name} ({best['x']:.0f}, {best['y']:.3g}, {best['cost']:.3f})"
    ax.annotate(label, (0.98, height), xycoords="axes fraction", ha="right", color=colour)


VALIDATION_CURVES = Drawer(frame=curve_points, draw=partial(draw_panels, draw_panel=draw_curves, legend_below=True))
"""Training and test accuracy against the number of features."""
