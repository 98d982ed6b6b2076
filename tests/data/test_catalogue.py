"""config/datasets.yaml: complete, consistent, and refused with a clear sentence when it is not."""

from __future__ import annotations

from ast import literal_eval
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml

from marginfs.data.catalogue import load_catalogue, parse_spec, validate_catalogue
from marginfs.data.parsers.formats import PARSERS
from marginfs.data.preparation.prepare import OPTIONS, resolve_choices
from marginfs.data.table import expand_names
from marginfs.errors import ConfigError

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "config" / "datasets.yaml"
CATALOGUE = load_catalogue(FILE)
WANTED = (
    "sonar ionosphere saheart musk wdbc australian german madelon flags hepatitis cylinder_bands heart breast_cancer "
)
WANTED += "colon lymphoma digits fei"


def test_every_data_set_of_the_papers_is_there() -> None:
    assert set(CATALOGUE) == set(WANTED.split())


@pytest.mark.parametrize("name", WANTED.split())
def test_entry_is_consistent(name: str) -> None:
    spec = CATALOGUE[name]
    names = expand_names(spec.names, spec.shape[1])
    assert sum(spec.classes.values()) == spec.shape[0]
    assert len(set(names)) == spec.shape[1]
    assert {*spec.nominal, *spec.identifiers, *spec.levels} <= set(names)
    assert (spec.sha256 is None) == (name == "fei")
    assert spec.sources[0].kind == "mirror"
    for target in spec.targets.values():
        assert {*target.positive, *target.negative} <= set(spec.classes)
    if spec.missing:
        assert "missing" in spec.choices


@pytest.mark.parametrize("name", WANTED.split())
def test_every_choice_and_alternative_is_runnable(name: str) -> None:
    spec = CATALOGUE[name]
    for key, choice in spec.choices.items():
        assert choice.value not in choice.alternatives
        for value in (choice.value, *choice.alternatives):
            assert resolve_choices(spec, {key: value})[key] == value


def test_sources_named_in_the_issue_have_a_package_or_scikit_learn() -> None:
    without = {"cylinder_bands", "colon", "lymphoma", "fei"}
    for name, spec in CATALOGUE.items():
        assert any(s.kind in ("package", "sklearn") for s in spec.sources) == (name not in without)


def test_all_addresses_are_marked_unverified() -> None:
    for spec in CATALOGUE.values():
        for source in (*spec.sources, *(spec.realisations.sources if spec.realisations else ())):
            assert source.unverified == (source.kind == "url")


def test_unknown_choices_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"hepatitis.missing: found 'zero'; write one of mean, median"):
        resolve_choices(CATALOGUE["hepatitis"], {"missing": "zero"})
    with pytest.raises(ConfigError, match="found the choice 'mising'"):
        resolve_choices(CATALOGUE["hepatitis"], {"mising": "mean"})
    with pytest.raises(ConfigError, match=r"flags.target: found 'x'; write one of christian"):
        resolve_choices(CATALOGUE["flags"], {"target": "x"})
    assert resolve_choices(CATALOGUE["sonar"]) == {key: values[0] for key, values in OPTIONS.items()}


def broken(change: str) -> Any:
    raw = deepcopy(yaml.safe_load(FILE.read_text()))
    sonar = raw["datasets"]["sonar"]
    if change == "typo":
        sonar["shap"] = sonar.pop("shape")
    elif change == "hash":
        sonar["sha256"] = "abc"
    elif change == "source":
        sonar["sources"][0] = {"ftp": "x"}
    elif change == "version":
        sonar["sources"][-1]["package"] = "mafese"
    elif change == "choice":
        raw["datasets"]["flags"]["choices"]["target"].pop("reason")
    return raw


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ("typo", "datasets.sonar"),
        ("hash", "datasets.sonar.sha256"),
        ("source", "datasets.sonar.sources.0"),
        ("version", "datasets.sonar.sources.4.package"),
        ("choice", "datasets.flags.choices.target"),
    ],
)
def test_schema_names_the_bad_key(change: str, where: str) -> None:
    with pytest.raises(ConfigError) as caught:
        validate_catalogue(broken(change), FILE)
    assert where in str(caught.value)


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load_catalogue(tmp_path / "none.yaml")
    (tmp_path / "bad.yaml").write_text("a: [1,\nb: 2")
    with pytest.raises(ConfigError, match="not valid YAML"):
        load_catalogue(tmp_path / "bad.yaml")


def test_a_recipe_is_plain_and_changes_with_what_is_prepared_only() -> None:
    entry = yaml.safe_load(FILE.read_text())["datasets"]["heart"]
    spec = parse_spec("heart", entry)
    assert literal_eval(repr(spec.recipe)) == spec.recipe
    again = parse_spec("heart", spec.recipe)
    assert (again.sources, again.realisations, again.sha256) == (spec.sources, spec.realisations, spec.sha256)
    for key, value in (("citation", "?"), ("licence", "?"), ("papers", [])):
        assert parse_spec("heart", {**entry, key: value}).recipe == spec.recipe
    for key, value in (("sources", entry["sources"][1:]), ("sha256", "0" * 64), ("decimals", 2), ("parse", {})):
        assert parse_spec("heart", {**entry, key: value}).recipe != spec.recipe


def test_every_format_has_a_parser() -> None:
    assert {name for spec in CATALOGUE.values() for name in spec.formats()} == set(PARSERS)
    assert CATALOGUE["australian"].formats() == {"delimited", "australian_join"}
