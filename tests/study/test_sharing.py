"""Experiments that judge the selections of another once more."""

from __future__ import annotations

from typing import Any

import pytest

from marginfs.errors import ConfigError
from marginfs.study.experiments import outline_of
from marginfs.study.paper import Paper

BASE = {
    "trials": {"smoke": 0, "quick": 2, "paper": 5},
    "data": {"source": "linear_toy", "train": 50, "total": 100},
    "selectors": {
        "svm": {"method": "gaussian_svm", "tune": {"C": [1.0, 2.0], "sigma": [1.0]}, "sweep": "C"},
        "corr": {"method": "correlation"},
    },
    "tuning": {"folds": 3},
    "evaluation": {"method": "kernel_machine"},
}
OTHER = {
    "shares": {"experiment": "base", "selectors": ["svm"]},
    "selectors": {"relief": {"method": "relief"}},
    "evaluation": {"method": "top_features", "final": 2},
}


def made(fidelity: str = "paper", **changes: Any):
    protocol = {"experiments": {"base": BASE, "other": {**OTHER, **changes}}}
    paper = Paper("p", protocol, claims=[], where="p.yaml")
    return [paper.experiment(name, fidelity, 1, {}) for name in ("base", "other")]


def test_units_are_those_of_the_other_experiment():
    base, other = made()
    assert other.plan == base.plan
    assert other.chunks(2) == base.chunks(2)
    assert list(other.selectors) == ["svm", "relief"]
    assert other.shared == {"svm": "base"}
    assert base.is_tuned
    assert not other.is_tuned
    assert outline_of([other]).selectors == ("svm", "relief")


def test_no_trials_no_chunks():
    assert [experiment.chunks() for experiment in made("smoke")] == [[], []]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"trials": 3}, r"p\.yaml: experiments\.other\.trials: the units are those of the experiment base; remove"),
        ({"shares": {"experiment": "bas", "selectors": ["svm"]}}, "no experiment is called 'bas'; did you mean 'base'"),
        ({"shares": {"experiment": "other", "selectors": ["svm"]}}, "no experiment is called 'other'"),
        ({"shares": {"experiment": "base", "selectors": ["sv"]}}, "no selector of base is called 'sv'"),
        ({"selectors": {"svm": {"method": "relief"}}}, r"selectors\.svm: the experiment base shares one of this name"),
    ],
)
def test_what_cannot_be_shared_is_named(changes, words):
    with pytest.raises(ConfigError, match=words):
        made(**changes)
