"""The file of kept scores holds what tuning jobs write, whatever a protocol tunes."""

from __future__ import annotations

import numpy as np
import pytest

from marginfs.data.load import Prepared
from marginfs.files import read_json_lines, write_json_lines
from marginfs.results.kept_scores import is_of, read_scores, scores_text, tuning_units
from marginfs.study.protocol import Evaluation, Plan, Selector, Tuning
from marginfs.study.unit_jobs import tune
from marginfs.types import Measure, Selection

PLAN = Plan(
    "own",
    "ranking",
    1,
    {"source": "mine", "normalise": []},
    {"split": [{"kind": "stratified", "train": 0.6}]},
    {"a": [1, 2]},
)
TUNINGS = {
    "a sweep inside": Tuning({"b": [1, 2.5], "c": ["x", None], "d": [True]}, "c", 2, "error", "min", {}),
    "no sweep": Tuning({"b": [3.0, 1e-300]}, None, 3, "error", "min", {}),
    "sizes and judged": Tuning({"c": ["x"]}, "c", 2, "error", "min", {}, {"e": [0.1, 0.2], "f": [1]}, "best"),
    "judged alone": Tuning({}, None, 2, "error", "min", {}, {"e": [1, 2]}),
}
EVALUATION = Evaluation(f"{__name__}:judge", {}, ("a",))


class Mine:
    """A data set of 20 points."""

    available = True

    def __init__(self) -> None:
        self.y = np.where(np.arange(20) % 2, 1, -1)
        self.X = np.random.default_rng(5).standard_normal((20, 3))


def method(X, y, *, rng, **options) -> Selection:
    return Selection(ranking=np.arange(X.shape[1]))


def judge(selection, data, *, a) -> list[Measure]:
    """A curve over the sizes, the largest first; its first point is at step 0."""
    values = data.X_train.mean(axis=0) / 3
    return [Measure("error", step, float(value)) for step, value in zip((0, 3, 1), values, strict=True)]


def trials(name: str) -> list[dict]:
    prepared = Prepared({})
    prepared._loaded["mine"] = Mine()
    tuning = TUNINGS[name]
    stop = 3 * len(PLAN.points()) * tuning.trials
    return list(tune(PLAN, Selector(name, f"{__name__}:method", {}, tuning), EVALUATION, 0, stop, prepared))


@pytest.mark.parametrize("name", TUNINGS)
def test_units_of_tuning_are_those_of_the_jobs(name):
    units = tuning_units(PLAN, TUNINGS[name])
    found = trials(name)
    assert len(found) == 3 * len(units)
    assert all(is_of(record, index, units) for index, record in enumerate(found))
    assert not any(is_of(record, index + 1, units) for index, record in enumerate(found))
    assert not is_of({**found[0], "scores": found[0]["scores"][:-3]}, 0, units)


def test_scores_are_read_as_the_jobs_wrote_them(tmp_path):
    paths = {name: tmp_path / f"{name}.jsonl" for name in TUNINGS}
    for name, path in paths.items():
        write_json_lines(path, trials(name))
    scores = {name: dict(enumerate(read_json_lines(path))) for name, path in paths.items()}
    scores["no sweep"] = {index: record for index, record in scores["no sweep"].items() if index % 2}
    kept = tmp_path / "kept.csv"
    kept.write_text(scores_text(scores, PLAN, TUNINGS))
    found = read_scores(kept, PLAN, TUNINGS)
    assert found == scores
    for name in {*TUNINGS} - {"no sweep"}:
        write_json_lines(tmp_path / "again.jsonl", found[name].values())
        assert (tmp_path / "again.jsonl").read_bytes() == paths[name].read_bytes()
    assert scores_text({name: found[name] for name in reversed(found)}, PLAN, TUNINGS) == kept.read_text()
