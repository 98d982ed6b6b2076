"""Figures of a protocol as typed objects."""

from __future__ import annotations

import ast
import importlib.util
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from marginfs.errors import ConfigError
from marginfs.study.axes import Axis
from marginfs.study.options import hint
from marginfs.study.panels import Panel
from marginfs.study.protocol import Outline
from marginfs.study.scope import Scope

DRAWERS: Mapping[str, str] = {
    "lines": "marginfs.results.figures.lines:LINES",
    "bars": "marginfs.results.figures.bars:BARS",
    "scatter": "marginfs.results.figures.scatter:SCATTER",
    "images": "marginfs.results.figures.images:IMAGES",
    "validation": "marginfs.results.figures.validation_curves:VALIDATION_CURVES",
}
"""Kind -> module:name of its drawer; any other kind is written as such a pair."""


@dataclass(frozen=True)
class FigureSpec:
    """One figure of a paper.

    Attributes
    ----------
    title : str
        What it shows.
    kind : str
        How it is drawn: a kind of `DRAWERS`, or package.module:name of a drawer.
    panels : tuple of Panel
        Its columns; none where the drawer needs none.
    rows : Axis or None
        What runs down, each row with all panels.
    experiments : tuple of str
        The experiments that it reads.
    options : mapping
        What else a drawer of its own needs.
    trials : int or None
        The paper's number of repetitions, where it is not that of the whole paper.
    """

    title: str
    kind: str = "lines"
    panels: tuple[Panel, ...] = ()
    rows: Axis | None = None
    experiments: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    trials: int | None = None

    @classmethod
    def from_config(cls, mapping: Mapping[str, Any], where: str) -> FigureSpec:
        """Build the figure that a protocol describes.

        Parameters
        ----------
        mapping : mapping
            What stands in the file, of the shape that its schema asks for.
        where : str
            The key under which it stands, for messages.

        Returns
        -------
        FigureSpec
            The figure; ConfigError where it contradicts itself.
        """
        kind = mapping.get("kind", "lines")
        if kind in DRAWERS and "columns" not in mapping:
            raise ConfigError(f"{where}: the key 'columns' is missing")
        shared = {key: mapping[key] for key in ("experiment", "curves", "x") if key in mapping}
        panels = tuple(
            Panel.from_config(column, shared, f"{where}.columns.{place}")
            for place, column in enumerate(mapping.get("columns", ()))
        )
        named = mapping.get("experiment", ())
        named = (named,) if isinstance(named, str) else tuple(named)
        return cls(
            title=mapping["title"],
            kind=kind,
            panels=panels,
            rows=Axis.from_config(mapping["rows"], f"{where}.rows") if "rows" in mapping else None,
            experiments=tuple(dict.fromkeys(panel.experiment for panel in panels)) if panels else named,
            options=mapping.get("options", {}),
            trials=mapping.get("trials"),
        )

    @property
    def drawer(self) -> str:
        """Tell what draws the figure.

        Returns
        -------
        str
            module:name of its drawer.
        """
        return DRAWERS.get(self.kind, self.kind)

    def check(self, outlines: Mapping[str, Outline], where: str) -> None:
        """Raise ConfigError where the figure refers to something that does not exist.

        Parameters
        ----------
        outlines : mapping of str to Outline
            All experiments of the paper.
        where : str
            The key of the figure, for messages.
        """
        if self.kind not in DRAWERS:
            _check_drawer(self.kind, f"{where}.kind")
        for place, panel in enumerate(self.panels):
            panel.check(outlines, self.rows, self.kind, f"{where}.columns.{place}")
        scope = Scope.of(self.experiments, outlines, f"{where}.experiment")
        if self.rows:
            self.rows.check(scope, f"{where}.rows")
        for label, times in Counter(panel.label for panel in self.panels).items():
            if times > 1:
                raise ConfigError(f"{where}.columns: {times} panels are called '{label}'; give each a label of its own")


def _check_drawer(kind: str, where: str) -> None:
    """Raise ConfigError unless `kind` is package.module:name of something that exists; the module is not imported."""
    module, _, name = kind.partition(":")
    if not name:
        raise ConfigError(f"{where}: no kind is called '{kind}'{hint(kind, DRAWERS)}, or package.module:name")
    try:
        found = importlib.util.find_spec(module)
    except ImportError:
        found = None
    if found is None or not found.origin:
        raise ConfigError(f"{where}: there is no module '{module}'; write package.module:name of a drawer")
    known = _assigned(Path(found.origin).read_text(encoding="utf-8"))
    if name not in known:
        raise ConfigError(f"{where}: the module {module} has no '{name}'{hint(name, known)}")


def _assigned(source: str) -> set[str]:
    """The names that a module assigns at its top level."""
    names: set[str] = set()
    for node in ast.parse(source).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names.update(target.id for target in targets if isinstance(target, ast.Name))
    return names
