"""What the tables and figures of a protocol show, read from their specifications."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Spec = Mapping[str, Any]


def panels(figure: Spec) -> list[dict[str, Any]]:
    """The columns of a figure, each with what it shares with the others: experiment, curves and x axis."""
    shared = {key: figure[key] for key in ("experiment", "curves", "x")}
    return [{**shared, **column} for column in figure["columns"]]


def experiments_of(spec: Spec) -> list[str]:
    """The experiments behind a table or figure."""
    return list(dict.fromkeys(experiment for experiment, _, _ in axes_of(spec)))


def axes_of(spec: Spec) -> Iterator[tuple[str, str, str]]:
    """(experiment, key of the axis, what it goes by) of every axis of a table, or of every panel of a figure."""
    is_figure = isinstance(spec["columns"], list)
    parts = [{"rows": spec.get("rows"), **panel} for panel in panels(spec)] if is_figure else [spec]
    for part in parts:
        experiments = part["experiment"] if isinstance(part["experiment"], list) else [part["experiment"]]
        for experiment in experiments:
            for key in ("rows", "columns", "curves", "x"):
                if part.get(key) is not None:
                    yield experiment, key, part[key].get("by", "step")
