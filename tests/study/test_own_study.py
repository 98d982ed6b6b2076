"""Own data: what a few keys stand for, and what is found before any job."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from marginfs.data.load import KINDS, SplitData
from marginfs.data.preparation.own_table import load_own
from marginfs.errors import ConfigError, DataError
from marginfs.evaluation.ranking_curve import ranking_curve
from marginfs.lookup import look_up
from marginfs.study.config import load_study
from marginfs.study.own_study import check_tables, overlap_of, own_protocol
from marginfs.types import Measure, Selection

CONFIG = Path(__file__).parents[2] / "config"
ENTRY = {"path": "tumours.csv", "target": "diagnosis"}


def write(path: Path, classes: int = 2, header: str = "a,b,diagnosis", first: str = "") -> Path:
    rng = np.random.default_rng(0)
    lines = [f"{first.format(i)}{rng.normal():.4f},{rng.normal():.4f},class_{i % classes}" for i in range(24)]
    path.write_text("\n".join([header, *lines]) + "\n")
    return path


def experiment(**entry):
    study = load_study({"own_data": {"tumours": {**ENTRY, **entry}}}, CONFIG)
    return study.experiment("tumours", "ranking", "quick")


@pytest.mark.parametrize("multiclass", [False, True])
def test_all_selectors_run_on_data_that_no_plane_separates(multiclass):
    made = experiment(selectors="all", multiclass=multiclass)
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((45, 6)), np.arange(45) % (3 if multiclass else 2)
    X[:, 2] += y
    for selector in made.selectors.values():
        options = selector.options_for({**selector.tuning.first(), "C": 1.0} if "C" in selector.tuning.grid else {})
        found = look_up(selector.method)(X, y, rng=np.random.default_rng(0), **options)
        assert sorted(found.ranking) == list(range(6)), selector.name
    assert len(made.selectors) == (4 if multiclass else 14)


def test_two_selectors_by_default():
    assert list(experiment().selectors) == ["rfe", "correlation"]
    assert list(experiment(multiclass=True).selectors) == ["svm_rfe", "mutual_information"]


PENALTIES = [0.01, 0.1, 1.0, 10.0, 100.0]


def test_a_penalty_that_the_user_leaves_out_is_chosen():
    """A hard margin, the default of the method, ends where few features no longer separate."""
    made = experiment(selectors={"a": {"method": "backward_elimination"}, "b": {"method": "correlation"}}).selectors
    assert (made["a"].tuning.grid, made["a"].tuning.judged, made["a"].tuning.sweep) == ({"C": PENALTIES}, {}, "C")
    assert (made["b"].tuning.grid, made["b"].tuning.judged) == ({}, {"C": PENALTIES})
    kept = experiment(selectors={"a": {"method": "backward_elimination", "C": 7.0}}).selectors["a"]
    assert (kept.options, kept.tuning.grid, kept.tuning.judged) == ({"C": 7.0}, {}, {"C": PENALTIES})


def test_any_estimator_is_a_selector():
    made = experiment(selectors={"kbest": {"method": "sklearn.feature_selection:SelectKBest", "k": 1}}).selectors
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((30, 4)), np.arange(30) % 2
    X[:, 2] += 3 * y
    assert look_up(made["kbest"].method)(X, y, rng=rng, **made["kbest"].options).ranking[0] == 2


def test_all_rows_are_ranked_in_the_end(tmp_path):
    study = load_study({"own_data": {"tumours": ENTRY}}, CONFIG)
    final = study.experiment("tumours", "final", "quick")
    dataset, _ = load_own(write(tmp_path / "tumours.csv"), "diagnosis")
    train, test = look_up(KINDS[final.plan.data["split"]["kind"]])(dataset, 0, None)
    assert (train.tolist(), test.size, final.trials) == (list(range(24)), 0, 1)
    data = SplitData(dataset.X, dataset.y, dataset.X[:0], dataset.y[:0])
    ranks = ranking_curve(Selection(np.array([1, 0])), data, C=1.0, depth=None)
    assert ranks == [Measure("rank", 2, 1.0), Measure("rank", 1, 2.0)]


def test_numbers_from_the_command_line_are_numbers():
    """Snakemake gives the leaves of a nested --config as text."""
    made = experiment(
        trials="5",
        train="0.5",
        multiclass="false",
        classifier={"C": "2", "slack": "l1"},
        selectors={"rfe": {"method": "backward_elimination", "step": "3", "kernel": "linear"}},
    )
    assert made.trials == 5
    assert made.plan.data["split"]["train"] == 0.5
    assert made.evaluation.options == {"kernel": "linear", "slack": "l1"}
    assert made.selectors["rfe"].options == {"step": 3, "kernel": "linear"}
    assert made.selectors["rfe"].tuning.grid == {"C": [2]}


def test_names_stay_text():
    study = load_study({"own_data": {"tumours": {**ENTRY, "target": "2024", "positive": "1"}}}, CONFIG)
    assert study.own_data["tumours"]["target"] == "2024"
    assert study.own_data["tumours"]["positive"] == "1"
    with pytest.raises(ConfigError, match="own_data"):
        load_study({"own_data": {"tumours": "tumours.csv"}}, CONFIG)


def test_three_classes_are_read_where_the_user_says_so(tmp_path):
    file = write(tmp_path / "three.csv", classes=3)
    with pytest.raises(DataError, match="3 classes"):
        check_tables({"three": {"path": str(file), "target": "diagnosis"}})
    check_tables({"three": {"path": str(file), "target": "diagnosis", "multiclass": True}})


def test_a_class_that_folds_would_lose_is_refused(tmp_path):
    file = write(tmp_path / "rare.csv")
    rare = [line for k, line in enumerate(file.read_text().splitlines()) if k % 2 or k > 15 or k == 0]
    file.write_text("\n".join(rare) + "\n")
    entry = {"path": str(file), "target": "diagnosis"}
    with pytest.raises(ConfigError, match=r"own_data.rare: 5 rows are of the class 'class_1', 3.4 for training"):
        check_tables({"rare": entry})
    check_tables({"rare": {**entry, "train": 0.8}})


def test_a_training_part_of_one_and_a_half_rows_is_refused(tmp_path):
    file = write(tmp_path / "tumours.csv")
    with pytest.raises(ConfigError, match=r"own_data.tumours.train: found 1.5; write a share such as 0.67"):
        check_tables({"tumours": {"path": str(file), "target": "diagnosis", "train": 1.5}})


def test_a_table_that_is_not_there_is_named():
    with pytest.raises(DataError, match=r"gone\.csv"):
        check_tables({"gone": {"path": "gone.csv", "target": "diagnosis"}})


def test_more_rows_than_a_kernel_matrix_can_have_are_refused_before_any_job(tmp_path):
    file = tmp_path / "long.csv"
    file.write_text("a,diagnosis\n" + "".join(f"{i % 97},{'uv'[i % 2]}\n" for i in range(20_000)))
    entry = {"path": str(file), "target": "diagnosis"}
    with pytest.raises(ConfigError, match=r"own_data.long: 20000 rows, .* 3 GB; give a sample of at most 10000 rows"):
        check_tables({"long": entry})


def test_a_column_that_numbers_the_rows_is_refused(tmp_path):
    file = write(tmp_path / "ids.csv", header="sample,a,b,diagnosis", first="{},")
    with pytest.raises(DataError, match="column 'sample' only numbers the rows; name it under `drop`"):
        check_tables({"ids": {"path": str(file), "target": "diagnosis"}})
    dataset, _ = load_own(file, "diagnosis", drop=["sample"])
    assert dataset.feature_names == ("a", "b")


@pytest.mark.parametrize(("train", "overlap"), [(0.5, 1.0), (0.75, 1 / 3), (60, 0.5)])
def test_overlap_is_test_over_training_size(train, overlap):
    assert overlap_of(train, 90) == pytest.approx(overlap)


def test_the_protocol_is_that_of_a_paper():
    assert own_protocol("tumours", ENTRY)["experiments"]["ranking"]["evaluation"]["method"] == "ranking_curve"
