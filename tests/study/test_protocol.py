"""Units do not depend on how they are grouped, and more trials only add units."""

from __future__ import annotations

import dataclasses

from hypothesis import given
from hypothesis import strategies as st

from marginfs.study.protocol import Evaluation, Experiment, Plan, Selector, Tuning


def experiment(trials: int, sizes: int, options: int) -> Experiment:
    plan = Plan(
        paper="p",
        experiment="e",
        seed=1,
        data={"source": "linear_toy", "total": 100},
        data_grid={"train": list(range(10, 10 + sizes))},
        grid={"C": [0.1 * k for k in range(1, 1 + options)]},
    )
    tuning = Tuning({"degree": [1, 2], "sigma": [1.0, 2.0, 3.0]}, "sigma", 4, "test_error", "min", {})
    selectors = {"a": Selector("a", "m:correlation", {}), "b": Selector("b", "m:other", {}, tuning)}
    return Experiment(plan, trials, selectors, Evaluation("m:top_features", {"final": 2}, ["C"]))


def units(e: Experiment, size: int) -> list:
    return [unit for start, stop in e.chunks(size) for unit in e.plan.units(start, stop)]


@given(trials=st.integers(1, 9), sizes=st.integers(1, 4), options=st.integers(1, 3), size=st.integers(1, 60))
def test_chunks_cover_every_unit_once_in_one_order(trials, sizes, options, size):
    e = experiment(trials, sizes, options)
    found = units(e, size)
    assert found == units(e, 1)
    assert len({(u.split, tuple(u.point.items())) for u in found}) == len(found) == trials * sizes * options


@given(trials=st.integers(1, 9), more=st.integers(1, 9), size=st.integers(1, 7))
def test_more_trials_leave_full_chunks_as_they_are(trials, more, size):
    few, many = experiment(trials, 2, 1), experiment(trials + more, 2, 1)
    assert few.plan == many.plan
    full = [chunk for chunk in few.chunks(size) if chunk[1] - chunk[0] == size]
    assert set(full) <= set(many.chunks(size))


def test_a_unit_is_complete():
    e = experiment(2, 2, 2)
    unit = units(e, 50)[-1]
    assert dataclasses.asdict(unit) == {
        "split": 1,
        "point": {"train": 11, "C": 0.2},
        "data": {"source": "linear_toy", "total": 100, "train": 11},
        "data_key": "linear_toy[train=11]",
        "options": {"C": 0.2},
    }
    assert e.evaluation.options_for(unit.options) == {"final": 2, "C": 0.2}


@given(start=st.integers(0, 5), length=st.integers(1, 5), size=st.integers(1, 20))
def test_chunks_of_tuning_cover_folds_and_points_of_their_units_and_no_others(start, length, size):
    e = experiment(20, 1, 1)
    chunks = e.tuning_chunks("b", start, start + length, size)
    assert [index for first, last in chunks for index in range(first, last)] == list(
        range(8 * start, 8 * (start + length))
    )
    assert e.tuning_chunks("a", start, start + length, size) == []
