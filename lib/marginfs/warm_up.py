"""Compiles the numba kernels into their cache, so that jobs which start together find them there."""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from marginfs import registry
from marginfs.data.load import SplitData
from marginfs.engine import evaluation_options
from marginfs.errors import ConfigError, MarginfsError
from marginfs.protocol import Experiment

MOST_WORKERS = 4
"""There are few kernels, and processes that need the same one at the same time all compile it."""


def compile_kernels(experiments: Iterable[Experiment], workers: int) -> int:
    """Try every selector and every evaluation on a tiny problem, once per set of options; return how many trials.

    The trials are shared out to at most `workers` processes, each of which finds in the cache what others compiled. An
    option that a method refuses ends this with a ConfigError.
    """
    trials: dict[str, Trial] = {}
    for experiment in experiments:
        for trial in _trials(experiment):
            trials.setdefault(json.dumps(trial[1:]), trial)
    if trials:
        if not Path(os.environ.get("NUMBA_CACHE_DIR", ".")).exists():
            print("marginfs: compiling, once for this state of the source; this takes up to a minute", file=sys.stderr)
        with ProcessPoolExecutor(min(workers, MOST_WORKERS), multiprocessing.get_context("spawn")) as pool:
            list(pool.map(_try, sorted(trials.values(), key=lambda trial: bool(trial.evaluation))))
    return len(trials)


class Trial(NamedTuple):
    """One selector, and the evaluation of what it finds, if any; `where` names them in a message."""

    where: str
    selector: str
    options: dict[str, Any]
    evaluation: str = ""
    evaluation_options: Mapping[str, Any] = {}


def _trials(experiment: Experiment) -> Iterator[Trial]:
    """Each selector by itself, then the evaluation of the last one."""
    plan = experiment.plan
    unit = next(plan.units(0, 1))
    for selector in experiment.selectors.values():
        where = f"{plan.paper}: experiments.{plan.experiment}.selectors.{selector.name}"
        trial = Trial(where, selector.method, {**selector.options, **unit.options})
        yield trial
    yield trial._replace(
        where=f"{plan.paper}: experiments.{plan.experiment}.evaluation",
        evaluation=experiment.evaluation["method"],
        evaluation_options=evaluation_options(experiment.evaluation, unit),
    )


def _try(trial: Trial) -> None:
    rng = np.random.default_rng(0)
    y = np.where(np.arange(8) % 2 == 0, 1.0, -1.0)
    X = rng.standard_normal((8, 4))
    X[:, 1] += 5.0 * y
    try:
        select = registry.selector(trial.selector)
        registry.check_options(select, trial.options)
        selection = select(X, y, rng=rng, **trial.options)
        if trial.evaluation:
            evaluate = registry.evaluation(trial.evaluation)
            registry.check_options(evaluate, trial.evaluation_options)
            evaluate(selection, SplitData(X, y, X, y), **trial.evaluation_options)
    except MarginfsError as error:
        raise ConfigError(f"{trial.where}: {error}") from None
    except (TypeError, ValueError) as error:
        options = dict(trial.evaluation_options) if trial.evaluation else trial.options
        raise ConfigError(f"{trial.where}: {error}; the options are {options}") from error
