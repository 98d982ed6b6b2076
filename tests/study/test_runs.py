"""Other readings have folders of their own, with names that say what was changed."""

from __future__ import annotations

from pathlib import Path

import yaml

from marginfs.study.config import load_study
from marginfs.study.runs import Reading, reading_name, run_name, split_run

CONFIG = Path(__file__).parents[2] / "config"


def study(**changes: object):
    return load_study(changes, CONFIG)


def test_the_default_has_the_plain_name():
    assert study().run == "quick"
    assert study(choices={"klement2010": {"svm_bias": True}}).run == "quick"


def test_names_say_what_was_changed():
    assert study(choices={"klement2010": {"svm_bias": "false"}}).run == "quick+svm_bias=false"
    assert study(seed=7, fidelity="smoke").run == "smoke+seed=7"
    shared = study(choices={"klement2010": {"training_labels": "balanced"}})
    assert shared.run == "quick+klement2010.training_labels=balanced"
    assert shared.changes(shared.run) == {"klement2010.training_labels": "balanced"}


def test_names_are_names_of_folders():
    name = reading_name({"values": [0.01, 0.1, 1.0], "text": "a/b c", "flag": None})
    assert name == "values=0.01_0.1_1.0,text=a_b_c,flag=null"
    assert len(reading_name({"key": "x" * 500})) <= 100
    assert reading_name({"key": "x" * 500}) != reading_name({"key": "x" * 501})
    assert split_run(run_name("quick", name)) == ("quick", name)


def test_a_reading_shares_the_experiments_that_it_does_not_change():
    made = study()
    run = "quick+figure_4_size=30"
    assert made.home("rakotomamonjy2003", "number_of_variables", run) == run
    assert made.home("rakotomamonjy2003", "linear_toy", run) == "quick"
    assert made.experiment("rakotomamonjy2003", "number_of_variables", run).plan.data["train"] == 30


def test_a_data_set_that_is_prepared_otherwise_has_a_file_of_its_own():
    choice = next(iter(study().catalogue["colon"].choices.items()))
    other = study(choices={"colon": {choice[0]: choice[1].alternatives[0]}})
    files = other.data_files("rakotomamonjy2003", "colon", other.run)
    assert files == {"colon": f"colon@{choice[0]}={choice[1].alternatives[0]}"}
    assert other.home("rakotomamonjy2003", "colon", other.run) == other.run
    assert other.data_files("rakotomamonjy2003", "lymphoma", other.run) == {"lymphoma": "lymphoma"}


def test_every_alternative_of_a_paper_and_its_data_is_a_reading():
    made = study()
    names = made.alternatives("klement2010")
    assert names == ["klement2010.training_labels=balanced", "svm_bias=false"]
    protocol = yaml.safe_load((CONFIG / "papers" / "rakotomamonjy2003.yaml").read_text())
    own = sum(len(choice["alternatives"]) for choice in protocol["choices"].values())
    assert len(made.alternatives("rakotomamonjy2003")) > own
    assert all(made.readings[name] != Reading() for name in made.alternatives("rakotomamonjy2003"))
