"""What draws a figure: the interface behind every kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd
from matplotlib.figure import Figure

from marginfs.errors import ConfigError
from marginfs.lookup import look_up
from marginfs.study.figure_specs import FigureSpec


@dataclass(frozen=True)
class Drawer:
    """How one kind of figure is made.

    Attributes
    ----------
    frame : callable
        (specification, evaluations) -> the tidy frame of what is plotted, which is written as CSV.
    draw : callable
        (specification, that frame) -> the figure, without a caption.
    """

    frame: Callable[[FigureSpec, pd.DataFrame], pd.DataFrame]
    draw: Callable[[FigureSpec, pd.DataFrame], Figure]


def drawer_of(spec: FigureSpec) -> Drawer:
    """Find what draws a figure.

    Parameters
    ----------
    spec : FigureSpec
        The figure.

    Returns
    -------
    Drawer
        The drawer of its kind; ConfigError where the kind is the name of something else.
    """
    found = look_up(spec.drawer)
    if not isinstance(found, Drawer):
        raise ConfigError(f"figure kind {spec.kind} names a {type(found).__name__}, where a Drawer is needed")
    return found
