"""Units do not depend on how they are grouped, and more trials only add units."""

from __future__ import annotations

import dataclasses

from hypothesis import given
from hypothesis import strategies as st

from marginfs.engine import evaluation_options
from marginfs.protocol import Experiment, Plan, Selector


def experiment(trials: int, sizes: int, options: int) -> Experiment:
    plan = Plan(
        paper="p",
        experiment="e",
        seed=1,
        data={"source": "linear_toy", "total": 100},
        data_grid={"train": list(range(10, 10 + sizes))},
        grid={"C": [0.1 * k for k in range(1, 1 + options)]},
    )
    evaluation = {"method": "top_features", "final": 2, "follows": ["C"]}
    return Experiment(plan, trials, {"a": Selector("a", "correlation", {})}, evaluation)


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
    assert evaluation_options(e.evaluation, unit) == {"final": 2, "C": 0.2}
