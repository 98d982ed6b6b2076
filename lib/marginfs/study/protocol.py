"""An experiment as units: selector x split x point of the grids, grouped into chunks that jobs run."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Grid = Mapping[str, Sequence[Any]]
Range = tuple[int, int]
"""Start and stop of a run of consecutive units."""

FIDELITIES = ("smoke", "quick", "paper")
SIZE = "size"
"""What the number of features is called where tuning chooses it."""
CHUNK_SIZE = 50
"""Units per job where neither the experiment nor the configuration says otherwise."""


@dataclass(frozen=True)
class Unit:
    """One split of one data set at one grid point, the same for every selector.

    Attributes
    ----------
    split : int
        Number of the split.
    point : mapping
        All that varies: data parameters and selector options.
    data : mapping
        The complete specification of the data.
    data_key : str
        What the data goes by in the random streams.
    options : mapping
        What the grid adds to the options of a selector.
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

    Attributes
    ----------
    paper, experiment : str
        Their names.
    seed : int
        The master seed.
    data : mapping
        Specification of the data.
    data_grid, grid : mapping
        Data parameters and selector options that vary -> their values.
    """

    paper: str
    experiment: str
    seed: int
    data: Mapping[str, Any]
    data_grid: Grid
    grid: Grid

    def points(self) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """List the points of both grids, the last key varying fastest.

        Returns
        -------
        list of (dict, dict)
            Data parameters and selector options of each point.
        """
        return list(itertools.product(product_of(self.data_grid), product_of(self.grid)))

    def sources(self) -> list[str]:
        """List the data sets that the units read.

        Returns
        -------
        list of str
            Names of generators or prepared data sets.
        """
        return list(self.data_grid.get("source", [self.data.get("source")]))

    def units(self, start: int, stop: int) -> Iterator[Unit]:
        """Go through the units in the order split, then data, then options.

        Parameters
        ----------
        start, stop : int
            The first unit, and the one after the last.

        Yields
        ------
        Unit
            Units start..stop-1.
        """
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
class Tuning:
    """How a selector's options are chosen for each unit, before it is trained on the whole training part.

    Attributes
    ----------
    grid : mapping
        Option -> the values to try.
    sweep : str or None
        The key of the grid whose values run in order inside one unit, so that a solver can start from the last one.
    folds : int or None
        Inner folds; None where the data has a validation part.
    metric : str
        What the experiment's evaluation must measure on the inner test part: at step 0, or by number of features.
    goal : {"min", "max"}
        Which values of it are best.
    ties : mapping
        Option -> "smallest" or "largest", in the order in which equally good points are told apart.
    judged : mapping
        Option of the evaluation alone -> the values to try with every selection.
    size : {"one_standard_error", "best"} or None
        How the number of features is chosen with the options, the metric then being a curve over it; None: it is not.
    """

    grid: Grid
    sweep: str | None
    folds: int | None
    metric: str
    goal: Literal["min", "max"]
    ties: Mapping[str, Literal["smallest", "largest"]]
    judged: Grid = field(default_factory=dict)
    size: Literal["one_standard_error", "best"] | None = None

    def points(self) -> list[dict[str, Any]]:
        """List the points of the grid without its sweep.

        Returns
        -------
        list of dict
            Option -> value, the last key varying fastest.
        """
        return product_of({key: values for key, values in self.grid.items() if key != self.sweep})

    @property
    def chosen(self) -> tuple[str, ...]:
        """What tuning chooses: options of the selector, options of the evaluation, and `size`."""
        return (*self.grid, *self.judged, *((SIZE,) if self.size else ()))

    def first(self) -> dict[str, Any]:
        """Take the first point of all, for runs that only look at cost or compile.

        Returns
        -------
        dict
            A value for everything in `chosen`.
        """
        values = {key: values[0] for key, values in {**self.grid, **self.judged}.items()}
        return {**values, SIZE: 1} if self.size else values

    @property
    def trials(self) -> int:
        """How many units of tuning belong to one unit of the experiment: inner folds x points."""
        return (self.folds or 1) * len(self.points())


@dataclass(frozen=True)
class Selector:
    """A selector of an experiment.

    Attributes
    ----------
    name : str
        Its label there.
    method : str
        The function behind it, as "module:function".
    options : mapping
        The options that no grid varies.
    tuning : Tuning or None
        How further options are chosen.
    """

    name: str
    method: str
    options: Mapping[str, Any]
    tuning: Tuning | None = None

    def options_for(self, varied: Mapping[str, Any]) -> dict[str, Any]:
        """Join its own options with those that vary.

        Parameters
        ----------
        varied : mapping
            The options of a unit's grid point, and what tuning chose, of which some is for the evaluation alone.

        Returns
        -------
        dict
            What the function is called with.
        """
        foreign = {*self.tuning.chosen} - {*self.tuning.grid} if self.tuning else set()
        return {**self.options, **{key: value for key, value in varied.items() if key not in foreign}}


@dataclass(frozen=True)
class Evaluation:
    """What is measured of a selection.

    Attributes
    ----------
    method : str
        The function behind it, as "module:function".
    options : mapping
        Its options.
    follows : sequence of str
        Options of the grid, or tuned ones, that the evaluation takes over.
    """

    method: str
    options: Mapping[str, Any]
    follows: Sequence[str] = ()

    def options_for(self, varied: Mapping[str, Any]) -> dict[str, Any]:
        """Join its own options with those that it takes over.

        Parameters
        ----------
        varied : mapping
            The options of a unit's grid point, and those that tuning chose.

        Returns
        -------
        dict
            What the function is called with.
        """
        return {**self.options, **{key: varied[key] for key in self.follows}}


@dataclass(frozen=True)
class Timing:
    """Which units of an experiment are timed, and how often each.

    Attributes
    ----------
    trials : int
        Splits.
    repeats : int
        Runs of each unit, of which the shortest counts.
    """

    trials: int
    repeats: int = 3


@dataclass(frozen=True)
class Resources:
    """What the jobs of an experiment ask of the machine: units per job, memory in MB and time in minutes."""

    chunk_size: int = CHUNK_SIZE
    mem_mb: int = 1000
    runtime: int = 120


@dataclass(frozen=True)
class Experiment:
    """One experiment of a paper at one fidelity: selectors x units.

    Attributes
    ----------
    plan : Plan
        What the units are.
    trials : int
        Number of splits; 0 where the fidelity leaves the experiment out.
    selectors : mapping
        Label -> selector.
    evaluation : Evaluation
        What is measured.
    resources : Resources
        What its jobs need.
    timing : Timing or None
        Which units are timed.
    shared : mapping
        Selector -> the other experiment that runs it on the same units.
    """

    plan: Plan
    trials: int
    selectors: Mapping[str, Selector]
    evaluation: Evaluation
    resources: Resources = field(default_factory=Resources)
    timing: Timing | None = None
    shared: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_tuned(self) -> bool:
        """Whether any of the selectors that it runs itself is tuned."""
        return any(selector.tuning for name, selector in self.selectors.items() if name not in self.shared)

    def chunks(self, size: int | None = None) -> list[Range]:
        """Divide the units into chunks.

        Parameters
        ----------
        size : int, optional
            Most units of a chunk; by default what the experiment asks for.

        Returns
        -------
        list of (int, int)
            Start and stop of each.
        """
        return pieces(0, self.trials * len(self.plan.points()), size or self.resources.chunk_size)

    @property
    def timed_units(self) -> int:
        """How many of the first units are timed."""
        trials = min(self.timing.trials, self.trials) if self.timing else 0
        return trials * len(self.plan.points())

    def timed_chunks(self, size: int | None = None) -> list[Range]:
        """Find the chunks with units that are timed.

        Parameters
        ----------
        size : int, optional
            As for `chunks`.

        Returns
        -------
        list of (int, int)
            Start and stop of each.
        """
        return [chunk for chunk in self.chunks(size) if chunk[0] < self.timed_units]

    def tuning_chunks(self, selector: str, start: int, stop: int, size: int | None = None) -> list[Range]:
        """Divide the units of tuning behind the units start..stop-1 into chunks.

        Parameters
        ----------
        selector : str
            A selector that is tuned.
        start, stop : int
            Units of the experiment.
        size : int, optional
            As for `chunks`.

        Returns
        -------
        list of (int, int)
            Start and stop of each, counted in units of tuning.
        """
        tuning = self.selectors[selector].tuning
        trials = tuning.trials if tuning else 0
        return pieces(start * trials, stop * trials, size or self.resources.chunk_size)


@dataclass(frozen=True)
class Outline:
    """What tables, figures and claims can refer to in an experiment, at any fidelity.

    Attributes
    ----------
    selectors : tuple of str
        Their labels.
    keys : mapping
        What varies (data and selector options) -> its values at all fidelities, in order.
    metrics : frozenset of str
        What the evaluation produces, and "tuned_..." for every tuned option.
    """

    selectors: tuple[str, ...]
    keys: Mapping[str, tuple[Any, ...]]
    metrics: frozenset[str]


def pieces(start: int, stop: int, size: int) -> list[Range]:
    """Cut a range into pieces.

    Parameters
    ----------
    start, stop : int
        The range.
    size : int
        Length of every piece but the last.

    Returns
    -------
    list of (int, int)
        Start and stop of each.
    """
    return [(first, min(first + size, stop)) for first in range(start, stop, size)]


def product_of(grid: Grid) -> list[dict[str, Any]]:
    """List the points of a grid.

    Parameters
    ----------
    grid : mapping
        Key -> values.

    Returns
    -------
    list of dict
        Key -> value, the last key varying fastest.
    """
    return [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]
