"""Mistakes in the configuration end a dry run with one message, before any job."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Project

PAPER = "config/papers/klement2010.yaml"
CLAIMS = "config/claims/klement2010.yaml"
CONFIG = "config/config.yaml"


def toy(protocol: dict[str, Any]) -> dict[str, Any]:
    return protocol["experiments"]["toy"]


MISTAKES = {
    "metric": (PAPER, lambda p: p["tables"]["1"].update(metric="test_eror"), ["tables.1.metric", "'test_error'"]),
    "axis label": (
        PAPER,
        lambda p: p["tables"]["1"]["columns"]["labels"].update(svmm="SVM"),
        ["tables.1.columns.labels", "'svmm'", "'svm'"],
    ),
    "data option": (PAPER, lambda p: toy(p)["data"].update(nose=3), ["experiments.toy.data.nose", "'noise'"]),
    "normalisation": (
        PAPER,
        lambda p: toy(p)["data"].update(normalise=["standardize"]),
        ["experiments.toy.data.normalise", "'standardize'", "'standardise'"],
    ),
    "scalar grid": (
        PAPER,
        lambda p: toy(p)["data_grid"].update(train=50),
        ["experiments.toy.data_grid.train is 50", "write a list"],
    ),
    "selector option": (
        PAPER,
        lambda p: toy(p)["selectors"]["svm"].update(bais=True),
        ["experiments.toy.selectors.svm.bais", "'bias'"],
    ),
    "evaluation option": (
        PAPER,
        lambda p: toy(p)["evaluation"].update(iterations="eight"),
        ["experiments.toy.evaluation.iterations is 'eight'", "whole number"],
    ),
    "claim selector": (CLAIMS, lambda c: c[0]["lower"].update(selector="sfn"), ["sfm-beats-svm", "'sfn'", "'sfm'"]),
    "claim at": (CLAIMS, lambda c: c[0].update(at={"trian": "all"}), ["sfm-beats-svm", "'trian'", "'train'"]),
    "claim at value": (CLAIMS, lambda c: c[0].update(at={"train": [51]}), ["sfm-beats-svm", "51", "50"]),
    "claim metric": (CLAIMS, lambda c: c[0].update(metric="error"), ["sfm-beats-svm", "'error'", "test_error"]),
    "formula": (
        PAPER,
        lambda p: p["figures"]["1"].update(title="Error against $\\foo{ n$"),
        ["figures.1.title", "no formula"],
    ),
    "undefined choice": (
        PAPER,
        lambda p: toy(p)["data"].update(training_labels={"choice": "training_label"}),
        ["experiments.toy.data.training_labels.choice", "'training_label'", "'training_labels'"],
    ),
    "missing fidelity": (
        PAPER,
        lambda p: toy(p)["data_grid"]["train"].pop("quick"),
        ["experiments.toy.data_grid.train", "none for quick"],
    ),
    "own data called table": (
        CONFIG,
        lambda c: c.update(own_data={"table": {"path": "t.csv", "target": "y"}}),
        ["own_data.table", "choose another"],
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_named_under_a_dry_run(project: Project, name: str) -> None:
    path, change, words = MISTAKES[name]
    project.edit(path, change)
    done = project.run("--dry-run", "--config", "fidelity=smoke", "papers=klement2010")
    output = done.stdout + done.stderr
    assert done.returncode != 0, output
    assert "Traceback" not in output
    message = next(line for line in output.splitlines() if line.startswith("marginfs: "))
    assert path.removeprefix("config/") in message or "config.yaml" in message
    assert all(word in message for word in words), message
