"""Axes of tables and figures: what runs along them, and how the paper writes it."""

from __future__ import annotations

import string
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from marginfs.errors import ConfigError
from marginfs.study.scope import Scope


@dataclass(frozen=True)
class Axis:
    """What runs along the rows, columns or curves of an artefact.

    Attributes
    ----------
    by : str
        A key of the grids, `selector`, `step`, `experiment` or, in a table, `metric`.
    title : str
        The heading of the axis.
    label : str
        How a value is written, `{}` standing for it.
    labels : mapping
        Value -> how the paper writes it, where a template is not enough.
    values : tuple
        The values that are shown; by default those with a label, or all.
    """

    by: str
    title: str = ""
    label: str = "{}"
    labels: Mapping[Any, str] = field(default_factory=dict)
    values: tuple[Any, ...] = ()

    @classmethod
    def from_config(cls, mapping: Mapping[str, Any], where: str) -> Axis:
        """Build the axis that a configuration file describes.

        Parameters
        ----------
        mapping : mapping
            What stands in the file.
        where : str
            The key under which it stands, for messages.

        Returns
        -------
        Axis
            The axis; ConfigError where its template is not one.
        """
        _check_template(mapping.get("label", "{}"), f"{where}.label")
        return cls(**{**mapping, "values": tuple(mapping.get("values", ()))})

    @property
    def shown(self) -> tuple[Any, ...]:
        """List the values that the axis names.

        Returns
        -------
        tuple
            Its values, or those with a label; empty where it shows all.
        """
        return self.values or tuple(self.labels)

    def name(self, value: Any) -> str:
        """Write a value as the paper does.

        Parameters
        ----------
        value : Any
            A value of the axis.

        Returns
        -------
        str
            Its label.
        """
        return str(self.labels.get(value, self.label.format(value)))

    def check(self, scope: Scope, where: str, *, metrics: tuple[str, ...] = ()) -> None:
        """Raise ConfigError unless the axis goes by something that exists, and names only values that occur.

        Parameters
        ----------
        scope : Scope
            What the artefact can refer to.
        where : str
            The key of the axis, for messages.
        metrics : tuple of str
            The metrics that the axis tells apart if it goes by `metric`.
        """
        if metrics and self.by == "metric":
            for value in self.shown:
                if value not in metrics:
                    raise ConfigError(f"{where}: the table has no metric '{value}'; it has: {', '.join(metrics)}")
            return
        scope.check_key(self.by, f"{where}.by", also=["metric"] if metrics else [])
        for key, values in (("labels", self.labels), ("values", self.values)):
            for value in values:
                scope.check_value(self.by, value, f"{where}.{key}")
        try:
            self.names(scope)
        except (ValueError, TypeError):
            raise ConfigError(f"{where}.label: '{self.label}' does not fit the values of '{self.by}'") from None

    def names(self, scope: Scope) -> tuple[str, ...] | None:
        """List the labels along the axis.

        Parameters
        ----------
        scope : Scope
            What the artefact can refer to.

        Returns
        -------
        tuple of str or None
            The labels; None where only the evaluation knows them.
        """
        values = self.shown or scope.values(self.by)
        return None if values is None else tuple(map(self.name, values))


def _check_template(template: str, where: str) -> None:
    """A template may have braces only as {} or {:format}."""
    try:
        fields = [name for _, name, _, _ in string.Formatter().parse(template) if name is not None]
    except ValueError as error:
        raise ConfigError(f"{where}: '{template}' is no template: {error}; write {{}} for the value") from None
    for name in fields:
        if name:
            raise ConfigError(f"{where}: '{{{name}}}' in '{template}' means nothing; write {{}} for the value")
    if len(fields) > 1:
        raise ConfigError(f"{where}: '{template}' has {len(fields)} pairs of braces; write {{}} once, for the value")
