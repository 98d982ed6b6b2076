"""Figures: the plotted curves as a table, and their drawing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from marginfs.tables import label

PANEL = (4.2, 3.1)
"""Width and height of one panel in inches."""


def build_curves(spec: Mapping[str, Any], evaluation: pd.DataFrame) -> pd.DataFrame:
    """Mean and standard deviation over the trials of every curve at every step: one line a plotted point."""
    rows = spec.get("rows")
    data = evaluation[evaluation["step"] > 0]
    parts = []
    for column in spec["columns"]:
        part = data[data["metric"] == column["metric"]]
        for axis in filter(None, (rows, spec["curves"])):
            wanted = axis.get("values") or list(axis.get("labels", {}))
            part = part[part[axis["by"]].isin(wanted)] if wanted else part
        keys = [axis["by"] for axis in filter(None, (rows, spec["curves"]))]
        curve = part.groupby([*keys, "step"], sort=False)["value"].agg(["mean", "std", "count"]).reset_index()
        scale = column.get("scale", 1.0)
        parts.append(
            pd.DataFrame(
                {
                    "row": [label(rows, value) for value in curve[rows["by"]]] if rows else "",
                    "panel": column["label"],
                    "curve": [label(spec["curves"], value) for value in curve[spec["curves"]["by"]]],
                    "x": curve["step"],
                    "y": curve["mean"] * scale,
                    "spread": curve["std"] * scale,
                    "trials": curve["count"],
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def draw(spec: Mapping[str, Any], curves: pd.DataFrame, caption: str) -> Figure:
    """One panel per row and column of the specification; error bars are the standard error of the mean."""
    sns.set_theme(context="paper", style="ticks", palette="colorblind")
    rows, panels = list(curves["row"].unique()), [column["label"] for column in spec["columns"]]
    names = list(spec["curves"].get("labels", {}).values()) or list(curves["curve"].unique())
    size = (PANEL[0] * len(panels), PANEL[1] * len(rows) + 0.5)
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots(len(rows), len(panels), squeeze=False)
    for row, line in zip(rows, axes, strict=True):
        for panel, ax in zip(panels, line, strict=True):
            part = curves[(curves["row"] == row) & (curves["panel"] == panel)]
            for color, name in zip(sns.color_palette(), names, strict=False):
                curve = part[part["curve"] == name].sort_values("x")
                error = curve["spread"] / curve["trials"] ** 0.5
                ax.errorbar(
                    curve["x"], curve["y"], yerr=error, label=name, color=color, marker="o", markersize=3.5, capsize=2
                )
            ax.set(xlabel=spec["x"]["label"], ylabel=panel, title=row, ylim=(0, None))
            ax.xaxis.get_major_locator().set_params(integer=True)
    axes[0, 0].legend(frameon=False)
    figure.suptitle(caption, fontsize="medium")
    sns.despine(figure)
    return figure


def save(figure: Figure, pdf: str | Path, png: str | Path) -> None:
    """Both formats, without dates in them: the same curves give the same bytes."""
    figure.savefig(pdf, format="pdf", metadata={"CreationDate": None, "Producer": None, "Creator": None})
    figure.savefig(png, format="png", dpi=150, metadata={"Software": None})
