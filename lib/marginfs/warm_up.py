"""Compiles the numba kernels into their cache, so that jobs which start together find them there."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np

from marginfs import registry
from marginfs.data.load import SplitData
from marginfs.engine import evaluation_options
from marginfs.protocol import Experiment


def compile_kernels(experiments: Iterable[Experiment], workers: int) -> int:
    """Run every selector and every evaluation on a tiny problem, once per set of options; return how many runs.

    The runs are shared out to `workers` processes, each of which finds in the cache what the others have compiled.
    """
    selections: dict[str, tuple[Any, ...]] = {}
    evaluations: dict[str, tuple[Any, ...]] = {}
    for experiment in experiments:
        unit = next(experiment.plan.units(0, 1))
        wanted = evaluation_options(experiment.evaluation, unit)
        for selector in experiment.selectors.values():
            options = {**selector.options, **unit.options}
            selections[json.dumps([selector.method, options])] = (selector.method, options, None, {})
        method = experiment.evaluation["method"]
        evaluations[json.dumps([method, wanted])] = (selector.method, options, method, wanted)
    runs = [*selections.values(), *evaluations.values()]
    if runs:
        with ProcessPoolExecutor(min(workers, len(runs)), multiprocessing.get_context("spawn")) as pool:
            list(pool.map(_run, *zip(*runs, strict=True)))
    return len(runs)


def _run(selector: str, options: dict[str, Any], evaluation: str | None, wanted: dict[str, Any]) -> None:
    rng = np.random.default_rng(0)
    y = np.where(np.arange(8) % 2 == 0, 1.0, -1.0)
    X = rng.standard_normal((8, 4))
    X[:, 1] += 5.0 * y
    selection = registry.selector(selector)(X, y, rng=rng, **options)
    if evaluation:
        registry.evaluation(evaluation)(selection, SplitData(X, y, X, y), **wanted)
