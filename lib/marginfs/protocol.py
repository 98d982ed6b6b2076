"""An experiment as units: selector x split x point of the grids, grouped into chunks that jobs run."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

FIDELITIES = ("smoke", "quick", "paper")


@dataclass(frozen=True)
class Unit:
    """One split of one data set at one grid point; `point` is what varies, the other mappings are complete."""

    split: int
    point: Mapping[str, Any]
    data: Mapping[str, Any]
    data_key: str
    options: Mapping[str, Any]
    evaluation: Mapping[str, Any]


@dataclass(frozen=True)
class Job:
    """All that the units of one selector depend on, in plain values, so that Snakemake re-runs a job when one changes.

    The number of trials is not among them: units are counted split by split, so more trials only add units at the end.
    """

    paper: str
    experiment: str
    seed: int
    selector: str
    method: str
    options: Mapping[str, Any]
    data: Mapping[str, Any]
    data_grid: Mapping[str, Sequence[Any]]
    grid: Mapping[str, Sequence[Any]]
    evaluation: Mapping[str, Any]

    def as_params(self) -> dict[str, Any]:
        return asdict(self)

    def points(self) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """(data parameters, selector options) in the order of the grids, the last key varying fastest."""
        return list(itertools.product(_product(self.data_grid), _product(self.grid)))

    def units(self, start: int, stop: int) -> Iterator[Unit]:
        """Units start..stop-1 of the order split, then data, then options."""
        points = self.points()
        for index in range(start, stop):
            split, position = divmod(index, len(points))
            data, options = points[position]
            label = ",".join(f"{key}={value}" for key, value in sorted(data.items()))
            spec = {**self.data, **data}
            evaluation = dict(self.evaluation)
            followed = {key: options[key] for key in evaluation.pop("follows", [])}
            yield Unit(
                split=split,
                point={**data, **options},
                data=spec,
                data_key=f"{spec['source']}[{label}]",
                options={**self.options, **options},
                evaluation={**evaluation, **followed},
            )


@dataclass(frozen=True)
class Experiment:
    """One experiment of a paper at one fidelity."""

    paper: str
    name: str
    seed: int
    trials: int
    data: Mapping[str, Any]
    data_grid: Mapping[str, Sequence[Any]]
    grid: Mapping[str, Sequence[Any]]
    selectors: Mapping[str, Mapping[str, Any]]
    evaluation: Mapping[str, Any]

    def job(self, selector: str) -> Job:
        options = dict(self.selectors[selector])
        method = options.pop("method")
        return Job(
            paper=self.paper,
            experiment=self.name,
            seed=self.seed,
            selector=selector,
            method=method,
            options=options,
            data=self.data,
            data_grid=self.data_grid,
            grid=self.grid,
            evaluation=self.evaluation,
        )

    def chunks(self, size: int) -> list[tuple[int, int]]:
        """(start, stop) of every chunk of at most `size` units of one selector."""
        points = len(_product(self.data_grid)) * len(_product(self.grid))
        units = self.trials * points
        return [(start, min(start + size, units)) for start in range(0, units, size)]


def _product(grid: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]
