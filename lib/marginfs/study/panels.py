"""Panels of a figure as typed objects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from marginfs.errors import ConfigError
from marginfs.study.axes import Axis
from marginfs.study.protocol import Outline
from marginfs.study.scope import Scope


@dataclass(frozen=True)
class XAxis:
    """What runs along the x axis of a panel.

    Attributes
    ----------
    label : str
        Its heading.
    by : str
        A key of the grids, or `step`, the position along the curve.
    log : bool
        Whether its scale is logarithmic.
    metric : str
        The metric of a scatter's x axis.
    """

    label: str
    by: str = "step"
    log: bool = False
    metric: str = ""


@dataclass(frozen=True)
class Line:
    """A straight line across a panel.

    Attributes
    ----------
    label : str
        What it is.
    x : float or None
        Where a vertical line stands.
    y : float or None
        Where a horizontal line stands.
    """

    label: str
    x: float | None = None
    y: float | None = None


@dataclass(frozen=True)
class Panel:
    """One column of a figure.

    Attributes
    ----------
    experiment : str
        The experiment that it shows.
    metric : str
        What runs up the y axis.
    label : str
        The name of the panel in the CSV file, and of its y axis unless `y` gives it.
    curves : Axis
        What tells the curves apart.
    x : XAxis
        What runs along.
    y : str
        The heading of the y axis.
    title : str or None
        The heading of the panel; by default that of its row.
    scale : float
        What a measured value is multiplied by.
    log : bool
        Whether the scale of the y axis is logarithmic.
    at : mapping
        Keys that are fixed, each at one value.
    optimum : {"min", "max"} or None
        The end of every mean curve that is marked.
    chance : float or None
        The level, in the panel's scale, that guessing reaches.
    lines : tuple of Line
        Other lines across the panel.
    shape : tuple of int
        Height and width of an image.
    own_curves : bool
        Whether the panel's curves are not those of the figure, so that it needs a legend.
    """

    experiment: str
    metric: str
    label: str
    curves: Axis
    x: XAxis
    y: str = ""
    title: str | None = None
    scale: float = 1.0
    log: bool = False
    at: Mapping[str, Any] = field(default_factory=dict)
    optimum: Literal["min", "max"] | None = None
    chance: float | None = None
    lines: tuple[Line, ...] = ()
    shape: tuple[int, ...] = ()
    own_curves: bool = False

    @classmethod
    def from_config(cls, mapping: Mapping[str, Any], shared: Mapping[str, Any], where: str) -> Panel:
        """Build the panel that a protocol describes.

        Parameters
        ----------
        mapping : mapping
            What stands in the file.
        shared : mapping
            What the figure says for all its panels: experiment, curves, x.
        where : str
            The key of the panel, for messages.

        Returns
        -------
        Panel
            The panel; ConfigError where something is missing.
        """
        made = {**shared, **mapping}
        for key in ("experiment", "curves", "x"):
            if key not in made:
                raise ConfigError(f"{where}: the key '{key}' is missing here and in the figure")
        if not isinstance(made["experiment"], str):
            raise ConfigError(f"{where}: a panel shows one experiment, here or in the figure, not {made['experiment']}")
        return cls(
            **{
                **made,
                "curves": Axis.from_config(made["curves"], f"{where}.curves"),
                "x": XAxis(**made["x"]),
                "lines": tuple(Line(**line) for line in made.get("lines", ())),
                "shape": tuple(made.get("shape", ())),
                "own_curves": "curves" in mapping,
            }
        )

    def check(self, outlines: Mapping[str, Outline], rows: Axis | None, kind: str, where: str) -> None:
        """Raise ConfigError where the panel refers to something that its experiment does not have.

        Parameters
        ----------
        outlines : mapping of str to Outline
            All experiments of the paper.
        rows : Axis or None
            The rows of the figure.
        kind : str
            How the figure is drawn.
        where : str
            The key of the panel, for messages.
        """
        scope = Scope.of([self.experiment], outlines, f"{where}.experiment")
        scope.check_metric(self.metric, f"{where}.metric")
        self.curves.check(scope, f"{where}.curves")
        told = [self.curves.by, *self.at]
        if kind == "scatter":
            scope.check_metric(self.x.metric, f"{where}.x.metric")
        else:
            scope.check_key(self.x.by, f"{where}.x.by")
            told.append(self.x.by)
        if kind == "images" and (len(self.shape) != 2 or self.x.by != "step"):
            raise ConfigError(f"{where}.shape: an image needs its height and width; write shape: [height, width]")
        if rows:
            told.append(rows.by)
        for key, value in self.at.items():
            scope.check_key(key, f"{where}.at")
            scope.check_value(key, value, f"{where}.at.{key}")
        scope.check_fixed(told, where)
