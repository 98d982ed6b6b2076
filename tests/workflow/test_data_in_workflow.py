"""Data in the workflow: what cannot be obtained does not stop the rest, and a user's own table goes through."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import numpy as np
import pytest

from conftest import ROOT, Project

EXAMPLE = {"path": "tumours.csv", "target": "diagnosis"}


def write_table(path: Path, rows: int = 40) -> None:
    """Twelve genes, of which the third tells the diagnosis."""
    rng = np.random.default_rng(1)
    ill = np.arange(rows) % 2 == 0
    X = rng.standard_normal((rows, 12))
    X[:, 2] += 3.0 * ill
    lines = [
        [f"{value:.6f}" for value in row] + ["ill" if label else "healthy"] for row, label in zip(X, ill, strict=True)
    ]
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([[*(f"gene_{k}" for k in range(1, 13)), "diagnosis"], *lines])


def own(project: Project, **changes: object) -> None:
    write_table(project.folder / "tumours.csv")
    project.edit("config/config.yaml", lambda c: c.update(own_data={"tumours": {**EXAMPLE, **changes}}))


def test_the_manuals_example_of_own_data(project):
    """config/README.md shows this entry; it must give what the manual promises."""
    manual = (ROOT / "config" / "README.md").read_text()
    assert "own_data:\n  tumours: {path: tumours.csv, target: diagnosis}" in manual
    own(project)
    done = project.run("tumours", "--config", "fidelity=smoke")
    assert done.returncode == 0, done.stderr
    folder = project.folder / "results" / "smoke"
    with (folder / "tables" / "tumours" / "ranking.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["feature"] for row in rows if row["place"] == "1"} == {"gene_3"}
    assert {row["place"] for row in rows if row["chosen"] == "True"} in ({"1"}, {"1", "2"})
    assert len(rows) == 2 * 12
    assert {row["selector"] for row in rows} == {"rfe", "correlation"}
    assert (folder / "figures" / "tumours" / "figure_error.pdf").stat().st_size > 1000
    with (folder / "tables" / "tumours" / "summary.csv").open() as file:
        summary = {row["selector"]: row for row in csv.DictReader(file)}
    assert float(summary["rfe"]["test_error"]) < float(summary["rfe"]["majority_error"])
    assert float(summary["rfe"]["auc"]) > 0.8
    assert "Always the most frequent class" in (folder / "tables" / "tumours" / "summary.md").read_text()
    with (folder / "tables" / "tumours" / "comparisons.csv").open() as file:
        assert [(row["selector"], row["against"]) for row in csv.DictReader(file)] == [("rfe", "correlation")]
    page = (folder / "reports" / "tumours.html").read_text()
    shown = re.findall(r"<caption>(.*?)</caption>", page)
    assert shown[:3] == ["How good the selectors are", "Selectors against each other", "The final ranking"]
    assert f"{100 * float(summary['rfe']['test_error']):.1f} (" in page
    assert "1. gene_3 (2)" in page
    assert f"Always the most frequent class: {100 * float(summary['rfe']['majority_error']):.1f} %" in page
    assert page.count("data:image/png") == 1
    assert "tuned_C" not in page
    assert re.search(r"<td[^>]*>tumours</td>\s*<td[^>]*>final</td>\s*<td[^>]*>rfe</td>\s*<td[^>]*>size</td>", page)


@pytest.mark.slow
def test_own_data_of_the_size_of_leukemia(project):
    """72 x 7129 from a file to ranked genes and page; the time is measured by `make bench`."""
    rng = np.random.default_rng(0)
    ill = np.arange(72) < 25
    X = rng.standard_normal((72, 7129))
    X[:, :20] += 1.5 * ill[:, None]
    with (project.folder / "leukemia.csv").open("w", newline="") as file:
        lines = ([*(f"{v:.4f}" for v in row), "AML" if one else "ALL"] for row, one in zip(X, ill, strict=True))
        csv.writer(file).writerows([[*(f"gene_{k}" for k in range(7129)), "diagnosis"], *lines])
    entry = {"path": "leukemia.csv", "target": "diagnosis"}
    project.edit("config/config.yaml", lambda c: c.update(own_data={"leukemia": entry}))
    done = project.run("leukemia")
    assert done.returncode == 0, done.stderr
    folder = project.folder / "results" / "quick"
    with (folder / "tables" / "leukemia" / "ranking.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 7129
    best = [int(row["feature"].removeprefix("gene_")) for row in rows if int(row["place"]) <= 5]
    assert np.mean(np.array(best) < 20) > 0.8
    with (folder / "tables" / "leukemia" / "summary.csv").open() as file:
        assert all(float(row["test_error"]) < float(row["majority_error"]) for row in csv.DictReader(file))
    assert "The final ranking" in (folder / "reports" / "leukemia.html").read_text()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"target": "diagnose"}, ["tumours.csv", "diagnose"]),
        ({"drop": [f"gene_{k}" for k in range(1, 13)]}, ["no feature column"]),
        ({"selectors": {"a": {"method": "rfee"}}}, ["own_data.tumours", "'rfee'", "backward_elimination"]),
        (
            {"selectors": {"a": {"method": "correlation", "coeficient": "golub"}}},
            ["tumours: experiments.ranking.selectors.a.coeficient: no option", "did you mean 'coefficient'?"],
        ),
        ({"path": "tumors.csv"}, ["tumors.csv"]),
        ({"positive": "sick"}, ["tumours.csv", "sick", "healthy, ill"]),
    ],
)
def test_bad_own_data_ends_with_one_message(project, changes, words):
    own(project, **changes)
    done = project.run("tumours", "--config", "fidelity=smoke")
    output = done.stdout + done.stderr
    assert done.returncode != 0
    assert all(word in output for word in words), output
    assert "Traceback" not in output
    assert "rule prepare_own" not in output


def with_unobtainable_data(protocol: dict) -> None:
    """A second experiment on a data set whose sources are all out of reach."""
    protocol["experiments"]["genes"] = {
        "trials": 2,
        "data": {"source": "colon", "split": {"kind": "stratified", "train": 50}, "normalise": ["standardise"]},
        "selectors": {"svm": {"method": "hard_margin_svm"}, "sfm": {"method": "sfm"}, "weston": {"method": "weston"}},
        "evaluation": {"method": "hyperplane", "iterations": 3},
    }
    protocol["tables"]["2"] = {
        **protocol["tables"]["1"],
        "experiment": "genes",
        "rows": {"by": "selector", "labels": {"svm": "20"}},
        "columns": {"by": "step", "labels": {0: "SVM"}},
    }


@pytest.fixture
def without_colon(project) -> Project:
    project.edit("config/papers/klement2010.yaml", with_unobtainable_data)
    published = project.folder / "config" / "published" / "klement2010.csv"
    published.write_text(published.read_text() + "2,20,SVM,test_error,10.0,1.0,%,\n")
    project.edit(
        "config/datasets.yaml", lambda c: c["datasets"]["colon"].update(sources=[{"mirror": "colon/colon.csv.gz"}])
    )
    return project


def test_missing_data_does_not_stop_the_rest(without_colon, monkeypatch, tmp_path):
    monkeypatch.setenv("MARGINFS_CACHE", str(tmp_path / "cache"))
    done = without_colon.run("--config", "fidelity=smoke", "papers=klement2010")
    assert done.returncode == 0, done.stderr
    folder = without_colon.folder / "results" / "smoke"
    report = (folder / "report.html").read_text()
    assert "data set is missing" in report
    assert "colon: missing" in report
    assert "colon/colon.csv.gz" in report
    with (folder / "tables" / "klement2010" / "table_2.csv").open() as file:
        assert [row["verdict"] for row in csv.DictReader(file)] == ["not run"]
    with (folder / "tables" / "klement2010" / "table_1.csv").open() as file:
        assert "not run" not in {row["verdict"] for row in csv.DictReader(file) if row["row"] == "20"}


def test_missing_data_fails_the_run_where_config_says_so(without_colon, monkeypatch, tmp_path):
    monkeypatch.setenv("MARGINFS_CACHE", str(tmp_path / "cache"))
    done = without_colon.run("results/data/colon.npz", "--config", "missing_data=fail")
    output = done.stdout + done.stderr
    assert done.returncode != 0
    assert "colon/colon.csv.gz" in output
    assert "Traceback" not in output
