"""Mistakes in configuration files: one message that names the key or the file, whatever was written, and at once."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from config_folder import CLAIMS, LOADER, PAPER, PRINTED, config_folder, edited, made_folder, put, written
from marginfs.errors import MarginfsError
from marginfs.study.config import load_study

TOY = "experiments.toy"
BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
FILES = {
    "a choice misspelt": (put(PAPER, f"{TOY}.evaluation.bias", {"choice": "svm_bais"}), "did you mean 'svm_bias'"),
    "no trials at paper": (put(PAPER, f"{TOY}.trials", {"smoke": 1, "quick": 2}), "trials.paper' is missing"),
    "a grid that is no list": (put(PAPER, f"{TOY}.data_grid.train", 20), "write a list"),
    "a source that is a list": (put(PAPER, f"{TOY}.data.source", []), "write the name of a data set"),
    "keys that are words and numbers": (put(PAPER, "experiments", {"choice": 0, 1: 0}), "experiments"),
    "a grid that is a number at one fidelity": (
        put(PAPER, f"{TOY}.data_grid", {"smoke": 0}),
        "data_grid is 0; write keys with values",
    ),
    "data that is a number at one fidelity": (put(PAPER, f"{TOY}.data", {"smoke": 0}), "data is 0; write keys with"),
    "options to tune that are a number": (
        put(PAPER, f"{TOY}.selectors.sfm.tune", 3),
        "sfm.tune is 3; write keys with values",
    ),
    "an empty grid": (put(PAPER, f"{TOY}.data_grid.train", []), "write a list"),
    "trials with a point": (put(PAPER, f"{TOY}.trials", 2.0), "write a whole number"),
    "a million million trials": (put(PAPER, f"{TOY}.trials", 10**12), "at most 1000000"),
    "a method that is a number": (put(PAPER, f"{TOY}.selectors.sfm.method", 1), "write a text"),
    "a method that is a module": (put(PAPER, f"{TOY}.selectors.sfm.method", "os:"), "no function of a selector"),
    "a method without a module": (put(PAPER, f"{TOY}.selectors.sfm.method", ":x"), "Empty module name"),
    "a method that is a shell": (put(PAPER, f"{TOY}.selectors.sfm.method", "os:system"), "no function of a selector"),
    "follows nothing": (put(PAPER, f"{TOY}.evaluation.follows", ["zz"]), "no varied option.*known: none"),
    "no iterations": (put(PAPER, f"{TOY}.selectors.sfm.max_iterations", 0), "a whole number of at least 1"),
    "a choice named by a number": (
        edited(PAPER, lambda paper: paper["choices"].update({3: {"value": 1, "alternatives": [2], "reason": "none"}})),
        "choices: the name 3 cannot be used; write a text, such as '3'",
    ),
    "a step misspelt": (put(PAPER, f"{TOY}.data.normalise", ["standardize"]), "did you mean 'standardise'"),
    "an unknown option of the data": (put(PAPER, f"{TOY}.data.nois", 1), "did you mean 'noise'"),
    "an unknown key of a grid": (put(PAPER, f"{TOY}.data_grid.zz", [1]), "no option of the data is called 'zz'"),
    "less in all than for training": (put(PAPER, f"{TOY}.data.total", 5), "at least the"),
    "a negative size": (
        put(PAPER, f"{TOY}.data_grid.train", [-5, 50, 200]),
        "train is -5; write a whole number of at least 2",
    ),
    "a negative share": (
        edited(
            PAPER,
            lambda paper: paper["experiments"]["toy"].update(
                data={"source": "sonar", "split": {"kind": "stratified", "train": -0.5}}, data_grid={}
            ),
        ),
        "train is -0.5; write a share below 1 or a number of rows",
    ),
    "a negative validation part": (put(PAPER, f"{TOY}.data.validation", -1), "validation is -1; .*at least 0"),
    "negative noise": (put(PAPER, f"{TOY}.data.noise", -3), "at least 0"),
    "a label with a name in it": (put(PAPER, "figures.1.curves.label", "{foo}"), "label"),
    "a figure of two experiments": (put(PAPER, "figures.1.experiment", ["toy"]), "a panel shows one experiment"),
    "a claim at an unknown key": (put(CLAIMS, "0.at", {"zz": "all"}), "zz"),
    "a side of a claim named by a number": (put(CLAIMS, "0.lower", {1: 0}), "nothing is called '1'"),
    "a claim with factor NaN": (put(CLAIMS, "0.factor", float("nan")), "NaN"),
    "claims with one name": (edited(CLAIMS, lambda claims: claims.append(claims[0])), "id"),
    "a paper in UTF-16": (written(PAPER, "title: x".encode("utf-16")), "UTF-8"),
    "claims in Latin-1": (written(CLAIMS, "- id: ü\n".encode("latin-1")), "UTF-8"),
    "data sets in Latin-1": (written("datasets.yaml", "a: ü".encode("latin-1")), "UTF-8"),
    "a folder for a paper": (made_folder(PAPER), "Is a directory"),
    "a folder for the claims": (made_folder(CLAIMS), "Is a directory"),
    "a folder for the data sets": (made_folder("datasets.yaml"), "Is a directory"),
    "two thousand brackets": (written(PAPER, b"[" * 2000 + b"]" * 2000), "more than 60 levels"),
    "a YAML bomb": (written(PAPER, BOMB.encode()), "more than 60 levels or 1000000 values"),
    "a key given twice": (written(CLAIMS, b"- id: a\n  source: b\n  id: c\n"), "line 3: .*'id' occurs twice"),
    "a side with factor NaN": (put(CLAIMS, "0.lower.factor", float("nan")), "NaN"),
    "an empty paper": (written(PAPER, b""), "klement2010"),
    "zeros": (written(PAPER, bytes(10)), "klement2010"),
}
HEADER = b"table,row,column,metric,value,spread,unit,note\n"
FILES |= {
    "printed numbers in Latin-1": (written(PRINTED, HEADER + "1,ü,a,b,1,1,%,\n".encode("latin-1")), "UTF-8"),
    "printed numbers that are none": (written(PRINTED, bytes([0, 255, 0])), "UTF-8"),
    "a folder for the printed numbers": (made_folder(PRINTED), "Is a directory"),
    "no printed numbers": (written(PRINTED, b""), "first line is ''; write table,row"),
    "other columns": (written(PRINTED, b"a,b\n1,2\n"), "first line is 'a,b'; write table,row"),
    "a line with too few values": (written(PRINTED, HEADER + b"1,50,SVM\n"), "line 2: 3 values; write 8"),
    "a printed number that is a word": (
        written(PRINTED, HEADER + b"1,50,SVM,test_error,7.0.1,1.0,%,\n"),
        "line 2: value is '7.0.1'; write a number",
    ),
    "a spread that is NaN": (written(PRINTED, HEADER + b"1,50,SVM,test_error,7,nan,%,\n"), "line 2: spread is 'nan'"),
    "an experiment outside its folder": (
        edited(PAPER, lambda paper: paper["experiments"].update({"../x": paper["experiments"]["toy"]})),
        r"experiments: the name '\.\./x' .* small letters, digits and _",
    ),
    "a figure outside its folder": (
        edited(PAPER, lambda paper: paper["figures"].update({"../x": paper["figures"]["1"]})),
        r"figures: the name '\.\./x' .* small letters, digits, _ and full stops",
    ),
}
OWN = {"path": "mine.csv", "target": "y"}
SETTINGS: dict[str, tuple[dict[str, Any], str]] = {
    "a choice that is no YAML": ({"choices": {"klement2010": {"svm_bias": "{a"}}}, "not valid YAML"),
    "own data with train NaN": ({"own_data": {"mine": {**OWN, "train": float("nan")}}}, "train"),
    "own data with two separators": ({"own_data": {"mine": {**OWN, "sep": ";;"}}}, "a text of length 1"),
    "a mirror that is not there": ({"mirror": "mirrror"}, "mirror is 'mirrror', which is no folder"),
    "no units in a job": ({"chunk_size": 0}, "at least 1"),
    "a negative seed": ({"seed": -1}, "at least 0"),
    "a number for the papers": ({"papers": 1}, "papers is 1; write a text, or a list"),
    **{
        f"own data named {name}": (
            {"own_data": {name: OWN}},
            "choose another|cannot be used; write small letters",
        )
        for name in ("all", "select", "table", "reference", "linear_toy", "sonar", "klement2010", "a/b", "..", "Ü")
    },
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return config_folder(tmp_path)


@pytest.mark.parametrize("mistake", FILES)
def test_a_mistake_in_a_file_is_named(folder, mistake):
    change, message = FILES[mistake]
    change(folder)
    with pytest.raises(MarginfsError, match=message):
        load_study({}, folder)


@pytest.mark.parametrize("mistake", SETTINGS)
def test_a_mistake_in_the_settings_is_named(folder, mistake):
    config, message = SETTINGS[mistake]
    with pytest.raises(MarginfsError, match=message):
        load_study(config, folder)


NASTY = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.just(10**12),
    st.floats(),
    st.sampled_from(["", "{}", "{a", "$x_", "../../x", "all", "1", "ü\n", "os:system", "select"]),
    st.just([]),
    st.just({}),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.sampled_from(["choice", "smoke", "by", 1]), st.integers(), max_size=2),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place of a nested value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, part in inside for place in places(part, (*path, key)))]


@pytest.fixture(scope="module")
def template(tmp_path_factory) -> Path:
    return config_folder(tmp_path_factory.mktemp("fuzz"))


def fuzz(cases: int):
    quiet = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    return settings(max_examples=cases, deadline=None, suppress_health_check=quiet, derandomize=True)


def changed(template: Path, data: st.DataObject) -> tuple[str, Any]:
    """A file of the configuration, and its content with one or two values turned into something else."""
    file = data.draw(st.sampled_from([PAPER, PAPER, CLAIMS, "config.yaml"]))
    content = yaml.load((template / file).read_text(), LOADER)
    for _ in range(data.draw(st.integers(1, 2))):
        *parents, last = data.draw(st.sampled_from([place for place in places(content) if place]))
        inner = content
        for key in parents:
            inner = inner[key]
        inner[last] = data.draw(NASTY)
    return file, content


def loads_or_says_why(template: Path, file: str, content: Any) -> None:
    """The study is made, or one message says what is wrong."""
    text = (template / file).read_text()
    try:
        (template / file).write_text(yaml.safe_dump(content))
        with contextlib.suppress(MarginfsError):
            load_study({}, template)
    finally:
        (template / file).write_text(text)


@fuzz(40)
@given(data=st.data())
def test_any_value_anywhere(template, data):
    loads_or_says_why(template, *changed(template, data))


@pytest.mark.slow
@fuzz(3000)
@given(data=st.data())
def test_three_thousand_values_anywhere(template, tally, data):
    file, content = changed(template, data)
    with tally.trying("configurations with a wrong value: a study, or one message"):
        loads_or_says_why(template, file, content)
