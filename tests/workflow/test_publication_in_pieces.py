"""A full run in two halves, on machines of which only what was published is left, gives what one run gives."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from conftest import Project
from marginfs.results.pieces import read_pieces
from toy_project import HERE, add_toy_paper
from workflow_results import jobs

REFERENCE = Path("results", "reference", "toy2026")
RUN = Path("results", "paper")
TIMED = "table_2"
FULL = ("--config", "fidelity=paper", "papers=toy2026", "mirror=mirror")
CURVES = {
    "shares": {"experiment": "classes", "selectors": ["centroids"]},
    "selectors": {"random": {"method": "random_ranking"}},
    "evaluation": {"method": "top_features", "counts": "all", "kernel": "linear", "C": 1.0, "multiclass": "one_vs_one"},
}
FIGURE = {
    "title": "The same selections judged once more",
    "experiment": "curves",
    "curves": {"by": "selector", "labels": {"centroids": "Centroids", "random": "Random"}},
    "columns": [{"metric": "test_error", "label": "Test error (%)", "scale": 100}],
    "x": {"label": "Number of features"},
}


@pytest.fixture(autouse=True)
def own_methods(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(HERE))


def machine(folder: Path, published: Path | None = None) -> Project:
    """A checkout on a new machine."""
    project = add_toy_paper(Project(folder))

    def add_curves(protocol: dict) -> None:
        protocol["experiments"]["curves"] = CURVES
        protocol["figures"]["3"] = FIGURE

    project.edit("config/papers/toy2026.yaml", add_curves)
    if published:
        shutil.copytree(published, project.folder / REFERENCE)
    return project


def run(project: Project, *targets: str, trials: str = "", config: str = "") -> str:
    said = [f"trials={{toy2026: {{{trials}}}}}"] if trials else []
    done = project.run(*targets, *FULL, *said, *filter(None, [config]))
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def publish(project: Project, trials: str = "") -> dict[str, bytes]:
    run(project, str(REFERENCE / "provenance.json"), trials=trials)
    return published(project.folder / REFERENCE)


def published(folder: Path) -> dict[str, bytes]:
    """Every published file but times, and what was measured of the run."""
    return {
        path.name: path.read_bytes()
        for path in folder.iterdir()
        if path.suffix != ".json" and not path.name.startswith(TIMED)
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> dict[str, bytes]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(HERE))
        return publish(machine(tmp_path_factory.mktemp("whole") / "project"))


@pytest.fixture(scope="module")
def first(tmp_path_factory) -> Project:
    """The machine that ran the tuned experiment, and no other."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(HERE))
        project = machine(tmp_path_factory.mktemp("first") / "project")
        publish(project, "criteria: 0, curves: 0")
        return project


def test_the_second_half_restores_the_first_and_tunes_nothing(first, whole, tmp_path):
    second = machine(tmp_path / "second", first.folder / REFERENCE)
    said = run(second, "restore")
    assert "toy2026/classes: its evaluation is restored" in said
    assert "what tuning chose for centroids is restored in 1 of 1 chunks, 0 were there" in said
    made = RUN / "evaluations" / "toy2026" / "classes.csv"
    only_table = run(second, "-n", str(RUN / "tables" / "toy2026" / "table_1.csv"))
    assert jobs(only_table) == {"table": 1}
    planned = jobs(run(second, "-n", str(REFERENCE / "provenance.json")))
    assert not {"tune", "choose"} & {*planned}
    (second.folder / REFERENCE / "tuning_classes.csv").write_text("scores that another machine kept")
    assert publish(second) == whole
    tuned = RUN / "tuned" / "toy2026" / "classes" / "centroids"
    records = [(project.folder / tuned / "0-8.jsonl").read_text().splitlines() for project in (first, second)]
    ran, restored = ([json.loads(line) for line in lines] for lines in records)
    assert [{key: record[key] for key in ("split", "point", "options")} for record in ran] == restored
    assert (second.folder / made).read_bytes() == (first.folder / made).read_bytes()
    assert len(read_pieces(second.folder / REFERENCE)) == 1


def test_without_restoring_the_second_half_adds_its_own_and_leaves_the_first(first, whole, tmp_path):
    second = machine(tmp_path / "second", first.folder / REFERENCE)
    merged = publish(second, "classes: 0")
    shown = {name for name in whole if not name.startswith(("evaluation_curves", "figure_3"))}
    assert {name: merged[name] for name in shown} == {name: whole[name] for name in shown}
    old, new = read_pieces(second.folder / REFERENCE)
    assert {"table_1.csv", "evaluation_classes.csv", "figure_1.png"} <= {*old.files}
    assert {"table_4.csv", "table_4.md", "figure_2.csv"} <= {*new.files}
    assert (old.trials["classes"], old.claims, new.trials["criteria"]) == (8, ("fewer-is-better",), 8)


def test_restoring_overwrites_nothing_and_refuses_what_does_not_fit(first, tmp_path):
    second = machine(tmp_path / "second", first.folder / REFERENCE)
    made = second.folder / RUN / "evaluations" / "toy2026" / "classes.csv"
    said = run(second, "restore", trials="classes: 6")
    assert "its evaluation is not restored, 8 units are published and the configuration has 6" in said
    assert not made.exists()
    run(second, "restore")
    text = made.read_text()
    said = run(second, "restore")
    assert "its evaluation is there already" in said
    assert "restored in 0 of 1 chunks, 1 were there" in said
    assert made.read_text() == text
    for choice in ("fidelity=quick", "choices={toy2026: {penalty: 10.0}}"):
        done = second.run("restore", *FULL, choice)
        assert done.returncode != 0
        assert "full runs are restored" in done.stdout + done.stderr


def test_tuning_goes_on_from_the_scores_that_another_machine_kept(first, tmp_path):
    tuning, tuned = (RUN / stage / "toy2026" / "classes" / "centroids" for stage in ("tuning", "tuned"))
    small = "chunk_size=8"
    third = machine(tmp_path / "third")
    done = [str(tuning / f"{chunk}.jsonl") for chunk in ("0-8", "8-16", "40-48")]
    run(third, *done, config=small)
    assert "toy2026/classes: the scores of 24 of 48 units of tuning are kept" in run(third, "keep")
    fourth = machine(tmp_path / "fourth", third.folder / REFERENCE)
    assert "centroids are restored in 3 of 6 chunks, 0 needed none" in run(fourth, "restore", config=small)
    for path in done:
        assert (fourth.folder / path).read_bytes() == (third.folder / path).read_bytes()
    chosen = str(tuned / "0-8.jsonl")
    assert jobs(run(fourth, "-n", chosen, config=small)) == {"tune": 3, "choose": 1}
    run(fourth, chosen, config=small)
    assert (fourth.folder / chosen).read_bytes() == (first.folder / chosen).read_bytes()
    assert "48 of 48" in run(fourth, "keep")
    assert "restored in 0 of 6 chunks, 6 needed none" in run(fourth, "restore", config=small)
    assert jobs(run(fourth, "-n", chosen, config=small)) == {}
    refused = fourth.run("keep", *FULL, "fidelity=quick")
    assert refused.returncode != 0
    assert "full runs are kept, and this is the run 'quick'" in refused.stdout + refused.stderr
