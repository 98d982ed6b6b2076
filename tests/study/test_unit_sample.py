"""Samples of units, with and without tuning, on a generator's data."""

from __future__ import annotations

import pytest

from marginfs.data.load import Prepared
from marginfs.study import unit_sample
from marginfs.study.protocol import Evaluation, Plan, Selector, Tuning
from marginfs.study.unit_sample import sample_units

DATA = {"source": "linear_toy", "total": 60, "train": 30, "noise": 4, "normalise": ["standardise"]}
EVALUATION = Evaluation("marginfs.evaluation.top_features:top_features", {"final": 2, "kernel": "linear", "C": 1.0})
CORRELATION = "marginfs.selectors.correlation:correlation"


def plan(grid) -> Plan:
    return Plan("paper", "toy", 1, DATA, {}, grid)


def test_units_lie_evenly_along_the_grid(monkeypatch):
    seen = []

    def record(plan, selector, start, stop, prepared, tuned):
        seen.append(start)
        return select(plan, selector, start, stop, prepared, tuned)

    select = unit_sample.select
    monkeypatch.setattr(unit_sample, "select", record)
    selector = Selector("elimination", "marginfs.selectors.backward_elimination:backward_elimination", {})
    found = sample_units(plan({"C": [0.1 * k for k in range(1, 10)]}), 4, [selector], EVALUATION, Prepared({}))
    assert seen == [0, 4, 8]
    assert (found["units"], found["sampled"]) == (36, 3)
    assert found["cpu_seconds"] > 0
    assert found["peak_memory_mb"] > 10


@pytest.mark.parametrize("folds", [2, 5])
def test_tuning_counts_with_all_its_folds_and_points(monkeypatch, folds):
    """Every tick of the clock is one second: of two, one runs the units and one three trials along the first fold."""
    seen = []

    def record(plan, selector, evaluation, start, stop, prepared):
        seen.append(start)
        return tune(plan, selector, evaluation, start, stop, prepared)

    tune = unit_sample.tune
    monkeypatch.setattr(unit_sample, "tune", record)
    ticks = iter(range(100))
    monkeypatch.setattr(unit_sample.time, "process_time", lambda: float(next(ticks)))
    tuning = Tuning({"coefficient": ["pearson", "golub"] * 3}, None, folds, "test_error", "min", {})
    found = sample_units(plan({}), 1, [Selector("corr", CORRELATION, {}, tuning)], EVALUATION, Prepared({}))
    assert seen == [0, 2, 5]
    assert found["cpu_seconds"] == 1.0 + 6 * folds / 3


@pytest.mark.parametrize(("shared", "seconds"), [((), 5.0), (("corr",), 1.0)])
def test_a_shared_selector_is_run_but_not_counted(monkeypatch, shared, seconds):
    """Correlation takes four seconds of this clock, the other selector one."""
    clock, select = [0.0], unit_sample.select

    def ticking(plan, selector, *rest):
        clock[0] += 4.0 if selector.name == "corr" else 1.0
        return select(plan, selector, *rest)

    monkeypatch.setattr(unit_sample, "select", ticking)
    monkeypatch.setattr(unit_sample.time, "process_time", lambda: clock[0])
    selectors = [Selector(name, CORRELATION, {}) for name in ("corr", "mine")]
    found = sample_units(plan({}), 1, selectors, EVALUATION, Prepared({}), shared)
    assert found["cpu_seconds"] == seconds
