"""What figures plot: means over the trials, one line a point."""

from __future__ import annotations

import pandas as pd

from marginfs.results.evaluations import chosen, fixed
from marginfs.study.axes import Axis
from marginfs.study.figure_specs import FigureSpec
from marginfs.study.panels import Panel

COLUMNS = ["row", "panel", "curve", "x", "y", "spread", "trials"]


def mean_points(spec: FigureSpec, evaluation: pd.DataFrame) -> pd.DataFrame:
    """Compute every plotted point of a figure.

    Parameters
    ----------
    spec : FigureSpec
        The figure.
    evaluation : pandas.DataFrame
        The evaluations of its experiments.

    Returns
    -------
    pandas.DataFrame
        `COLUMNS`: mean and standard deviation over the trials; no line where nothing was run.
    """
    parts = [_points(panel, spec.rows, evaluation) for panel in spec.panels]
    return pd.concat([part for part in parts if len(part)] or [pd.DataFrame(columns=COLUMNS)], ignore_index=True)


def of_panel(panel: Panel, rows: Axis | None, metric: str, evaluation: pd.DataFrame) -> pd.DataFrame:
    """Keep the measures that a panel shows.

    Parameters
    ----------
    panel : Panel
        The panel.
    rows : Axis or None
        The rows of its figure.
    metric : str
        The metric that is wanted.
    evaluation : pandas.DataFrame
        The evaluations of the figure's experiments.

    Returns
    -------
    pandas.DataFrame
        The lines of its experiment with this metric, at its fixed values and along its rows and curves.
    """
    data = evaluation[(evaluation["metric"] == metric) & (evaluation["experiment"] == panel.experiment)]
    data = fixed(panel.at, data)
    for axis in filter(None, (rows, panel.curves)):
        data = chosen(axis, data)
    return data


def _points(panel: Panel, rows: Axis | None, evaluation: pd.DataFrame) -> pd.DataFrame:
    """The points of one panel, curve by curve: along the steps or, where x names a grid key, along that key."""
    x, curves = panel.x.by, panel.curves
    data = of_panel(panel, rows, panel.metric, evaluation)
    data = data[data["step"] > 0] if x == "step" else data[data["step"] == 0]
    keys = list(dict.fromkeys(axis.by for axis in filter(None, (rows, curves))))
    points = data.groupby(list(dict.fromkeys([*keys, x])), sort=False)["value"].agg(["mean", "std", "count"])
    points = points.reset_index().sort_values(keys, key=lambda column: pd.factorize(column)[0], kind="stable")
    return pd.DataFrame(
        {
            "row": [rows.name(value) for value in points[rows.by]] if rows else "",
            "panel": panel.label,
            "curve": [curves.name(value) for value in points[curves.by]],
            "x": points[x],
            "y": points["mean"] * panel.scale,
            "spread": points["std"] * panel.scale,
            "trials": points["count"],
        }
    )
