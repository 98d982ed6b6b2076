"""Tables, figures and claims: the papers' own are accepted, and every planted mistake is one message."""

from __future__ import annotations

import copy
import itertools
from pathlib import Path

import pytest
import yaml

from marginfs.errors import ConfigError
from marginfs.study.artefacts import check_artefacts, experiments_of
from marginfs.study.protocol import Outline

CONFIG = Path(__file__).parents[2] / "config"
METRICS = {
    "margin_curves": {"set_misses", "length_rise", "recursion_gap", "margin", "squared_length", "test_error"},
    "hyperplane": {"test_error", "features", "relevant_share", "iterations", "first_excess"},
    "top_features": {"test_error", "bound", "ranking_term"},
}


def outline(spec: dict, choices: dict) -> Outline:
    keys = {}
    for key, values in {**spec.get("data_grid", {}), **spec.get("grid", {})}.items():
        if isinstance(values, dict):
            lists = [choices[values["choice"]]["value"]] if "choice" in values else values.values()
            values = itertools.chain.from_iterable(lists)
        keys[key] = tuple(dict.fromkeys(values))
    return Outline(tuple(spec["selectors"]), keys, frozenset(METRICS[spec["evaluation"]["method"]]))


def load(paper: str) -> tuple[dict, list, dict[str, Outline]]:
    protocol = yaml.safe_load((CONFIG / "papers" / f"{paper}.yaml").read_text())
    claims = yaml.safe_load((CONFIG / "claims" / f"{paper}.yaml").read_text())
    outlines = {name: outline(spec, protocol.get("choices", {})) for name, spec in protocol["experiments"].items()}
    return protocol, claims, outlines


def check(protocol: dict, claims: list, outlines: dict[str, Outline]):
    return check_artefacts(protocol, claims, outlines, "papers/p.yaml", "claims/p.yaml")


@pytest.mark.parametrize("paper", ["aksu2008", "klement2010", "rakotomamonjy2003"])
def test_the_papers_refer_only_to_what_they_have(paper):
    protocol, claims, outlines = load(paper)
    made = check(protocol, claims, outlines)
    assert list(made.tables) == list(protocol["tables"])
    assert list(made.figures) == list(protocol["figures"])
    assert [claim.id for claim in made.claims] == [claim["id"] for claim in claims]


def table(protocol, **changes):
    protocol["tables"]["1"].update(changes)


def figure(protocol, **changes):
    protocol["figures"]["1"].update(changes)


def panel(protocol, **changes):
    protocol["figures"]["1"]["columns"][1].update(changes)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda p: table(p, experiment="toi"), ["tables.1.experiment", "'toi'", "did you mean 'toy'"]),
        (lambda p: table(p, metric="test_eror"), ["tables.1.metric", "'test_eror'", "did you mean 'test_error'"]),
        (lambda p: table(p, metrics={"features": {}}), ["tables.1", "either 'metric'"]),
        (
            lambda p: p["tables"]["1"]["rows"].update(by="trian"),
            ["tables.1.rows.by", "'trian'", "did you mean 'train'"],
        ),
        (
            lambda p: p["tables"]["1"]["rows"].update(values=[20, 60]),
            ["tables.1.rows.values", "never 60", "known: 100"],
        ),
        (
            lambda p: p["tables"]["1"]["columns"].update(labels={"swm": "SVM"}),
            ["tables.1.columns.labels", "'swm'", "did you mean 'svm'"],
        ),
        (lambda p: p["tables"]["1"]["rows"].update(label="n = {n}"), ["tables.1.rows.label", "{n}", "write {}"]),
        (lambda p: p["tables"]["1"]["rows"].update(label="n = {"), ["tables.1.rows.label", "write {}"]),
        (lambda p: p["tables"]["1"]["columns"].update(label="{:d}", labels={}), ["tables.1.columns.label", "{:d}"]),
        (lambda p: table(p, rows={"by": "step"}), ["tables.1", "varies 'train'", "at: {train: 20}"]),
        (lambda p: table(p, at={"trian": 20}), ["tables.1.at", "'trian'", "train"]),
        (lambda p: table(p, ratio={"column": "SWM"}), ["tables.1.ratio.column", "'SWM'", "did you mean 'SVM'"]),
        (lambda p: table(p, ratio={"row": "60"}), ["tables.1.ratio.row", "'60'", "known: 100"]),
        (
            lambda p: table(p, summary={"label": "m", "statistic": "mean_ratio", "base": "SF"}),
            ["tables.1.summary.base", "'SF'", "SFM"],
        ),
        (lambda p: table(p, kind="timing"), ["tables.1", "kind timing", "cpu_seconds"]),
        (
            lambda p: table(p, optimum={"of": "costs", "size": "n"}),
            ["tables.1.optimum.of", "'costs'", "known: features"],
        ),
        (lambda p: table(p, optimum={"of": "test_error", "size": "features"}), ["tables.1.optimum.size", "already"]),
        (lambda p: table(p, draws={"experiment": "redrawn", "by": "seed"}), ["tables.1.draws.experiment", "'redrawn'"]),
        (lambda p: table(p, draws={"experiment": "toy", "by": "seed"}), ["tables.1.draws.by", "'seed'", "split"]),
        (lambda p: panel(p, metric="relevant"), ["figures.1.columns.1.metric", "did you mean 'relevant_share'"]),
        (lambda p: panel(p, experiment="toi"), ["figures.1.columns.1.experiment", "'toi'", "toy"]),
        (lambda p: panel(p, label="Number of features"), ["figures.1.columns", "2 panels", "Number of features"]),
        (lambda p: figure(p, x={"by": "C", "label": "C"}), ["figures.1.columns.0.x.by", "'C'", "train"]),
        (
            lambda p: figure(p, curves={"by": "selector", "labels": {"westen": "W"}}),
            ["figures.1.columns.0.curves.labels", "did you mean 'weston'"],
        ),
        (lambda p: p["figures"]["1"]["rows"].update(values=[55]), ["figures.1.rows.values", "never 55"]),
        (lambda p: p["figures"]["1"]["rows"].update(label="n = {m}"), ["figures.1.rows.label", "{m}"]),
        (lambda p: p["figures"]["1"].pop("rows"), ["figures.1.columns.0", "varies 'train'"]),
        (lambda p: p["figures"]["1"].pop("x"), ["figures.1.columns.0", "'x' is missing"]),
        (lambda p: figure(p, kind="barz"), ["figures.1.kind", "'barz'", "did you mean 'bars'"]),
        (lambda p: figure(p, kind="marginfs.nothing:X"), ["figures.1.kind", "no module 'marginfs.nothing'"]),
        (
            lambda p: figure(p, kind="marginfs.results.figures.bars:BARZ"),
            ["figures.1.kind", "has no 'BARZ'", "did you mean 'BARS'"],
        ),
        (lambda p: figure(p, kind="images"), ["figures.1.columns.0.shape", "[height, width]"]),
        (lambda p: figure(p, kind="scatter"), ["figures.1.columns.0.x.metric", "no metric ''"]),
    ],
)
def test_a_mistake_in_a_table_or_figure(change, words):
    protocol, claims, outlines = load("klement2010")
    protocol = copy.deepcopy(protocol)
    change(protocol)
    with pytest.raises(ConfigError) as caught:
        check(protocol, claims, outlines)
    assert str(caught.value).startswith("papers/p.yaml: ")
    assert all(word in str(caught.value) for word in words), caught.value


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"experiment": "toi"}, ["sfm-beats-svm.experiment", "'toi'", "toy"]),
        ({"metric": "error"}, ["sfm-beats-svm.metric", "'error'", "test_error"]),
        ({"lower": {"selector": "sfn"}}, ["sfm-beats-svm.lower.selector", "'sfn'", "did you mean 'sfm'"]),
        ({"lower": {"selektor": "sfm"}}, ["sfm-beats-svm.lower", "'selektor'", "did you mean 'selector'"]),
        ({"lower": {"step": 3}}, ["sfm-beats-svm.lower", "varies 'selector'"]),
        ({"at": {"trian": "all"}}, ["sfm-beats-svm.at", "'trian'", "did you mean 'train'"]),
        ({"at": {"train": [20, 60]}}, ["sfm-beats-svm.at.train", "never 60"]),
        ({"at": {"train": 20}}, ["sfm-beats-svm.at.train is 20", "a list of values, or all"]),
        ({"at": {"step": [1.5], "train": "all"}}, ["sfm-beats-svm.at.step", "whole number"]),
        ({"at": {}}, ["sfm-beats-svm.lower", "varies 'train'", "lower: {train: 20}"]),
        ({"higher": {"selector": "sfm"}}, ["sfm-beats-svm", "both sides are the same"]),
        ({"id": "slightly"}, ["two claims are called 'slightly'"]),
    ],
)
def test_a_mistake_in_a_claim(change, words):
    protocol, claims, outlines = load("klement2010")
    with pytest.raises(ConfigError) as caught:
        check(protocol, [{**claims[0], **change}, *claims[1:]], outlines)
    assert str(caught.value).startswith("claims/p.yaml: ")
    assert all(word in str(caught.value) for word in words), caught.value


def test_sides_that_differ_by_a_factor_only_are_a_comparison():
    protocol, claims, outlines = load("klement2010")
    check(protocol, [{**claims[0], "higher": {"selector": "sfm", "factor": 2.0}}], outlines)


def test_several_metrics_an_optimum_and_an_axis_by_metric():
    outlines = {"a": Outline(("rfe",), {"C": (0.1, 1.0)}, frozenset({"accuracy", "cost"}))}
    spec = {
        "title": "t",
        "experiment": "a",
        "metrics": {"accuracy": {"unit": "%"}, "features": {"decimals": 0}, "cost": None},
        "optimum": {"of": "cost", "size": "features"},
        "rows": {"by": "C"},
        "columns": {"by": "metric", "labels": {"accuracy": "Acc.", "features": "Feat.", "cost": "Cost"}},
    }
    made = check_artefacts({"tables": {"5.2": spec}}, [], outlines, "p", "c").tables["5.2"]
    assert [metric.name for metric in made.metrics] == ["accuracy", "features", "cost"]
    spec["columns"] = {"by": "metric", "labels": {"acc": "Acc."}}
    with pytest.raises(ConfigError, match="no metric 'acc'"):
        check_artefacts({"tables": {"5.2": spec}}, [], outlines, "p", "c")


def test_experiments_behind_tables_and_figures():
    table = {"title": "", "metric": "m", "rows": {"by": "experiment"}, "columns": {"by": "selector"}}
    assert experiments_of({**table, "experiment": ["c", "s"]}) == ["c", "s"]
    draws = {"experiment": "other", "by": "seed"}
    assert experiments_of({**table, "experiment": "c", "draws": draws}) == ["c", "other"]
    own = {"title": "the loss", "kind": "some.module:LOSS"}
    assert experiments_of(own) == []
    panels = [{"metric": "m", "label": "1"}, {"metric": "m", "label": "2", "experiment": "b"}]
    shared = {"title": "", "curves": {"by": "selector"}, "x": {"label": ""}}
    assert experiments_of({**shared, "experiment": "a", "columns": panels}) == ["a", "b"]
