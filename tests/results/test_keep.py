"""What tuning has found is kept until its experiment is published whole, and comes back as the files of the jobs."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from marginfs.files import write_json, write_json_lines
from marginfs.results.gather import total
from marginfs.results.keep import forget, keep, restore_scores
from marginfs.results.restore import Order
from marginfs.seals import damage, seal
from marginfs.study.protocol import Evaluation, Experiment, Plan, Resources, Selector, Tuning, product_of

STUDY = {"fidelity": "paper", "seed": 1, "choices": {"penalty": 1.0}}
PLAN = Plan("toy", "one", 1, {"source": "shapes"}, {"noise": [0, 0.5]}, {"kernel": ["linear", None]})
TUNINGS = {
    "rfe": Tuning({"C": [1, 0.1], "mu": [2.0, 1e-5]}, "C", 3, "error", "min", {}),
    "ao": Tuning({"ridge": [True, "off"]}, None, None, "error", "min", {}, judged={"width": [0.5, 2]}, size="best"),
}
SELECTORS = {name: Selector(name, "m:f", {}, tuning) for name, tuning in TUNINGS.items()}
EXPERIMENT = Experiment(PLAN, 2, {**SELECTORS, "all": Selector("all", "m:f", {})}, Evaluation("m:g", {}))
TOOK = {"seconds": 2.0, "cpu_seconds": 1.5, "peak_memory_mb": 9.0, "python": "3", "machine": "m", "source": "s"}
UNITS = {"rfe": 2 * 4 * 6, "ao": 2 * 4 * 2}
KEPT = Path("reference/toy/tuning_one.csv")


def order(size: int, **changes) -> Order:
    experiment = replace(EXPERIMENT, resources=Resources(chunk_size=size), **changes)
    return Order("toy", "one", experiment, experiment.chunks(), STUDY, ("shapes",), protocol_trials=2)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def records(name: str) -> Iterator[dict]:
    """What the jobs write, counted by hand: split, data, options, fold, then point."""
    tuning = TUNINGS[name]
    points = itertools.product(range(2), PLAN.data_grid["noise"], PLAN.grid["kernel"], range(tuning.folds or 1))
    for split, noise, kernel, fold in points:
        record = {"split": split, "point": {"noise": noise, "kernel": kernel}, "fold": fold}
        for point in tuning.points():
            if name == "rfe":
                scores = [[{**point, "C": C}, (split + 0.1) / (3 * C) + fold] for C in (1, 0.1)]
            else:
                judged = product_of(tuning.judged)
                scores = [[{**point, **one, "size": size}, 1 / 3 / size] for one in judged for size in (5, 2, 1)]
            yield {**record, "scores": scores}


RECORDS = {name: list(records(name)) for name in TUNINGS}


def run(size: int, start: float = 0, stop: float = 1) -> None:
    """The files of the jobs between two shares of the units of tuning."""
    for name, found in RECORDS.items():
        first, last = (math.ceil(share * len(found) / size) * size for share in (start, stop))
        for begin in range(first, min(last, len(found)), size):
            chunk = found[begin : begin + size]
            path = jobs(name) / f"{begin}-{begin + len(chunk)}.jsonl"
            write_json_lines(path, chunk)
            write_json(path.with_suffix(".provenance.json"), TOOK)
            seal([path, path.with_suffix(".provenance.json")])


def jobs(name: str) -> Path:
    return Path("results/paper/tuning/toy/one", name)


def files() -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in Path("results/paper/tuning").rglob("[0-9]*.jsonl")}


def new_machine() -> None:
    Path("results").rename(f"results_{len([*Path().iterdir()])}")


def test_the_units_are_those_that_the_jobs_write():
    assert {name: len(found) for name, found in RECORDS.items()} == UNITS


@pytest.mark.parametrize("size", [1, 3])
def test_what_was_kept_comes_back_byte_by_byte(size):
    run(size)
    assert list(keep([order(size)], "reference", "abc")) == ["toy/one: the scores of 64 of 64 units of tuning are kept"]
    written = files()
    new_machine()
    said = list(restore_scores([order(size)], "reference"))
    chunks = {name: sum(f"/{name}/" in path for path in written) for name in UNITS}
    assert said == [
        f"toy/one: the scores of tuning for {name} are restored in {count} of {count} chunks, 0 needed none"
        for name, count in chunks.items()
    ]
    assert files() == written
    besides = [Path(path).with_suffix(".provenance.json") for path in written]
    assert not any(damage(path) for path in [*map(Path, written), *besides])
    restored, took = total(map(str, besides)), json.loads(KEPT.with_suffix(".provenance.json").read_text())
    assert restored["jobs"] == 0
    for key in ("seconds", "cpu_seconds"):
        assert restored[key] == pytest.approx(took[key])
    assert "0 of" in next(iter(restore_scores([order(size)], "reference")))


def test_the_file_does_not_depend_on_the_jobs():
    found = []
    for size in (1, 3, 50):
        run(size)
        list(keep([order(size)], "reference", "abc"))
        found.append(KEPT.read_bytes())
        new_machine()
        KEPT.unlink()
    assert found[0] == found[1] == found[2]
    head, first = found[0].decode().splitlines()[:2]
    assert head == "selector,split,noise,kernel,fold,C,mu,ridge,width,size,score"
    assert first == "rfe,0,0,linear,0,1,2.0,,,,0.03333333333333333"


def test_two_halves_are_one_whole_and_work_is_counted_once():
    run(1)
    list(keep([order(1)], "reference", "whole"))
    whole, took = KEPT.read_bytes(), json.loads(KEPT.with_suffix(".provenance.json").read_text())
    new_machine()
    KEPT.unlink()
    run(1, stop=0.5)
    assert "32 of 64" in next(iter(keep([order(1)], "reference", "first")))
    new_machine()
    list(restore_scores([order(3)], "reference"))
    run(1, start=0.4)
    assert "64 of 64" in next(iter(keep([order(3)], "reference", "second")))
    assert KEPT.read_bytes() == whole
    merged = json.loads(KEPT.with_suffix(".provenance.json").read_text())
    assert (merged["cpu_seconds"], merged["jobs"]) == (took["cpu_seconds"], took["jobs"]) == (64 * 1.5, 64)
    assert merged["commits"] == ["first", "second"]
    before = KEPT.stat().st_mtime_ns
    list(keep([order(3)], "reference", "third"))
    assert KEPT.stat().st_mtime_ns == before


def test_a_machine_with_fewer_scores_makes_nothing_poorer():
    run(1)
    list(keep([order(1)], "reference", "abc"))
    whole = KEPT.read_bytes()
    new_machine()
    assert "64 of 64" in next(iter(keep([order(1, trials=1)], "reference", "abc")))
    assert KEPT.read_bytes() == whole


def test_a_job_of_which_some_units_are_not_kept_runs_again():
    run(1, stop=0.5)
    list(keep([order(1)], "reference", "abc"))
    new_machine()
    said = list(restore_scores([order(5)], "reference"))
    assert "for rfe are restored in 4 of 10 chunks" in said[0]
    assert (jobs("rfe") / "15-20.jsonl").exists()
    assert not (jobs("rfe") / "20-25.jsonl").exists()


def test_nothing_of_the_run_is_overwritten_and_choices_stay_newer():
    run(3)
    list(keep([order(3)], "reference", "abc"))
    new_machine()
    chosen = Path("results/paper/tuned/toy/one/rfe/0-3.jsonl")
    for path in (chosen, jobs("rfe") / "18-21.jsonl"):
        path.parent.mkdir(parents=True)
        path.write_text("mine")
    assert "for rfe are restored in 9 of 16 chunks, 7 needed none" in next(
        iter(restore_scores([order(3)], "reference"))
    )
    assert (jobs("rfe") / "18-21.jsonl").read_text() == "mine"
    assert not (jobs("rfe") / "0-3.jsonl").exists()


@pytest.mark.parametrize("harm", ["truncated", "unsealed", "without provenance", "of another grid", "missing data"])
def test_a_file_that_is_not_whole_is_ignored(harm):
    run(3)
    path = jobs("rfe") / "3-6.jsonl"
    if harm == "truncated":
        path.write_bytes(path.read_bytes()[:-20])
    elif harm == "unsealed":
        path.with_name(f".{path.name}.sha256").unlink()
    elif harm == "without provenance":
        path.with_suffix(".provenance.json").unlink()
    else:
        changed = {"scores": [[{"mu": 7.0, "C": 1}, 0.5]]} if harm == "of another grid" else {"missing": "no data"}
        found = [{"split": 0, "point": {"noise": 0, "kernel": "linear"}, "fold": fold, **changed} for fold in (1, 2, 2)]
        write_json_lines(path, found)
        seal([path])
    assert list(keep([order(3)], "reference", "abc")) == ["toy/one: the scores of 61 of 64 units of tuning are kept"]
    list(forget([order(3)], "reference"))
    assert KEPT.exists()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"study": {"seed": 2}}, "they were kept with other choices, or another seed"),
        ({"study": {"choices": {"penalty": 2.0}}}, "they were kept with other choices, or another seed"),
        ({"data": {"source": "letters"}}, "they were kept with other data, or other inner folds"),
        ({"folds": 4}, "they were kept with other data, or other inner folds"),
        ({"grid": {"C": [1, 0.1], "mu": [2.0]}}, "line 4 is of nothing that the protocol tries"),
        ({"grid": {"C": [1, 0.1, 3], "mu": [2.0, 1e-5]}}, "it lacks lines of rfe that the protocol has"),
        ({"grid": {"C": [1, 0.1]}, "sweep": None}, "it has the columns selector,split"),
    ],
)
def test_scores_of_another_study_are_neither_restored_nor_replaced(changes, reason):
    run(1)
    list(keep([order(1)], "reference", "abc"))
    kept = KEPT.read_bytes()
    tuning = {key: value for key, value in changes.items() if key not in ("study", "data")}
    rfe = replace(SELECTORS["rfe"], tuning=replace(TUNINGS["rfe"], **tuning))
    plan = replace(PLAN, data=changes.get("data", PLAN.data))
    other = order(1, selectors={**EXPERIMENT.selectors, "rfe": rfe}, plan=plan)
    other = replace(other, study=STUDY | changes.get("study", {}))
    assert "toy/one: tuning_one.csv stays as it is, " + reason in next(iter(keep([other], "reference", "abc")))
    new_machine()
    assert "toy/one: kept scores are not restored, " + reason in next(iter(restore_scores([other], "reference")))
    assert KEPT.read_bytes() == kept
    assert not Path("results").exists()


def test_missing_data_and_damaged_files_restore_nothing():
    run(1)
    list(keep([order(1)], "reference", "abc"))
    new_machine()
    kept = KEPT.read_text()
    for text, reason in (
        ("", "it has the columns"),
        (kept[: kept.rindex(",")], "line 193 is of nothing"),
        (f"<<<<\n{kept}", "it has the columns <<<<"),
    ):
        KEPT.write_text(text)
        assert reason in next(iter(restore_scores([order(1)], "reference")))
    KEPT.write_text(kept)
    assert "data is missing: shapes" in next(iter(restore_scores([order(1)], "reference", ["shapes"])))
    KEPT.with_suffix(".provenance.json").unlink()
    assert "tuning_one.provenance.json does not say" in next(iter(restore_scores([order(1)], "reference")))
    assert not Path("results").exists()


def publish(trials: int) -> None:
    names = [*EXPERIMENT.selectors]
    points = itertools.product(names, range(trials), PLAN.data_grid["noise"], ("linear", ""))
    lines = [f"{name},{split},{noise},{kernel},error,0,0.1\n" for name, split, noise, kernel in points]
    path = KEPT.with_name("evaluation_one.csv")
    path.write_text("selector,split,noise,kernel,metric,step,value\n" + "".join(lines))
    path.with_suffix(".provenance.json").write_text("{}")
    piece = {"commit": "c", "versions": {}, "study": STUDY, "work": {}, "trials": {"one": trials}}
    piece |= {"files": [path.name], "claims": []}
    write_json(KEPT.with_name("provenance.json"), {"pieces": [piece]})


def test_scores_go_when_the_experiment_is_published_whole():
    run(1)
    list(keep([order(1)], "reference", "abc"))
    publish(1)
    assert list(forget([order(1), order(1, trials=1)], "reference")) == []
    assert KEPT.exists()
    publish(2)
    assert "its kept scores are removed" in next(iter(forget([order(1)], "reference")))
    assert not [*KEPT.parent.glob("tuning_*")]
    assert list(keep([order(1)], "reference", "abc")) == [
        "toy/one: its evaluation is published whole, no scores are kept"
    ]
    assert not [*KEPT.parent.glob("tuning_*")]
