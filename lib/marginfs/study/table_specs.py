"""Tables of a protocol as typed objects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from marginfs.errors import ConfigError
from marginfs.study.axes import Axis
from marginfs.study.options import hint
from marginfs.study.protocol import Outline
from marginfs.study.scope import Scope
from marginfs.study.table_parts import Base, Draws, Metric, Optimum, SummaryRow

TIMING_METRIC = "cpu_seconds"
"""The one metric of timings."""


@dataclass(frozen=True)
class TableSpec:
    """One table of a paper: which numbers stand in which cells.

    Attributes
    ----------
    title : str
        What the table shows.
    experiments : tuple of str
        The experiments behind it; an axis by `experiment` tells several apart.
    metrics : tuple of Metric
        What is shown, side by side in every column unless an axis goes by `metric`.
    rows : Axis
        What runs down.
    columns : Axis
        What runs across.
    step : int
        The position along the curves, where no axis and no optimum says it; 0 where there is no curve.
    at : mapping
        Keys that are fixed, each at one value.
    kind : {"values", "timing"}
        A timing table shows CPU seconds, and is counted apart.
    spread : {"deviation", "error"}
        What the paper prints after ±: the standard deviation of the trials or the standard error of their mean.
    trials : int or None
        Published repetitions, where they are not those of the whole paper.
    optimum : Optimum or None
        Where the curves are read off.
    ratio : Base or None
        The cell to which all numbers, published and reproduced, are shown as ratios.
    summary : SummaryRow or None
        The last row.
    draws : Draws or None
        Other draws of the data.
    """

    title: str
    experiments: tuple[str, ...]
    metrics: tuple[Metric, ...]
    rows: Axis
    columns: Axis
    step: int = 0
    at: Mapping[str, Any] = field(default_factory=dict)
    kind: Literal["values", "timing"] = "values"
    spread: Literal["deviation", "error"] = "deviation"
    trials: int | None = None
    optimum: Optimum | None = None
    ratio: Base | None = None
    summary: SummaryRow | None = None
    draws: Draws | None = None

    @classmethod
    def from_config(cls, mapping: Mapping[str, Any], where: str) -> TableSpec:
        """Build the table that a protocol describes.

        Parameters
        ----------
        mapping : mapping
            What stands in the file, of the shape that its schema asks for.
        where : str
            The key under which it stands, for messages.

        Returns
        -------
        TableSpec
            The table; ConfigError where it contradicts itself.
        """
        parts = {"optimum": Optimum, "ratio": Base, "summary": SummaryRow, "draws": Draws}
        plain = ("title", "step", "at", "kind", "spread", "trials")
        experiments = mapping["experiment"]
        return cls(
            experiments=(experiments,) if isinstance(experiments, str) else tuple(experiments),
            metrics=_metrics(mapping, where),
            rows=Axis.from_config(mapping["rows"], f"{where}.rows"),
            columns=Axis.from_config(mapping["columns"], f"{where}.columns"),
            **{key: mapping[key] for key in plain if key in mapping},
            **{key: part(**mapping[key]) for key, part in parts.items() if key in mapping},
        )

    @property
    def axes(self) -> tuple[Axis, Axis]:
        """Both axes.

        Returns
        -------
        tuple of Axis
            Rows and columns.
        """
        return self.rows, self.columns

    @property
    def sources(self) -> tuple[str, ...]:
        """List the experiments whose evaluations the table reads.

        Returns
        -------
        tuple of str
            Its own, then that of other draws.
        """
        other = (self.draws.experiment,) if self.draws else ()
        return tuple(dict.fromkeys((*self.experiments, *other)))

    def metric(self, name: str) -> Metric:
        """Find a metric of the table.

        Parameters
        ----------
        name : str
            Its name.

        Returns
        -------
        Metric
            How it is shown.
        """
        return next(metric for metric in self.metrics if metric.name == name)

    def check(self, outlines: Mapping[str, Outline], where: str) -> None:
        """Raise ConfigError where the table refers to something that no experiment has.

        Parameters
        ----------
        outlines : mapping of str to Outline
            All experiments of the paper.
        where : str
            The key of the table, for messages.
        """
        scope = Scope.of(self.experiments, outlines, f"{where}.experiment")
        self._check_metrics(scope, where)
        names = tuple(metric.name for metric in self.metrics)
        for key, axis in (("rows", self.rows), ("columns", self.columns)):
            axis.check(scope, f"{where}.{key}", metrics=names)
        _check_at(self.at, scope, where)
        scope.check_fixed([*self.at, *(axis.by for axis in self.axes)], where)
        if self.optimum and any(axis.by == "step" for axis in self.axes):
            raise ConfigError(f"{where}.optimum: an axis goes by step already; remove one of the two")
        self._check_labels(scope, where)
        if self.draws:
            self._check_draws(self.draws, outlines, where)

    def _check_metrics(self, scope: Scope, where: str) -> None:
        for metric in self.metrics:
            if (metric.name == TIMING_METRIC) != (self.kind == "timing"):
                raise ConfigError(f"{where}: tables of kind timing, and only these, show {TIMING_METRIC}")
        derived = []
        if self.optimum:
            scope.check_metric(self.optimum.of, f"{where}.optimum.of")
            derived += [self.optimum.size, self.optimum.miss]
            if self.optimum.guess:
                scope.check_metric(self.optimum.guess, f"{where}.optimum.guess")
            elif self.optimum.miss:
                raise ConfigError(f"{where}.optimum.miss: there is no guess that could miss; write guess: <metric>")
            for key, name in (("size", self.optimum.size), ("miss", self.optimum.miss)):
                if any(name in outline.metrics for outline in scope.experiments.values()):
                    raise ConfigError(f"{where}.optimum.{key}: the evaluation measures '{name}' already")
        for metric in self.metrics:
            scope.check_metric(metric.name, f"{where}.metric", derived=derived)

    def _check_labels(self, scope: Scope, where: str) -> None:
        """The base of ratios must be a cell of the table."""
        base = self.ratio or Base()
        wanted = [("ratio.row", base.row, self.rows), ("ratio.column", base.column, self.columns)]
        if self.summary and self.summary.statistic != "mean":
            wanted.append(("summary.base", self.summary.base, self.columns))
        for key, label, axis in wanted:
            names = axis.shown and tuple(map(axis.name, axis.shown)) if axis.by == "metric" else axis.names(scope)
            if label is not None and names and label not in names:
                raise ConfigError(f"{where}.{key}: the table has no '{label}'{hint(label, names)}")

    def _check_draws(self, draws: Draws, outlines: Mapping[str, Outline], where: str) -> None:
        scope = Scope.of([draws.experiment], outlines, f"{where}.draws.experiment")
        scope.check_key(draws.by, f"{where}.draws.by", also=["split"])
        for key, axis in (("rows", self.rows), ("columns", self.columns)):
            if axis.by == "experiment" and draws.experiment not in self.experiments:
                raise ConfigError(f"{where}.draws: other draws are of one experiment; {key} goes by experiment")
            scope.check_key(axis.by, f"{where}.draws: {key}.by", also=["metric"])
        scope.check_fixed([draws.by, *self.at, *(axis.by for axis in self.axes)], f"{where}.draws")


def _metrics(mapping: Mapping[str, Any], where: str) -> tuple[Metric, ...]:
    if ("metric" in mapping) == ("metrics" in mapping):
        raise ConfigError(f"{where}: write either 'metric' with its unit and decimals, or 'metrics' for several")
    if "metric" in mapping:
        own = {key: mapping[key] for key in ("unit", "decimals") if key in mapping}
        return (Metric(mapping["metric"], **own),)
    for key in ("unit", "decimals"):
        if key in mapping:
            raise ConfigError(f"{where}.{key}: with 'metrics' each has its own; write it there")
    return tuple(Metric(name, **(options or {})) for name, options in mapping["metrics"].items())


def _check_at(at: Mapping[str, Any], scope: Scope, where: str) -> None:
    for key, value in at.items():
        scope.check_key(key, f"{where}.at")
        scope.check_value(key, value, f"{where}.at.{key}")
