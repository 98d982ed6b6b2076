"""What a full run of a paper publishes: the names of the files, where they are, and the experiments behind them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from marginfs.errors import ConfigError
from marginfs.study.artefacts import experiments_of
from marginfs.study.claim_specs import Claim
from marginfs.study.comparison_study import EXPERIMENT
from marginfs.study.study import Study

RUN = "paper"
"""The run that is published: nothing reduced, every choice by default."""
KINDS = {"tables": ("csv", "md"), "figures": ("csv", "png")}
EVALUATION = "evaluation_{}"
SCORES = "tuning_{}"
"""The kept scores of an experiment that is not published whole yet."""
ENDINGS = (".csv", ".provenance.json")
"""What is gathered of an experiment: its measures, and what they took."""


class Published(NamedTuple):
    """A file of a full run that is published: where it is, the experiments behind it, and whether there are any."""

    path: str
    experiments: tuple[str, ...]
    offered: bool = True


def publication(study: Study, paper: str) -> dict[str, Published]:
    """List what the full run of a paper publishes.

    Parameters
    ----------
    study : Study
        The configuration.
    paper : str
        Key of a paper or comparison.

    Returns
    -------
    dict
        Published name -> file; the evaluations of experiments that were left out are not offered.
    """
    return {**dict(_artefacts(study, paper)), **dict(_evaluations(study, paper))}


def published_files(reference: str | Path, papers: Iterable[str]) -> list[str]:
    """Find the files of published full runs.

    Parameters
    ----------
    reference : path
        The folder of the reference runs.
    papers : iterable of str
        Keys.

    Returns
    -------
    list of str
        As far as there are any; kept scores are not among them.
    """
    places = [Path(reference) / paper for paper in papers]
    paths = [path for place in places for kind in ("csv", "png", "json") for path in sorted(place.glob(f"*.{kind}"))]
    return [str(path) for path in paths if not path.name.startswith(SCORES.format(""))]


def check_full_run(run: str, done: str) -> None:
    """Raise ConfigError unless a run is the one that is published.

    Parameters
    ----------
    run : str
        Name of the run.
    done : str
        What is done with full runs.
    """
    if run != RUN:
        raise ConfigError(
            f"full runs are {done}, and this is the run '{run}'; add --config fidelity=paper, with no choices"
        )


def claims_behind(study: Study, paper: str) -> dict[str, tuple[str, ...]]:
    """List the claims of a paper.

    Parameters
    ----------
    study : Study
        The configuration.
    paper : str
        Key of the paper.

    Returns
    -------
    dict
        Id, in the order of the claims file -> the experiments that test it.
    """
    claims = [Claim.from_config(claim, paper) for claim in study.papers[paper].claims]
    return {claim.id: claim.experiments for claim in claims}


def lasting_experiments(study: Study, paper: str) -> list[str]:
    """Name the experiments whose evaluations are published, so that a later run can go on from them.

    Parameters
    ----------
    study : Study
        The configuration.
    paper : str
        Key of the paper.

    Returns
    -------
    list of str
        Those that are tuned, which takes core-hours, and those that judge such selections once more.
    """
    if not study.published([paper]):
        return []
    made = {name: study.experiment(paper, name, RUN) for name in study.papers[paper].protocol["experiments"]}
    return [
        name
        for name, experiment in made.items()
        if experiment.is_tuned or any(made[other].is_tuned for other in experiment.shared.values())
    ]


def _artefacts(study: Study, paper: str) -> Iterator[tuple[str, Published]]:
    for kind, endings in KINDS.items():
        for number in study.papers[paper].artefacts(kind):
            behind = tuple(experiments_of(study.papers[paper].protocol[kind][number]))
            for ending in endings:
                name = f"{kind[:-1]}_{number}.{ending}"
                yield name, Published(f"results/{RUN}/{kind}/{paper}/{name}", behind)
    if paper in study.comparisons:
        for ending in ("csv", "md", "txt"):
            name = f"comparison.{ending}"
            yield name, Published(f"results/{RUN}/tables/{paper}/{name}", (EXPERIMENT,))


def _evaluations(study: Study, paper: str) -> Iterator[tuple[str, Published]]:
    for name in lasting_experiments(study, paper):
        run = study.experiment(paper, name, RUN).trials > 0
        for ending in ENDINGS:
            path = f"results/{RUN}/evaluations/{paper}/{name}{ending}"
            yield EVALUATION.format(f"{name}{ending}"), Published(path, (name,), run)
