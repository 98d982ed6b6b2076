"""Bad configuration: one message that names the key, what was found and what to write instead."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from marginfs.errors import ConfigError
from marginfs.study.config import load_study

CONFIG = Path(__file__).parents[2] / "config"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(CONFIG, tmp_path / "config"))


def settings(**changes: object) -> dict:
    return {**yaml.safe_load((CONFIG / "config.yaml").read_text()), **changes}


def edit(folder: Path, change) -> None:
    path = folder / "papers" / "klement2010.yaml"
    protocol = yaml.safe_load(path.read_text())
    change(protocol)
    path.write_text(yaml.safe_dump(protocol))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"fidelity": "fast"}, ["config/config.yaml", "fidelity", "'fast'", "smoke, quick, paper"]),
        ({"papers": ["klemnt2010"]}, ["papers", "'klemnt2010'", "did you mean 'klement2010'"]),
        ({"fidelty": "quick"}, ["unknown key 'fidelty'", "did you mean 'fidelity'"]),
        ({"chunk_size": 0}, ["chunk_size is 0", "at least 1"]),
        ({"trials": {"klement2010": {"toi": 3}}}, ["trials.klement2010", "'toi'", "did you mean 'toy'"]),
        ({"trials": {"tayal2014": {"sonar_curves": 3}}}, ["trials.tayal2014.sonar_curves: 3", "of sonar: write 0"]),
        ({"trials": {"klement2010": {"toy": -1}}}, ["trials.klement2010.toy is -1", "at least 0"]),
        ({"seed": "one"}, ["seed is 'one'", "a whole number"]),
        ({"choices": {"klement2010": {"labels": "x"}}}, ["choices.klement2010", "'labels'", "training_labels"]),
        ({"choices": {"klement2010": {"training_labels": "x"}}}, ["training_labels", "'x'", "random, balanced"]),
    ],
)
def test_bad_settings(change, words):
    with pytest.raises(ConfigError) as caught:
        load_study(settings(**change), CONFIG)
    assert all(word in str(caught.value) for word in words), caught.value


def test_trials_of_single_experiments_with_digits_as_the_command_line_leaves_them():
    study = load_study(settings(trials={"tayal2014": {"sonar": "1", "german": 0, "musk_curves": 0}}), CONFIG)
    wanted = {"sonar": 1, "sonar_curves": 1, "german_curves": 0, "ionosphere": 5, "musk": 5, "musk_curves": 0}
    assert {name: study.experiment("tayal2014", name, "paper").trials for name in wanted} == wanted


def toy(protocol: dict) -> dict:
    return protocol["experiments"]["toy"]


def tuned(tuning: dict, **selector: object) -> Callable[[dict], None]:
    """The toy experiment with a selector that is tuned."""
    entry = {"method": "correlation", "tune": {"coefficient": ["pearson", "golub"]}, **selector}
    return lambda protocol: toy(protocol).update(tuning=tuning, selectors={"sfm": entry})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda p: toy(p)["trials"].update(paper=-5), ["experiments.toy.trials.paper is -5", "at least 1"]),
        (lambda p: toy(p).update(trials=0), ["experiments.toy.trials is 0", "at least 1"]),
        (lambda p: toy(p).update(trails=3), ["unknown key 'experiments.toy.trails'", "did you mean 'trials'"]),
        (lambda p: toy(p)["selectors"]["sfm"].update(method="sfn"), ["'sfn'", "did you mean 'sfm'", "weston"]),
        (lambda p: toy(p)["selectors"]["sfm"].pop("method"), ["'experiments.toy.selectors.sfm.method' is missing"]),
        (lambda p: p["tables"]["1"].update(experiment="toi"), ["tables.1.experiment", "'toi'", "toy"]),
        (lambda p: p["tables"]["1"]["rows"].update(by="trian"), ["tables.1.rows.by", "'trian'", "train"]),
        (lambda p: p.pop("title"), ["'title' is missing"]),
        (tuned({"folds": 3}, tune={}), ["experiments.toy.tuning: no selector has a key 'tune'"]),
        (tuned({}), ["selectors.sfm.tune: the experiment has no key 'tuning'"]),
        (tuned({"metric": "test_error"}), ["experiments.toy.tuning: nothing to try", "folds: 10"]),
        (tuned({"folds": 3, "metric": "test_eror"}), ["tuning.metric", "did you mean 'test_error'"]),
        (tuned({"folds": 3, "ties": {"coeficient": "smallest"}}), ["tuning.ties", "did you mean 'coefficient'"]),
        (tuned({"folds": 3}, sweep="coeficient"), ["selectors.sfm.sweep", "did you mean 'coefficient'"]),
        (tuned({"folds": 3}, tune={"coefficient": "golub"}), ["tune.coefficient is 'golub'", "write a list"]),
        (
            lambda p: toy(p)["selectors"]["sfm"].update(sweep="C"),
            ["selectors.sfm.sweep: no option to tune is called 'C'"],
        ),
    ],
)
def test_bad_protocol(folder, change, words):
    edit(folder, change)
    with pytest.raises(ConfigError) as caught:
        load_study(settings(), folder)
    assert str(caught.value).startswith("config/papers/klement2010.yaml: ")
    assert all(word in str(caught.value) for word in words), caught.value


def test_a_choice_from_the_command_line_is_text():
    study = load_study(settings(choices={"klement2010": {"svm_bias": "false"}}), CONFIG)
    assert study.choices_made("klement2010", study.run)["svm_bias"] is False


def test_broken_yaml_names_the_line(folder):
    (folder / "papers" / "klement2010.yaml").write_text("title: a\n  bad: [\n")
    with pytest.raises(ConfigError, match="line 2: not valid YAML"):
        load_study(settings(), folder)


def test_choices_and_fidelities_are_resolved():
    study = load_study(settings(choices={"klement2010": {"training_labels": "balanced"}}), CONFIG)
    experiment = study.experiment("klement2010", "toy", f"paper+{study.reading}")
    assert experiment.plan.data["training_labels"] == "balanced"
    assert (experiment.trials, experiment.plan.data_grid["train"]) == (100, [20, 50, 100, 200, 500])
    assert (
        study.experiment("klement2010", "toy", "smoke").trials < study.experiment("klement2010", "toy", "quick").trials
    )
