"""What is published of tuned experiments comes back as the files that a run asks for."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import ROOT
from marginfs.files import read_json_lines
from marginfs.results.restore import Order, orders_of, restore
from marginfs.seals import damage
from marginfs.study.config import load_study
from marginfs.study.protocol import Evaluation, Experiment, Plan, Selector, Tuning

REFERENCE = ROOT / "results" / "reference"
STUDY = {"fidelity": "paper", "seed": 1, "choices": {"penalty": 1.0}}
TUNING = Tuning({"C": [1, 10]}, None, 2, "error", "min", {}, judged={"kernel_width": [0.5, 2.0]}, size="best")
PLAN = Plan("toy", "one", 1, {"source": "shapes"}, {"noise": [0, 0.5]}, {})
EXPERIMENT = Experiment(PLAN, 2, {"rfe": Selector("rfe", "m:f", {}, TUNING)}, Evaluation("m:g", {}))
ORDER = Order("toy", "one", EXPERIMENT, [(0, 2), (2, 4)], STUDY, ("shapes",))
HEADER = "selector,split,noise,metric,step,value\n"


def rows(split: int, noise: str, C: float = 10.0, width: float = 0.5, size: float = 3.0) -> str:
    chosen = {"error": 0.1, "tuned_C": C, "tuned_kernel_width": width, "tuned_size": size}
    return "".join(f"rfe,{split},{noise},{metric},0,{value}\n" for metric, value in chosen.items())


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def publish(*lines: str, choices: dict | None = None) -> None:
    target = Path("reference", "toy")
    target.mkdir(parents=True, exist_ok=True)
    (target / "evaluation_one.csv").write_text(HEADER + "".join(lines))
    record = {"seconds": 5.0, "cpu_seconds": 4.0, "jobs": 3, "peak_memory_mb": 9, "source": ["s"], "trials": 2}
    (target / "evaluation_one.provenance.json").write_text(json.dumps(record))
    piece = {"commit": "c", "versions": {}, "study": STUDY | {"choices": choices or {"penalty": 1.0}}, "work": {}}
    piece |= {"trials": {"one": 2}, "files": ["evaluation_one.csv"], "claims": []}
    (target / "provenance.json").write_text(json.dumps({"pieces": [piece]}))


WHOLE = (rows(0, "0"), rows(0, "0.5"), rows(1, "0", width=2.0), rows(1, "0.5"))


def test_chosen_options_come_back_with_their_types_and_before_the_evaluation():
    publish(*WHOLE)
    assert list(restore([ORDER], "reference")) == [
        "toy/one: what tuning chose for rfe is restored in 2 of 2 chunks, 0 were there",
        "toy/one: its evaluation is restored",
    ]
    tuned = Path("results/paper/tuned/toy/one/rfe")
    second = list(read_json_lines(tuned / "2-4.jsonl"))
    assert second[0] == {"split": 1, "point": {"noise": 0}, "options": {"C": 10, "kernel_width": 2.0, "size": 3}}
    assert [type(value) for value in second[0]["options"].values()] == [int, float, int]
    assert json.loads((tuned / "2-4.provenance.json").read_text())["jobs"] == 0
    made = Path("results/paper/evaluations/toy/one.csv")
    assert made.read_bytes() == Path("reference/toy/evaluation_one.csv").read_bytes()
    assert os.stat(tuned / "2-4.jsonl").st_mtime_ns <= os.stat(made).st_mtime_ns
    for path in (made, made.with_suffix(".provenance.json"), tuned / "0-2.jsonl", tuned / "0-2.provenance.json"):
        assert damage(path) == ""


def test_fewer_trials_restore_the_chunks_that_are_whole():
    publish(*WHOLE[:3])
    said = list(restore([ORDER], "reference"))
    assert "restored in 1 of 2 chunks" in said[0]
    assert said[1] == "toy/one: its evaluation is not restored, 3 units are published and the configuration has 4"
    assert not Path("results/paper/evaluations").exists()


@pytest.mark.parametrize("changes", [{"C": 100.0}, {"width": 7.0}])
def test_a_choice_that_the_grid_does_not_have_is_not_taken(changes):
    publish(rows(0, "0", **changes), *WHOLE[1:])
    assert "restored in 1 of 2 chunks" in next(iter(restore([ORDER], "reference")))


def test_another_selector_is_another_experiment():
    publish(*WHOLE)
    selectors = {**EXPERIMENT.selectors, "all": Selector("all", "m:f", {})}
    order = replace(ORDER, experiment=replace(EXPERIMENT, selectors=selectors))
    assert "its evaluation is not restored" in list(restore([order], "reference"))[-1]


def test_nothing_of_the_run_is_overwritten():
    publish(*WHOLE)
    for path in ("results/paper/tuned/toy/one/rfe/0-2.jsonl", "results/paper/evaluations/toy/one.csv"):
        Path(path).parent.mkdir(parents=True)
        Path(path).write_text("mine")
    said = list(restore([ORDER], "reference"))
    assert "1 of 2 chunks, 1 were there" in said[0]
    assert said[1] == "toy/one: its evaluation is there already"
    assert Path("results/paper/tuned/toy/one/rfe/0-2.jsonl").read_text() == "mine"
    assert Path("results/paper/evaluations/toy/one.csv").read_text() == "mine"


def test_what_was_restored_stays_newer_than_the_choices_for_jobs_of_another_size():
    publish(*WHOLE)
    list(restore([ORDER], "reference"))
    said = list(restore([replace(ORDER, chunks=[(0, 4)])], "reference"))
    assert said[1] == "toy/one: its evaluation is there already"
    chosen = Path("results/paper/tuned/toy/one/rfe/0-4.jsonl")
    for name in ("one.csv", "one.provenance.json"):
        made = Path("results/paper/evaluations/toy", name)
        assert os.stat(chosen).st_mtime_ns <= os.stat(made).st_mtime_ns
        assert damage(made) == ""


def test_what_does_not_fit_is_said_and_left_out():
    publish(*WHOLE, choices={"penalty": 10.0})
    assert list(restore([ORDER], "reference")) == [
        "toy/one: not restored, it was published with other choices, or another seed"
    ]
    publish(*WHOLE, choices={"penalty": 1.0, "forgotten": 3})
    assert list(restore([ORDER], "reference", ["shapes"])) == ["toy/one: not restored, data is missing: shapes"]
    Path("reference/toy/evaluation_one.provenance.json").unlink()
    assert "evaluation_one.provenance.json is not published" in next(iter(restore([ORDER], "reference")))
    publish(*WHOLE)
    order = replace(ORDER, experiment=replace(EXPERIMENT, plan=replace(PLAN, data_grid={"share": [1, 2]})))
    assert "has other columns: selector,split,noise" in next(iter(restore([order], "reference")))
    assert not Path("results").exists()


def test_every_published_evaluation_can_be_restored():
    shutil.copytree(REFERENCE / "tayal2014", "results/reference/tayal2014")
    study = load_study({"papers": "tayal2014", "fidelity": "paper"}, ROOT / "config")
    orders = orders_of(study, "results/reference")
    published = sorted(path.stem for path in Path("results/reference/tayal2014").glob("evaluation_*.csv"))
    assert sorted(f"evaluation_{order.name}" for order in orders) == published
    assert not [sentence for sentence in restore(orders, "results/reference") if ": not restored" in sentence]
    assert Path("results/paper/evaluations/tayal2014/sonar.csv").exists()
