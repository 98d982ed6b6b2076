"""An experiment as units: selector x split x point of the grids, grouped into chunks that jobs run."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

FIDELITIES = ("smoke", "quick", "paper")


@dataclass(frozen=True)
class Unit:
    """One split of one data set at one grid point, the same for every selector.

    point: all that varies. data: the complete specification. options: what the grid adds to those of a selector.
    """

    split: int
    point: Mapping[str, Any]
    data: Mapping[str, Any]
    data_key: str
    options: Mapping[str, Any]


@dataclass(frozen=True)
class Plan:
    """What the units of an experiment are, in plain values, so that Snakemake re-runs a job when one of them changes.

    The number of trials is not among them: units are counted split by split, so more trials only add units at the end.
    """

    paper: str
    experiment: str
    seed: int
    data: Mapping[str, Any]
    data_grid: Mapping[str, Sequence[Any]]
    grid: Mapping[str, Sequence[Any]]

    def points(self) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """(data parameters, selector options) in the order of the grids, the last key varying fastest."""
        return list(itertools.product(_product(self.data_grid), _product(self.grid)))

    def sources(self) -> list[str]:
        """The data sets that the units read."""
        return list(self.data_grid.get("source", [self.data.get("source")]))

    def units(self, start: int, stop: int) -> Iterator[Unit]:
        """Units start..stop-1 of the order split, then data, then options."""
        points = self.points()
        for index in range(start, stop):
            split, position = divmod(index, len(points))
            data, options = points[position]
            label = ",".join(f"{key}={value}" for key, value in sorted(data.items()))
            spec = {**self.data, **data}
            yield Unit(
                split=split,
                point={**data, **options},
                data=spec,
                data_key=f"{spec['source']}[{label}]",
                options=options,
            )


@dataclass(frozen=True)
class Selector:
    """A selector of an experiment: its name there, the function behind it, and the options that no grid varies."""

    name: str
    method: str
    options: Mapping[str, Any]


@dataclass(frozen=True)
class Experiment:
    """One experiment of a paper at one fidelity: selectors x units."""

    plan: Plan
    trials: int
    selectors: Mapping[str, Selector]
    evaluation: Mapping[str, Any]

    def chunks(self, size: int) -> list[tuple[int, int]]:
        """(start, stop) of every chunk of at most `size` units."""
        units = self.trials * len(self.plan.points())
        return [(start, min(start + size, units)) for start in range(0, units, size)]


def _product(grid: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]
