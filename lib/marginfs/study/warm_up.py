"""Compiles the numba kernels into their cache, so that jobs which start together find them there."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from marginfs.data.load import SplitData
from marginfs.lookup import look_up
from marginfs.study.kernel_cache import close_cache, open_cache
from marginfs.study.protocol import Evaluation, Experiment

MOST_WORKERS = 4
"""There are few kernels, and processes that need the same one at the same time all compile it."""


class Trial(NamedTuple):
    """One selector with its options, and the evaluation of what it finds, if any."""

    selector: str
    options: dict[str, Any]
    evaluation: str = ""
    evaluation_options: dict[str, Any] | None = None


def compile_kernels(experiments: Iterable[Experiment], workers: int) -> int:
    """Run every selector and every evaluation on a tiny problem, once per set of options.

    Parameters
    ----------
    experiments : iterable of Experiment
        What is going to run.
    workers : int
        Processes to share the work, each of which finds in the cache what others compiled.

    Returns
    -------
    int
        Number of trials.
    """
    trials = {json.dumps(trial, sort_keys=True): trial for one in experiments for trial in _trials(one)}
    if trials:
        cache = Path(os.environ["NUMBA_CACHE_DIR"])
        if not open_cache(cache):
            print("marginfs: compiling, again only when the code changes; up to a minute", file=sys.stderr)
        try:
            with ProcessPoolExecutor(min(workers, MOST_WORKERS), multiprocessing.get_context("spawn")) as pool:
                list(pool.map(_try, sorted(trials.values(), key=lambda trial: bool(trial.evaluation))))
        except BrokenProcessPool:
            print("marginfs: compiling was killed; jobs compile what is missing", file=sys.stderr)
        else:
            close_cache(cache)
    return len(trials)


def _trials(experiment: Experiment) -> Iterator[Trial]:
    """Each selector by itself, then the evaluation of the last one."""
    unit = next(experiment.plan.units(0, 1))
    for selector in experiment.selectors.values():
        varied = {**unit.options, **(selector.tuning.first() if selector.tuning else {})}
        trial = Trial(selector.method, selector.options_for(varied))
        yield trial
    evaluation: Evaluation = experiment.evaluation
    yield trial._replace(evaluation=evaluation.method, evaluation_options=evaluation.options_for(varied))


def _try(trial: Trial) -> None:
    """Whether a method can do anything with so few points does not matter here: its kernels are compiled by then."""
    rng = np.random.default_rng(0)
    y = np.where(np.arange(40) % 2 == 0, 1, -1)
    X = rng.standard_normal((40, 6))
    X[:, 1] += 5.0 * y
    with contextlib.suppress(Exception):
        selection = look_up(trial.selector)(X, y, rng=rng, **trial.options)
        if trial.evaluation:
            look_up(trial.evaluation)(selection, SplitData(X, y, X, y), **(trial.evaluation_options or {}))
