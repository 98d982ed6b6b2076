"""What a run makes, and what stands behind it, in the papers' own configuration."""

from __future__ import annotations

import pytest
from snakemake.iocontainers import Wildcards

from conftest import ROOT
from marginfs.study.config import load_study
from marginfs.study.publication import SCORES, published_files
from marginfs.study.run_files import RunFiles


@pytest.fixture(scope="module")
def files() -> RunFiles:
    return RunFiles(load_study({}, ROOT / "config"))


def names(**values: str) -> Wildcards:
    """What Snakemake hands to an input function."""
    return Wildcards(fromdict={"run": "quick", **values})


def test_artefacts_are_every_table_figure_and_the_claims(files):
    assert files.artefacts("quick", ["klement2010"]) == [
        "results/quick/tables/klement2010/table_1.csv",
        "results/quick/figures/klement2010/figure_1.pdf",
        "results/quick/claims/klement2010.csv",
    ]
    assert "results/quick/tables/across_papers/comparison.csv" in files.artefacts("quick", ["across_papers"])


def test_data_sets_are_named_once(files):
    names_read = files.data_sets("paper", ["tayal2014", "across_papers"])
    assert names_read == sorted(set(names_read))
    assert {"sonar", "madelon", "fei"} <= set(names_read)


def test_a_table_of_times_reads_times(files):
    folder = "results/quick/{}/planas2021/steps.csv"
    assert files.table(names(paper="planas2021", number="5.2"))[0] == folder.format("evaluations")
    assert files.table(names(paper="planas2021", number="5.3")) == [folder.format("timings")]


def test_a_figure_reads_the_experiments_of_its_panels(files):
    stem = "results/quick/evaluations/tayal2014"
    assert set(files.figure(names(paper="tayal2014", number="4"))) == {
        f"{stem}/fei_images.csv",
        f"{stem}/fei_pixels.csv",
    }


def test_an_evaluation_is_read_from_the_run_that_changes_it(files):
    run = "quick+svm_bias=false"
    assert run.partition("+")[2] in files.study.readings
    table, *_ = files.table(names(paper="klement2010", number="1", run=run))
    assert table == f"results/{run}/evaluations/klement2010/toy.csv"
    other, *_ = files.table(names(paper="aksu2008", number="extended_error", run=run))
    assert other.startswith("results/quick/")


def test_claims_about_time_read_times(files):
    read = files.claims(names(paper="planas2021"))
    assert any("/timings/" in path for path in read)
    assert not any("/timings/" in path for path in files.claims(names(paper="klement2010")))


def test_provenance_is_that_of_every_experiment(files):
    read = files.provenances(names(paper="klement2010", run="smoke"))
    assert read == ["results/smoke/evaluations/klement2010/toy.provenance.json"]


def test_readings_compare_tables_without_times(files):
    read = files.readings(names(paper="planas2021", fidelity="smoke"))
    runs = {path.split("/")[1] for path in read}
    assert "smoke" in runs
    assert len(runs) == 1 + len(files.study.alternatives("planas2021"))
    assert not any(path.endswith("table_5.3.csv") for path in read)


def test_a_report_waits_for_all_that_it_shows(files):
    shown = files.reported("quick", ["tayal2014"])
    assert {"results/data/sonar.json", "results/quick/provenance/tayal2014.json"} <= set(shown)
    assert "results/quick/evaluations/tayal2014/sonar.csv" in shown


def test_a_comparison_reads_its_times_where_it_measures_them(files):
    measures, times = (
        f"results/{{}}/{kind}/across_papers/comparison.csv".format for kind in ("evaluations", "timings")
    )
    for run, timed in (("quick", []), ("paper", [times("paper")])):
        place = names(comparison="across_papers", run=run)
        assert files.compared(place) == [measures(run)]
        assert files.compared_times(place) == timed


def test_kept_scores_are_no_published_files(tmp_path):
    folder = tmp_path / "klement2010"
    folder.mkdir()
    for name in ("table_1.csv", "figure_1.png", "provenance.json", f"{SCORES.format('toy')}.csv", "README.md"):
        (folder / name).touch()
    found = [path.rpartition("/")[2] for path in published_files(tmp_path, ["klement2010", "aksu2008"])]
    assert found == ["table_1.csv", "figure_1.png", "provenance.json"]
