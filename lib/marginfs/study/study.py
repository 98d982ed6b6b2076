"""Everything that the workflow asks: which papers, which experiments in which run, which data, under which names."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from marginfs.data.catalogue import DatasetSpec
from marginfs.data.generators.problems import GENERATORS
from marginfs.data.generators.simulated_sets import SIMULATED
from marginfs.data.variants import split_variant, variant_name
from marginfs.study.paper import Paper
from marginfs.study.protocol import Experiment
from marginfs.study.runs import Reading, run_name, shared_names, split_run


@dataclass(frozen=True, eq=False)
class Study:
    """config.yaml and every paper's protocol.

    Attributes
    ----------
    fidelity, reading : str
        What this run is: one of the fidelities, and the name of a reading ("" is the default).
    seed : int
        The default master seed.
    chunk_size : int or None
        Units per job, where the user overrides what the experiments ask for.
    mirror : str or None
        Folder that is searched for data first.
    missing_data : {"skip", "fail"}
        What data that cannot be obtained does to the run.
    selected : list of str
        The papers to run.
    papers : mapping
        Key -> paper; comparisons and the user's own data are among them, with protocols of the same form.
    comparisons : tuple of str
        The keys of config/comparisons.
    own_data : mapping
        Name -> entry of config.yaml.
    catalogue : mapping
        Data set -> its entry in datasets.yaml.
    readings : mapping
        Name -> reading: the default, this run's, and every single alternative.
    trials : mapping
        Paper -> experiment -> number of trials, where the user overrides that of the fidelity.
    placed : list of mapping
        Where the user's own selectors run, and why not elsewhere.
    """

    fidelity: str
    reading: str
    seed: int
    chunk_size: int | None
    mirror: str | None
    missing_data: str
    selected: list[str]
    papers: Mapping[str, Paper]
    comparisons: tuple[str, ...]
    own_data: Mapping[str, Mapping[str, Any]]
    catalogue: Mapping[str, DatasetSpec]
    readings: Mapping[str, Reading]
    trials: Mapping[str, Mapping[str, int]]
    placed: list[dict[str, str]] = field(default_factory=list)

    @property
    def run(self) -> str:
        """Name of this run's folder under results/."""
        return run_name(self.fidelity, self.reading)

    def published(self, keys: Iterable[str]) -> list[str]:
        """Leave out what no paper prints.

        Parameters
        ----------
        keys : iterable of str
            Keys of `papers`.

        Returns
        -------
        list of str
            Those that are neither comparisons nor the user's own data.
        """
        return [key for key in keys if key not in self.comparisons and key not in self.own_data]

    def experiment(self, paper: str, name: str, run: str) -> Experiment:
        """Make an experiment as a run has it.

        Parameters
        ----------
        paper, name : str
            The paper and the experiment.
        run : str
            Name of the run.

        Returns
        -------
        Experiment
            With every value resolved.
        """
        return _experiment(self, paper, name, run)

    def seed_of(self, run: str) -> int:
        """Find the master seed of a run.

        Parameters
        ----------
        run : str
            Name of the run.

        Returns
        -------
        int
            The seed.
        """
        seed = self.readings[split_run(run)[1]].seed
        return self.seed if seed is None else seed

    def choices_made(self, paper: str, run: str) -> dict[str, Any]:
        """Find the choices of a paper in a run.

        Parameters
        ----------
        paper : str
            Key of the paper.
        run : str
            Name of the run.

        Returns
        -------
        dict
            Choice -> value.
        """
        return {**self.papers[paper].defaults, **self.readings[split_run(run)[1]].of(paper)}

    def made_with(self, paper: str, run: str) -> dict[str, Any]:
        """Say what a provenance tells of the configuration.

        Parameters
        ----------
        paper : str
            Key of the paper.
        run : str
            Name of the run.

        Returns
        -------
        dict
            Fidelity, seed and choices.
        """
        return {
            "fidelity": split_run(run)[0],
            "seed": self.seed_of(run),
            "choices": self.choices_made(paper, run),
        }

    def data_files(self, paper: str, name: str, run: str) -> dict[str, str]:
        """Find the prepared data sets that an experiment reads; simulated ones have no file.

        Parameters
        ----------
        paper, name, run : str
            As for `experiment`.

        Returns
        -------
        dict
            Data set -> name of its file, which tells what is read otherwise than by default.
        """
        reading = self.readings[split_run(run)[1]]
        sources = [source for source in self.experiment(paper, name, run).plan.sources() if source not in GENERATORS]
        variants = {source: split_variant(source) for source in sources}
        return {source: variant_name(name, {**reading.of(name), **own}) for source, (name, own) in variants.items()}

    def home(self, paper: str, name: str, run: str) -> str:
        """Find the run that has an experiment's results: the default one where the reading does not change it.

        Parameters
        ----------
        paper, name, run : str
            As for `experiment`.

        Returns
        -------
        str
            Name of a run.
        """
        plain = split_run(run)[0]
        same = all(look(paper, name, run) == look(paper, name, plain) for look in (self.experiment, self.data_files))
        return plain if same else run

    def changes(self, run: str) -> dict[str, Any]:
        """List what a run reads otherwise than by default.

        Parameters
        ----------
        run : str
            Name of the run.

        Returns
        -------
        dict
            Choice or "seed" -> value.
        """
        return self.readings[split_run(run)[1]].changes(shared_names(choices_of(self.papers, self.catalogue)))

    def alternatives(self, paper: str) -> list[str]:
        """Name the readings that differ from the default in one choice of a paper or of a data set that it uses.

        Parameters
        ----------
        paper : str
            Key of the paper.

        Returns
        -------
        list of str
            Their names.
        """
        used = {
            split_variant(source)[0]
            for name in self.papers[paper].protocol["experiments"]
            for source in self.experiment(paper, name, "paper").plan.sources()
        }
        return [
            name
            for name, reading in self.readings.items()
            if reading.seed is None and len(reading.choices) == 1 and {*reading.choices} <= {paper, *used}
            if sum(map(len, reading.choices.values())) == 1
        ]


@functools.cache
def _experiment(study: Study, paper: str, name: str, run: str) -> Experiment:
    choices = study.choices_made(paper, run)
    experiment = study.papers[paper].experiment(name, split_run(run)[0], study.seed_of(run), choices)
    wanted = study.trials.get(paper, {})
    return replace(experiment, trials=wanted.get(name, wanted.get(experiment.plan.experiment, experiment.trials)))


def choices_of(papers: Mapping[str, Paper], catalogue: Mapping[str, DatasetSpec]) -> dict[str, dict[str, list[Any]]]:
    """List what can be read in more than one way.

    Parameters
    ----------
    papers : mapping
        Key -> paper.
    catalogue : mapping
        Data set -> its entry in datasets.yaml.

    Returns
    -------
    dict
        Paper or data set -> choice -> its default, then the alternatives.
    """
    of_papers = {
        key: {name: [c["value"], *c["alternatives"]] for name, c in paper.protocol.get("choices", {}).items()}
        for key, paper in papers.items()
    }
    data = {key: spec.choices for key, spec in catalogue.items()} | {key: s.choices for key, s in SIMULATED.items()}
    of_data = {
        key: {name: [choice.value, *choice.alternatives] for name, choice in made.items()} for key, made in data.items()
    }
    return {**of_papers, **of_data}
