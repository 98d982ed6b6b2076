"""The page that a figure is drawn on: panels in rows and columns, the caption, and both files."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from marginfs.results.figures.styles import symbol
from marginfs.results.readings import reading_text
from marginfs.results.words import counted
from marginfs.study.figure_specs import FigureSpec
from marginfs.study.panels import Panel

PANEL = (4.2, 3.1)
"""Width and height of one panel in inches."""
DPI = 150
"""Resolution of the PNG."""
LETTERS = 12
"""Letters of a caption that fit in an inch."""
NOTES = {
    "lines": "; bars or bands: standard error of the mean",
    "bars": "; whiskers: standard error of the mean",
    "validation": "; bands: standard error of the mean; optimum (features, accuracy, cost)",
}
"""What a caption says of a kind of figure."""


def draw_panels(
    spec: FigureSpec,
    frame: pd.DataFrame,
    draw_panel: Callable[[Axes, Panel, pd.DataFrame], None],
    same_range: bool = False,
    legend_below: bool = False,
) -> Figure:
    """Draw one panel per row and column of a figure.

    Parameters
    ----------
    spec : FigureSpec
        The figure.
    frame : pandas.DataFrame
        What is plotted, with the columns `row` and `panel`.
    draw_panel : callable
        Draws the lines of one panel on its axes, which have their headings.
    same_range : bool
        Whether panels of one quantity are compared, and so have the same range.
    legend_below : bool
        Whether one legend below all panels takes the place of legends inside them.

    Returns
    -------
    matplotlib.figure.Figure
        The figure; a panel without data says what was not run.
    """
    sns.set_theme(context="paper", style="ticks", palette="colorblind")
    rows = rows_of(spec, frame)
    figure = Figure(figsize=(PANEL[0] * len(spec.panels), PANEL[1] * len(rows) + 0.5), layout="constrained")
    axes = figure.subplots(len(rows), len(spec.panels), squeeze=False)
    drawn: dict[tuple[str, str], list[Axes]] = {}
    for row, line in zip(rows, axes, strict=True):
        for position, (panel, ax) in enumerate(zip(spec.panels, line, strict=True)):
            part = frame[(frame["row"] == row) & (frame["panel"] == panel.label)]
            ax.set(xlabel=symbol(panel.x.label), ylabel=symbol(panel.y or panel.label))
            if len(part):
                draw_panel(ax, panel, part)
                drawn.setdefault((panel.metric, panel.y or panel.label), []).append(ax)
                if not legend_below and row == rows[0] and (position == 0 or panel.own_curves):
                    ax.legend(frameon=False)
            else:
                say_not_run(ax, panel.experiment)
            ax.set_title(symbol(row if panel.title is None else panel.title))
    for together in drawn.values() if same_range else ():
        lows, highs = zip(*(ax.get_ylim() for ax in together), strict=True)
        for ax in together:
            ax.set_ylim(min(lows), max(highs))
    if legend_below and drawn:
        _add_legend_below(figure)
    sns.despine(figure)
    return figure


def _add_legend_below(figure: Figure) -> None:
    """One entry per label, in the order in which panels have them; two lines where one panel is all the width."""
    entries = {
        label: handle for ax in figure.axes for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)
    }
    columns = len(entries) if len(figure.axes) > 1 else (len(entries) + 1) // 2
    figure.legend(list(entries.values()), list(entries), loc="outside lower center", ncols=columns, frameon=False)


def rows_of(spec: FigureSpec, frame: pd.DataFrame) -> list[str]:
    """List the rows of a figure.

    Parameters
    ----------
    spec : FigureSpec
        The figure.
    frame : pandas.DataFrame
        What is plotted.

    Returns
    -------
    list of str
        Those that the specification names, or those that were run, or one without a name.
    """
    named = [spec.rows.name(value) for value in spec.rows.shown] if spec.rows else []
    return named or list(frame["row"].unique()) or [""]


def say_not_run(ax: Axes, experiment: str) -> None:
    """Say in a panel that it has no data.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The panel.
    experiment : str
        What was not run.
    """
    ax.text(0.5, 0.5, f"not run: {experiment.replace('_', ' ')}", transform=ax.transAxes, ha="center", va="center")
    ax.set(xticks=[], yticks=[])


def caption(
    spec: FigureSpec,
    number: str,
    paper: str,
    fidelity: str,
    frame: pd.DataFrame,
    trials: int | None,
    reading: Mapping[str, Any] | None = None,
) -> str:
    """Say what the figure is, and in plain words how much was run.

    Parameters
    ----------
    spec : FigureSpec
        The figure.
    number : str
        Its number in the paper.
    paper : str
        The paper's key.
    fidelity : str
        The fidelity of the run.
    frame : pandas.DataFrame
        What is plotted.
    trials : int or None
        The paper's number of repetitions.
    reading : mapping or None
        The choices, and the seed, that are not the default.

    Returns
    -------
    str
        Two lines.
    """
    printed = spec.trials or trials
    published = f"; published: {printed}" if printed else ""
    if not len(frame):
        runs = "not run"
    elif "trials" in frame:
        runs = f"{counted(frame['trials'].max(), 'trial')}{published}{NOTES.get(spec.kind, '')}"
    else:
        runs = f"{counted(frame['split'].nunique(), 'split')}{published}" if "split" in frame else "drawn"
    end = "." if reading else ""
    return f"{paper}, figure {number}: {spec.title}\nFidelity {fidelity}: {runs}{end}{reading_text(reading)}"


def save(figure: Figure, text: str, pdf: str | Path, png: str | Path) -> None:
    """Write both formats, without dates in them: the same figure gives the same bytes.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The figure.
    text : str
        Its caption.
    pdf : path
        Where the PDF goes.
    png : path
        Where the PNG goes.
    """
    width = int(LETTERS * figure.get_figwidth())
    lines = [part for line in text.splitlines() for part in textwrap.wrap(line, width)]
    figure.suptitle("\n".join(lines), fontsize="medium")
    figure.savefig(pdf, format="pdf", metadata={"CreationDate": None, "Producer": None, "Creator": None})
    figure.savefig(png, format="png", dpi=DPI, metadata={"Software": None})
