"""The hash of the code behind each kind of unit job: what the job can reach with its options, and nothing else."""

from __future__ import annotations

from marginfs.data import load
from marginfs.study import registry
from marginfs.study.protocol import Evaluation, Experiment, Selector
from marginfs.study.reach import source_hash

PROTOCOL = ("marginfs.study.protocol:Plan", "marginfs.study.protocol:Selector", "marginfs.data.load:Prepared")
"""What scripts make of a job's parameters."""


def selection_source(experiment: Experiment, selector: str) -> str:
    """Hash the code of a selection or timing job.

    Parameters
    ----------
    experiment : Experiment
        What it belongs to.
    selector : str
        Label of its selector.

    Returns
    -------
    str
        A hash.
    """
    parts = [*_data(experiment), *_selector(experiment, experiment.selectors[selector])]
    return source_hash([*PROTOCOL, "marginfs.study.unit_jobs:select", *parts])


def tuning_source(experiment: Experiment, selector: str) -> str:
    """Hash the code of a tuning job.

    Parameters
    ----------
    experiment : Experiment
        What it belongs to.
    selector : str
        Label of its selector.

    Returns
    -------
    str
        A hash.
    """
    parts = [*_data(experiment), *_selector(experiment, experiment.selectors[selector])]
    parts += _evaluation(experiment.evaluation)
    return source_hash([*PROTOCOL, "marginfs.study.unit_jobs:tune", *parts])


def evaluation_source(experiment: Experiment) -> str:
    """Hash the code of an evaluation job.

    Parameters
    ----------
    experiment : Experiment
        What it belongs to.

    Returns
    -------
    str
        A hash.
    """
    parts = [*_data(experiment), *_evaluation(experiment.evaluation)]
    return source_hash([*PROTOCOL, "marginfs.study.unit_jobs:evaluate", "marginfs.study.measures:to_csv", *parts])


def _data(experiment: Experiment) -> list[str]:
    plan = experiment.plan
    return [entry for source in plan.sources() for entry in load.entries_of({**plan.data, "source": source})]


def _selector(experiment: Experiment, selector: Selector) -> list[str]:
    grid = {**experiment.plan.grid, **(selector.tuning.grid if selector.tuning else {})}
    varied = [{option: value} for option, values in grid.items() for value in values]
    tried = [registry.entries_of(selector.method, {**selector.options, **point}) for point in varied or [{}]]
    return sorted({entry for entries in tried for entry in entries})


def _evaluation(evaluation: Evaluation) -> list[str]:
    return ["marginfs.study.protocol:Evaluation", *registry.entries_of(evaluation.method, evaluation.options)]
