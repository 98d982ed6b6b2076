"""A comparison of selectors: mean ranks with their critical difference, and error against the number of features."""

from __future__ import annotations

import pandas as pd
import scikit_posthocs  # type: ignore[import-untyped]
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from marginfs.results.figures.drawers import Drawer
from marginfs.results.figures.page import say_not_run
from marginfs.results.figures.styles import BLACK, style_of, symbol
from marginfs.results.rank_tests import RankTest, nemenyi, rank_test
from marginfs.study.comparison_study import EXPERIMENT, METRIC
from marginfs.study.figure_specs import FigureSpec

WIDTH, HEIGHT = 11.0, 2.4
"""Width of the figure, and height of a panel of curves, in inches."""
PANELS = 2
"""Panels of curves side by side."""
BASELINE = "random"
"""The selector that every panel of curves shows."""
FRAME = ["metric", "source", "selector", "size", "value", "spread", "trials"]


def comparison_frame(spec: FigureSpec, evaluation: pd.DataFrame) -> pd.DataFrame:
    """Average the errors over the splits.

    Parameters
    ----------
    spec : FigureSpec
        The figure.
    evaluation : pandas.DataFrame
        What `common_curve` measured.

    Returns
    -------
    pandas.DataFrame
        `FRAME`: mean, standard deviation and number of splits, by data set, selector and size.
    """
    if "source" not in evaluation:
        return pd.DataFrame(columns=FRAME)
    curve = (evaluation["metric"] == "test_error") & (evaluation["step"] > 0)
    wanted = evaluation[curve | (evaluation["metric"] == METRIC)].rename(columns={"step": "size"})
    by = wanted.groupby(["metric", "source", "selector", "size"], sort=False)["value"]
    return by.agg(value="mean", spread="std", trials="count").reset_index()[FRAME]


def draw_comparison(spec: FigureSpec, frame: pd.DataFrame) -> Figure:
    """Draw the critical-difference diagram, and below it the curves of every paper's selectors.

    Parameters
    ----------
    spec : FigureSpec
        The figure; its options have the labels and the papers of the selectors.
    frame : pandas.DataFrame
        What `comparison_frame` gave.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.
    """
    sns.set_theme(context="paper", style="ticks")
    labels, papers = spec.options["labels"], spec.options["papers"]
    groups = _groups(list(frame["selector"].unique()), papers)
    rows = max(-(-len(groups) // PANELS), 1)
    above = 1.2 + 0.17 * len(labels) / 2
    figure = Figure(figsize=(WIDTH, above + HEIGHT * rows + 0.5), layout="constrained")
    upper, lower = figure.subfigures(2, 1, squeeze=False, height_ratios=[above, HEIGHT * rows])[:, 0]
    ax = upper.subplots()
    errors = frame[frame["metric"] == METRIC].pivot(index="source", columns="selector", values="value").dropna()
    if len(errors) < 2:
        say_not_run(ax, EXPERIMENT)
    else:
        _draw_ranks(ax, rank_test(errors.rename(columns=lambda name: symbol(labels.get(name, name)))))
    curves = _common_curves(frame)
    panels = lower.subplots(rows, PANELS, squeeze=False, sharex=True, sharey=True)
    for place, panel in enumerate(panels.flat):
        if place < len(groups):
            _draw_curves(panel, groups[place][1], labels, curves)
            panel.set_title(groups[place][0])
            panel.set(xlabel="Number of features", ylabel="Test error (%)" if place % PANELS == 0 else "")
        else:
            panel.set_visible(False)
    sns.despine(figure)
    ax.spines[:].set_visible(False)
    return figure


def _draw_ranks(ax: Axes, test: RankTest) -> None:
    """Mean ranks; a bar joins methods that are not told apart, another shows the critical difference."""
    scikit_posthocs.critical_difference_diagram(
        test.ranks,
        nemenyi(test),
        ax=ax,
        label_fmt_left="{label} ({rank:.1f})",
        label_fmt_right="({rank:.1f}) {label}",
        label_props={"fontsize": 8},
        marker_props={"s": 12, "color": BLACK},
        elbow_props={"color": "0.4", "linewidth": 0.8},
        crossbar_props={"color": BLACK, "linewidth": 2.0},
    )
    ax.set_title(
        f"Mean rank over {test.data_sets} data sets; bars join selectors within the critical difference of "
        f"{test.critical_difference:.1f} (Nemenyi, 5 %)",
        fontsize="medium",
    )


def _groups(selectors: list[str], papers: dict[str, str]) -> list[tuple[str, list[str]]]:
    """Every paper with its selectors, each with the baseline; selectors of no paper come last, together."""
    named: dict[str, list[str]] = {}
    for name in selectors:
        if name != BASELINE:
            named.setdefault(papers.get(name, ""), []).append(name)
    others = named.pop("", [])
    base = [BASELINE] if BASELINE in selectors else []
    if others:
        named["others"] = others
    return [(paper, base + names) for paper, names in named.items()]


def _common_curves(frame: pd.DataFrame) -> pd.DataFrame:
    """Mean error over the data sets, sizes x selectors, at the sizes that all data sets have."""
    curve = frame[frame["metric"] == "test_error"]
    sets = curve.groupby("size")["source"].nunique()
    shown = curve[curve["size"].isin(sets.index[sets == sets.max()])] if len(sets) else curve
    return shown.pivot_table(index="size", columns="selector", values="value", aggfunc="mean", sort=False).sort_index()


def _draw_curves(ax: Axes, names: list[str], labels: dict[str, str], curves: pd.DataFrame) -> None:
    """The curves of one paper in colour, all others as a grey ground."""
    for name in curves:
        ax.plot(curves.index, 100 * curves[name], color="0.88", linewidth=0.8, zorder=0)
    for name in (name for name in names if name in curves):
        style = style_of(name)
        ax.plot(
            curves.index,
            100 * curves[name],
            color=style.colour,
            marker=style.marker,
            linestyle=style.line,
            markersize=3.5,
            label=symbol(labels.get(name, name)),
        )
    ax.set_xticks(list(curves.index), [str(size) for size in curves.index])
    ax.legend(frameon=False, fontsize=7, loc="upper left", bbox_to_anchor=(1.0, 1.05))


CRITICAL_DIFFERENCE = Drawer(frame=comparison_frame, draw=draw_comparison)
"""The figure of a comparison."""
