"""What an experiment will take, measured on a few of its units before it starts."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import Any

from marginfs.data.load import Prepared
from marginfs.study.protocol import Evaluation, Plan, Selector
from marginfs.study.provenance import peak_memory_kilobytes
from marginfs.study.unit_jobs import evaluate, select, tune

UNITS = 3
"""Most units in a sample."""


def sample_units(
    plan: Plan,
    trials: int,
    selectors: Sequence[Selector],
    evaluation: Evaluation,
    prepared: Prepared,
    shared: Collection[str] = (),
) -> dict[str, Any]:
    """Run units that lie evenly along the grids of the first split.

    Parameters
    ----------
    plan : Plan
        What the units are.
    trials : int
        Number of splits.
    selectors : sequence of Selector
        What is run on each of them.
    evaluation : Evaluation
        What is measured.
    prepared : Prepared
        The data sets of the job.
    shared : collection of str
        Selectors that another experiment runs: only their evaluation counts here.

    Returns
    -------
    dict
        The number of units, how many were run, their mean CPU seconds with all selectors, and the highest memory.
    """
    points = len(plan.points())
    chosen = _spread(points)
    own = [selector for selector in selectors if selector.name not in shared]
    others = [selector for selector in selectors if selector.name in shared]
    seconds = 0.0
    for unit in chosen:
        records = {selector.name: _selected(plan, selector, unit, prepared) for selector in others}
        began = time.process_time()
        records |= {selector.name: _selected(plan, selector, unit, prepared) for selector in own}
        for _ in evaluate(plan, evaluation, records, unit, unit + 1, prepared):
            pass
        seconds += (time.process_time() - began) / len(chosen)
    tuned = sum(_tuning_seconds(plan, selector, evaluation, chosen[0], prepared) for selector in own)
    return {
        "units": trials * points,
        "sampled": len(chosen),
        "cpu_seconds": round(seconds + tuned, 3),
        "peak_memory_mb": round(peak_memory_kilobytes() / 1024, 1),
    }


def _spread(count: int) -> list[int]:
    """At most `UNITS` places, evenly from the first to the last."""
    return sorted({place * (count - 1) // max(UNITS - 1, 1) for place in range(UNITS)})


def _selected(plan: Plan, selector: Selector, unit: int, prepared: Prepared) -> list[dict[str, Any]]:
    """What a selector finds, with the first options to try where it is tuned."""
    tuned = [{"options": selector.tuning.first()}] if selector.tuning else None
    return list(select(plan, selector, unit, unit + 1, prepared, tuned))


def _tuning_seconds(plan: Plan, selector: Selector, evaluation: Evaluation, unit: int, prepared: Prepared) -> float:
    """CPU seconds of tuning for one unit, from trials that lie evenly along the grid of its first fold."""
    if selector.tuning is None:
        return 0.0
    trials, places = selector.tuning.trials, _spread(len(selector.tuning.points()))
    began = time.process_time()
    for place in places:
        for _ in tune(plan, selector, evaluation, unit * trials + place, unit * trials + place + 1, prepared):
            pass
    return (time.process_time() - began) * trials / len(places)
