"""A comparison as a protocol: what is tuned and timed where, what mistakes say, and that papers do not count it."""

from __future__ import annotations

import pytest
import yaml

from config_folder import config_folder, edited, put
from conftest import ROOT
from marginfs.errors import ConfigError
from marginfs.study.config import load_study

KEY, FILE = "across_papers", "comparisons/across_papers.yaml"


@pytest.fixture(scope="module")
def study():
    return load_study({}, ROOT / "config")


def test_every_selector_of_every_paper_takes_part(study):
    compared = study.papers[KEY].protocol["experiments"]["comparison"]["selectors"]
    known = {entry["method"] for entry in compared.values()}
    soft = {"sfm": "soft_sfm", "weston": "soft_weston"}
    no_selection = {"all_features", "hard_margin_svm", "gaussian_svm"}
    papers = [study.papers[key].protocol["experiments"] for key in study.published(study.papers)]
    used = {
        s["method"] for experiments in papers for e in experiments.values() for s in e.get("selectors", {}).values()
    }
    assert {soft.get(method, method) for method in used - no_selection} <= known


def test_all_have_the_same_number_of_settings(study):
    made = study.experiment(KEY, "comparison", "paper")
    settings = {len(selector.tuning.points()) for selector in made.selectors.values() if selector.tuning}
    assert settings == {4}
    assert [name for name, selector in made.selectors.items() if not selector.tuning] == [
        "random",
        "corr",
        "mi",
        "relief",
    ]
    assert made.timing
    quick = study.experiment(KEY, "comparison", "quick")
    assert not quick.is_tuned
    assert quick.timing is None
    assert list(quick.selectors) == list(made.selectors)


def test_it_is_no_paper(study):
    assert KEY in study.papers
    assert KEY in study.selected
    assert KEY not in study.published(study.papers)
    assert study.comparisons == (KEY,)


def test_a_further_selector_and_data_set_are_an_entry_each(tmp_path):
    folder = config_folder(tmp_path)
    put(FILE, "selectors.mine", {"method": "relief"})(folder)
    edited(FILE, lambda entry: entry["data_sets"]["quick"].append("sonar"))(folder)
    study = load_study({}, folder)
    made = study.experiment(KEY, "comparison", "quick")
    assert "mine" in made.selectors
    assert made.plan.sources()[-1] == "sonar"
    assert study.papers[KEY].protocol["comparison"]["labels"]["mine"] == "mine"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (put(FILE, "data_sets.quick", ["hart"]), ["yaml: data_sets", "hart", "did you mean 'heart'"]),
        (put(FILE, "selectors.sfm.c", 1.0), ["yaml: selectors.sfm.c", "no option is called 'c'"]),
        (put(FILE, "selectors.sfm.tune", {"D": [1]}), ["selectors.sfm.tune.D"]),
        (put(FILE, "size", 5), ["unknown key 'size'", "sizes"]),
        (put(FILE, "classifier", {"C": 1.0}), ["yaml: classifier.C"]),
        (put(FILE, "trials.paper", 0), ["trials.paper"]),
    ],
)
def test_mistakes_name_the_key(tmp_path, change, words):
    folder = config_folder(tmp_path)
    change(folder)
    with pytest.raises(ConfigError) as found:
        load_study({}, folder)
    assert "config/comparisons/across_papers.yaml" in str(found.value)
    assert "experiments" not in str(found.value)
    for word in words:
        assert word in str(found.value)


def test_a_comparison_cannot_have_the_name_of_a_paper(tmp_path):
    folder = config_folder(tmp_path)
    (folder / FILE).rename(folder / "comparisons" / "klement2010.yaml")
    with pytest.raises(ConfigError, match="rename the file"):
        load_study({}, folder)


def test_the_file_has_no_key_that_the_code_ignores():
    entry = yaml.safe_load((ROOT / "config" / FILE).read_text())
    schema = yaml.safe_load((ROOT / "config" / "schemas" / "comparison.schema.yaml").read_text())
    assert set(entry) == set(schema["properties"])
