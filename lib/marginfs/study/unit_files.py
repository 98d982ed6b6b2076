"""What the jobs of an experiment read: input functions of Snakemake's rules, by the names in a file's path."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from marginfs.study.protocol import Experiment, Selector
from marginfs.study.study import Study

TUNED = "results/{run}/tuned/{paper}/{experiment}/{selector}/{start}-{stop}"
"""What tuning chose for a chunk of units, without the ending."""


class Wildcards(Protocol):
    """The names in a file's path."""

    def __getattr__(self, name: str) -> str: ...
    def __getitem__(self, name: str) -> str: ...
    def keys(self) -> Iterable[str]: ...  # numpydoc ignore=GL08


Files = Callable[[Wildcards], list[str]]
"""An input function."""


@dataclass(frozen=True)
class UnitFiles:
    """The files behind a job of an experiment: input functions of Snakemake's rules, or what makes them of a pattern.

    A pattern is a file that another rule writes, with its wildcards in braces.

    Attributes
    ----------
    study : Study
        The configuration.
    """

    study: Study

    def experiment(self, wildcards: Wildcards) -> Experiment:  # numpydoc ignore=PR01
        """The experiment of a job."""
        return self.study.experiment(wildcards.paper, wildcards.experiment, wildcards.run)

    def selector(self, wildcards: Wildcards) -> Selector:  # numpydoc ignore=PR01
        """The selector of a job."""
        return self.experiment(wildcards).selectors[wildcards.selector]

    def data(self, wildcards: Wildcards) -> list[str]:  # numpydoc ignore=PR01
        """The prepared data sets that an experiment reads."""
        names = self.study.data_files(wildcards.paper, wildcards.experiment, wildcards.run)
        return [f"results/data/{name}.npz" for name in names.values()]

    def tuned(self, wildcards: Wildcards) -> list[str]:  # numpydoc ignore=PR01
        """What tuning chose for a chunk of units."""
        return [f"{TUNED}.jsonl".format(**wildcards)] if self.selector(wildcards).tuning else []

    def trials(self, pattern: str) -> Files:
        """The trials of tuning behind a chunk of units.

        Parameters
        ----------
        pattern : str
            A file of the rule that tries.

        Returns
        -------
        callable
            The input function.
        """

        def _files(wildcards: Wildcards) -> list[str]:
            units = int(wildcards.start), int(wildcards.stop)
            chunks = self.experiment(wildcards).tuning_chunks(wildcards.selector, *units, self.study.chunk_size)
            return [_filled(pattern, {**wildcards}, start=start, stop=stop) for start, stop in chunks]

        return _files

    def by_selector(self, pattern: str) -> Files:
        """The files of a chunk of units, one per selector.

        Parameters
        ----------
        pattern : str
            A file of the rule that selects.

        Returns
        -------
        callable
            The input function.
        """

        def _files(wildcards: Wildcards) -> list[str]:
            selectors = self.experiment(wildcards).selectors
            return [pattern.format(**self._home(wildcards, name)) for name in selectors]

        return _files

    def by_chunk(self, pattern: str, chunks: str = "chunks", *, tuned: bool = False) -> Files:
        """The files of an experiment, one per chunk of units and, where the pattern names one, per selector.

        Parameters
        ----------
        pattern : str
            A file of the rule that runs the chunks.
        chunks : {"chunks", "timed_chunks"}
            Which units: all, or those whose time is measured.
        tuned : bool
            Only of selectors that are tuned.

        Returns
        -------
        callable
            The input function.
        """

        def _files(wildcards: Wildcards) -> list[str]:
            experiment = self.experiment(wildcards)
            wanted = [name for name, selector in experiment.selectors.items() if selector.tuning or not tuned]
            places = [self._home(wildcards, name) for name in wanted] if "{selector}" in pattern else [{**wildcards}]
            ranges = getattr(experiment, chunks)(self.study.chunk_size)
            return [_filled(pattern, place, start=start, stop=stop) for start, stop in ranges for place in places]

        return _files

    def _home(self, wildcards: Wildcards, selector: str) -> dict[str, str]:
        """The wildcards of a selector's files: those of the experiment that ran it."""
        place = {**wildcards, "selector": selector}
        if name := self.experiment(wildcards).shared.get(selector):
            place |= {"experiment": name, "run": self.study.home(wildcards.paper, name, wildcards.run)}
        return place


def _filled(pattern: str, place: dict[str, str], *, start: int, stop: int) -> str:
    return pattern.format(**{**place, "start": start, "stop": stop})
