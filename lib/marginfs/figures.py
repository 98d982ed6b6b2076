"""Figures: the plotted curves as a table, and their drawing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from marginfs.artefacts import panels
from marginfs.tables import chosen, label

PANEL = (4.2, 3.1)
"""Width and height of one panel in inches."""
DENSE = 25
"""A curve of more points is drawn as a line in a band, without a marker and bar at every point."""
COLUMNS = ["row", "panel", "curve", "x", "y", "spread", "trials"]


def build_curves(spec: Mapping[str, Any], evaluation: pd.DataFrame) -> pd.DataFrame:
    """Mean and standard deviation over the trials of every plotted point, one line each; none where nothing was run."""
    parts = [_points(panel, spec.get("rows"), evaluation) for panel in panels(spec)]
    return pd.concat([part for part in parts if len(part)] or [pd.DataFrame(columns=COLUMNS)], ignore_index=True)


def _points(panel: Mapping[str, Any], rows: Mapping[str, Any] | None, evaluation: pd.DataFrame) -> pd.DataFrame:
    """The points of one panel, curve by curve: along the steps or, where x names a grid key, along that key."""
    x, curves = panel["x"].get("by", "step"), panel["curves"]
    data = evaluation[evaluation["metric"] == panel["metric"]]
    if "experiment" in data:
        data = data[data["experiment"] == panel["experiment"]]
    data = data[data["step"] > 0] if x == "step" else data[data["step"] == 0]
    for axis in filter(None, (rows, curves)):
        data = chosen(axis, data)
    keys = [axis["by"] for axis in filter(None, (rows, curves))]
    points = data.groupby([*keys, x], sort=False)["value"].agg(["mean", "std", "count"]).reset_index()
    points = points.sort_values(keys, key=lambda column: pd.factorize(column)[0], kind="stable")
    scale = panel.get("scale", 1.0)
    return pd.DataFrame(
        {
            "row": [label(rows, value) for value in points[rows["by"]]] if rows else "",
            "panel": panel["label"],
            "curve": [label(curves, value) for value in points[curves["by"]]],
            "x": points[x],
            "y": points["mean"] * scale,
            "spread": points["std"] * scale,
            "trials": points["count"],
        }
    )


def caption(
    spec: Mapping[str, Any], number: str, paper: str, fidelity: str, curves: pd.DataFrame, trials: int | None
) -> str:
    """Title, and in plain words how much was run."""
    published = f"; published: {trials}" if trials else ""
    runs = f"{curves['trials'].max()} trials{published}; bars or bands: standard error" if len(curves) else "not run"
    return f"{paper}, figure {number}: {spec['title']}\nFidelity {fidelity}: {runs}"


def draw(spec: Mapping[str, Any], curves: pd.DataFrame, text: str) -> Figure:
    """One panel per row and column of the specification; bars and bands are the standard error of the mean."""
    sns.set_theme(context="paper", style="ticks", palette="colorblind")
    columns = panels(spec)
    axis = spec.get("rows", {})
    rows = [label(axis, value) for value in axis.get("values", [])] or list(curves["row"].unique()) or [""]
    figure = Figure(figsize=(PANEL[0] * len(columns), PANEL[1] * len(rows) + 0.5), layout="constrained")
    axes = figure.subplots(len(rows), len(columns), squeeze=False)
    for row, line in zip(rows, axes, strict=True):
        for position, (panel, ax) in enumerate(zip(columns, line, strict=True)):
            part = curves[(curves["row"] == row) & (curves["panel"] == panel["label"])]
            _draw_panel(ax, panel, part)
            ax.set_title(panel.get("title", row))
            if len(part) and row == rows[0] and (position == 0 or "curves" in spec["columns"][position]):
                ax.legend(frameon=False)
    figure.suptitle(text, fontsize="medium")
    sns.despine(figure)
    return figure


def _draw_panel(ax: Axes, panel: Mapping[str, Any], part: pd.DataFrame) -> None:
    """The curves of one panel, or the words that there are none."""
    ax.set(xlabel=panel["x"]["label"], ylabel=panel.get("y", panel["label"]))
    if not len(part):
        ax.text(0.5, 0.5, "not run", transform=ax.transAxes, ha="center", va="center")
        ax.set(xticks=[], yticks=[])
        return
    names = list(panel["curves"].get("labels", {}).values()) or list(part["curve"].unique())
    for color, name in zip(sns.color_palette(), names, strict=False):
        curve = part[part["curve"] == name].sort_values("x")
        error = curve["spread"] / curve["trials"] ** 0.5
        if len(curve) > DENSE:
            ax.plot(curve["x"], curve["y"], label=name, color=color)
            ax.fill_between(curve["x"], curve["y"] - error, curve["y"] + error, color=color, alpha=0.2, linewidth=0)
        else:
            style = {"label": name, "color": color, "marker": "o", "markersize": 3.5, "capsize": 2}
            ax.errorbar(curve["x"], curve["y"], yerr=error, **style)
    if panel["x"].get("log"):
        ax.set_xscale("log")
    elif panel["x"].get("by", "step") == "step":
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    if panel.get("log"):
        ax.set_yscale("log")
    else:
        ax.set_ylim(0, None)


def save(figure: Figure, pdf: str | Path, png: str | Path) -> None:
    """Both formats, without dates in them: the same curves give the same bytes."""
    figure.savefig(pdf, format="pdf", metadata={"CreationDate": None, "Producer": None, "Creator": None})
    figure.savefig(png, format="png", dpi=150, metadata={"Software": None})
