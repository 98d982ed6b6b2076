"""What the jobs of an experiment read, in the papers' own configuration."""

from __future__ import annotations

import itertools

import pytest
from snakemake.iocontainers import Wildcards

from conftest import ROOT
from marginfs.study.config import load_study
from marginfs.study.study import Study
from marginfs.study.unit_files import UnitFiles

CHUNK = "results/{run}/selections/{paper}/{experiment}/{selector}/{start}-{stop}.jsonl"


@pytest.fixture(scope="module")
def study() -> Study:
    return load_study({"chunk_size": 2}, ROOT / "config")


def names(**values: str) -> Wildcards:
    """What Snakemake hands to an input function."""
    return Wildcards(fromdict={"run": "quick", "paper": "tayal2014", **values})


def test_data_of_a_variant_is_read_from_its_own_file(study):
    units = UnitFiles(study)
    assert units.data(names(experiment="sonar")) == ["results/data/sonar.npz"]
    assert units.data(names(experiment="ndcc")) == []
    colon = {"paper": "rakotomamonjy2003", "experiment": "colon"}
    assert units.data(names(**colon)) == ["results/data/colon.npz"]
    assert units.data(names(**colon, run="quick+transform=none")) == ["results/data/colon@transform=none.npz"]


def test_only_tuned_selectors_wait_for_tuning(study):
    units = UnitFiles(study)
    chunk = {"experiment": "sonar_curves", "start": "0", "stop": "2"}
    assert units.tuned(names(**chunk, selector="relief")) == []
    chunk["experiment"] = "sonar"
    assert units.tuned(names(**chunk, selector="gmkl")) == ["results/quick/tuned/tayal2014/sonar/gmkl/0-2.jsonl"]


def test_chunks_cover_all_units_of_every_selector(study):
    files = UnitFiles(study).by_chunk(CHUNK)(names(experiment="saheart"))
    folder = "results/quick/selections/tayal2014/saheart"
    assert files == [f"{folder}/{name}/0-2.jsonl" for name in ("svm", "gmkl", "full_fs", "ao_efs")]


def test_a_pattern_without_selector_has_one_file_for_each_chunk(study):
    pattern = CHUNK.replace("/{selector}", "")
    files = UnitFiles(study).by_chunk(pattern)(names(experiment="ndcc", run="paper"))
    assert files == [f"results/paper/selections/tayal2014/ndcc/{k}-{k + 2}.jsonl" for k in range(0, 10, 2)]


def test_selections_come_from_the_experiment_that_shares_them(study):
    files = UnitFiles(study).by_selector(CHUNK)(names(experiment="sonar_curves", start="0", stop="2"))
    homes = {path.split("/")[-2]: path.split("/")[-3] for path in files}
    assert homes == dict.fromkeys(("gmkl", "full_fs", "ao_efs"), "sonar") | dict.fromkeys(
        ("mi", "relief", "rfe"), "sonar_curves"
    )


def test_shared_selections_are_those_of_the_run_that_changes_them(study):
    """Sizes of the figures do not change what was selected, the kind of weights does."""
    for reading, home in (("figure_sizes=1_2_4_8_16_32_64_128", "quick"), ("gmkl_weights=d", "quick+gmkl_weights=d")):
        place = names(experiment="sonar_curves", run=f"quick+{reading}", start="0", stop="2")
        files = UnitFiles(study).by_selector(CHUNK)(place)
        assert next(path for path in files if "/gmkl/" in path).split("/")[1] == home


def test_trials_of_tuning_are_those_of_the_chunk(study):
    units = UnitFiles(study)
    pattern = CHUNK.replace("selections", "tuning")
    place = names(experiment="sonar", selector="svm", start="0", stop="2")
    ranges = [
        tuple(map(int, path.split("/")[-1].removesuffix(".jsonl").split("-"))) for path in units.trials(pattern)(place)
    ]
    assert ranges[0][0] == 0
    assert all(before[1] == after[0] for before, after in itertools.pairwise(ranges))
    assert ranges[-1][1] == 2 * units.selector(place).tuning.trials
