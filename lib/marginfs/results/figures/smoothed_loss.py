"""The hinge and its smoothed form (tayal2014, figure 1)."""

from __future__ import annotations

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from marginfs.lookup import look_up
from marginfs.results.figures.drawers import Drawer
from marginfs.results.figures.page import PANEL
from marginfs.results.figures.styles import BLUE, GREY
from marginfs.study.figure_specs import FigureSpec

HINGE, SMOOTHED = "hinge", "smoothed hinge"
LOSS = "marginfs.solvers.smoothed_hinge:loss"
"""The loss that the methods minimise; figures know methods by name only."""


def losses(spec: FigureSpec, evaluation: pd.DataFrame) -> pd.DataFrame:
    """Compute both losses along the margin.

    Parameters
    ----------
    spec : FigureSpec
        The figure; its option `epsilon` is half the width of the quadratic part.
    evaluation : pandas.DataFrame
        Not read.

    Returns
    -------
    pandas.DataFrame
        curve, x, y.
    """
    margin = np.linspace(-2.0, 2.0, 401)
    curves = {HINGE: np.maximum(0.0, 1.0 - margin), SMOOTHED: look_up(LOSS)(margin, spec.options["epsilon"])}
    return pd.concat(
        [pd.DataFrame({"curve": name, "x": margin, "y": values}) for name, values in curves.items()],
        ignore_index=True,
    )


def draw_losses(spec: FigureSpec, frame: pd.DataFrame) -> Figure:
    """Draw both losses, and the borders of the quadratic part.

    Parameters
    ----------
    spec : FigureSpec
        The figure.
    frame : pandas.DataFrame
        Both curves.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.
    """
    sns.set_theme(context="paper", style="ticks")
    figure = Figure(figsize=(PANEL[0], PANEL[1] + 0.5), layout="constrained")
    ax = figure.subplots()
    for name, colour, line in ((HINGE, GREY, "--"), (SMOOTHED, BLUE, "-")):
        curve = frame[frame["curve"] == name]
        ax.plot(curve["x"], curve["y"], line, color=colour, label=name)
    for border in (1.0 - 2.0 * spec.options["epsilon"], 1.0):
        ax.axvline(border, color=GREY, linewidth=0.6, linestyle=":")
    ax.set(xlabel="y f(x)", ylabel="Loss")
    ax.legend(frameon=False)
    sns.despine(figure)
    return figure


SMOOTHED_LOSS = Drawer(frame=losses, draw=draw_losses)
"""The loss that the trust region needs, beside the one that it stands for."""
