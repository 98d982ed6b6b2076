"""How many features remain along an elimination under several step rules (planas2021, figures 5.2 and 5.10)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from marginfs.lookup import look_up
from marginfs.results.figures.drawers import Drawer
from marginfs.results.figures.page import PANEL
from marginfs.results.figures.styles import MARKERS, PALETTE, VERMILION
from marginfs.study.figure_specs import FigureSpec

RULE = "marginfs.searches.step_rules:dynamic_rule"
PROGRESS = "marginfs.searches.backward:Progress"


def sizes_along(spec: FigureSpec, evaluation: pd.DataFrame) -> pd.DataFrame:
    """Follow every rule from all features to none.

    Parameters
    ----------
    spec : FigureSpec
        The figure; its option `features` is their number, `rules` maps the name of each rule to its options.
    evaluation : pandas.DataFrame
        Not used.

    Returns
    -------
    pandas.DataFrame
        curve, iteration, features that remain before it, and the step it takes.
    """
    rows = []
    for name, options in spec.options["rules"].items():
        rows += [(name, *line) for line in _follow(spec.options["features"], options)]
    return pd.DataFrame(rows, columns=["curve", "iteration", "features", "step"])


def _follow(features: int, options: dict[str, Any]) -> list[tuple[int, int, int]]:
    rule, progress = look_up(RULE)(**options), look_up(PROGRESS)
    lines, iteration = [], 1
    while features:
        step = min(max(int(rule(progress(features, iteration, np.empty(0)))), 1), features)
        lines.append((iteration, features, step))
        features, iteration = features - step, iteration + 1
    return lines


def draw_sizes(spec: FigureSpec, frame: pd.DataFrame) -> Figure:
    """Draw the features that remain at each iteration and, where the figure has a centre, the step at each size.

    Parameters
    ----------
    spec : FigureSpec
        The figure; its option `centre` is the number of features around which steps are small.
    frame : pandas.DataFrame
        What `sizes_along` gave.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.
    """
    sns.set_theme(context="paper", style="ticks", palette="colorblind")
    centre = spec.options.get("centre")
    views = [("iteration", "features"), *([("features", "step")] if centre else [])]
    figure = Figure(figsize=(PANEL[0] * len(views), PANEL[1] + 0.5), layout="constrained")
    axes = figure.subplots(1, len(views), squeeze=False)[0]
    for ax, (x, y) in zip(axes, views, strict=True):
        for place, (name, curve) in enumerate(frame.groupby("curve", sort=False)):
            look = {"color": PALETTE[place % len(PALETTE)], "marker": MARKERS[place % len(MARKERS)]}
            ax.plot(curve[x], curve[y], markersize=2.5, linewidth=1, label=name, **look)
        ax.set(xlabel="iteration" if x == "iteration" else "features remaining")
        ax.set(ylabel="features remaining" if y == "features" else "features dropped")
    if centre:
        axes[0].axhline(centre, color=VERMILION, linestyle=":", label="centre")
        axes[1].axvline(centre, color=VERMILION, linestyle=":")
        axes[1].invert_xaxis()
    axes[0].legend(frameon=False)
    sns.despine(figure)
    return figure


STEP_SIZES = Drawer(frame=sizes_along, draw=draw_sizes)
"""Features that remain, by iteration."""
