"""The committed reference runs: complete, traceable, and what a full run gives today."""

from __future__ import annotations

import pandas as pd
import pytest
import yaml
from pandas.testing import assert_frame_equal

from conftest import ROOT, Project
from marginfs.results.pieces import commits, read_pieces
from marginfs.results.report.reference_pages import reference_pages
from marginfs.study.artefacts import experiments_of
from marginfs.study.config import load_study
from marginfs.study.publication import claims_behind, publication

REFERENCE = ROOT / "results" / "reference"
COMPARISONS = sorted(path.stem for path in (ROOT / "config" / "comparisons").glob("*.yaml"))
RUNS = sorted(path.name for path in REFERENCE.iterdir() if path.is_dir())
PAPERS = [name for name in RUNS if name not in COMPARISONS]


@pytest.mark.parametrize("paper", PAPERS)
def test_reference_is_complete_and_says_where_it_came_from(paper):
    study, folder = load_study({}, ROOT / "config"), REFERENCE / paper
    pieces = read_pieces(folder)
    files, claims = ([name for piece in pieces for name in getattr(piece, kind)] for kind in ("files", "claims"))
    expected = {name for name in publication(study, paper) if not name.startswith("evaluation_")}
    assert len(files) == len({*files})
    assert expected <= {*files} <= {path.name for path in folder.iterdir()}
    assert sorted(claims) == sorted(claims_behind(study, paper))
    for piece in pieces:
        assert piece.study["fidelity"] == "paper"
        assert len(piece.commit) >= 12
        assert piece.work["cpu_seconds"] > 0


@pytest.mark.parametrize("key", [name for name in RUNS if name in COMPARISONS])
def test_reference_of_a_comparison_has_every_selector_and_data_set(key):
    wanted = yaml.safe_load((ROOT / "config" / "comparisons" / f"{key}.yaml").read_text())
    table = pd.read_csv(REFERENCE / key / "comparison.csv")
    assert set(table["selector"]) == {entry["label"] for entry in wanted["selectors"].values()}
    assert set(table["data_sets"]) == {len(wanted["data_sets"]["paper"])}
    assert set(table["trials"]) == {wanted["trials"]["paper"]}
    assert not any("dirty" in commit for commit in commits(REFERENCE / key))
    curves = pd.read_csv(REFERENCE / key / "figure_ranks.csv")
    means = curves[curves["metric"] == "mean_error"].groupby("selector", sort=False)["value"].mean()
    assert sorted(table["mean_error"]) == pytest.approx(sorted(means), abs=1e-6)


@pytest.mark.parametrize("paper", PAPERS)
def test_tables_of_whole_experiments_have_every_published_cell(paper):
    """But for times, some of which are of programs that only the paper has."""
    study = load_study({}, ROOT / "config")
    tables = {f"table_{number}.csv": spec for number, spec in study.papers[paper].protocol.get("tables", {}).items()}
    for piece in read_pieces(REFERENCE / paper):
        for name in {*piece.files} & {name for name, spec in tables.items() if spec.get("kind") != "timing"}:
            behind = experiments_of(tables[name])
            if all(piece.trials[one] >= study.experiment(paper, one, "paper").trials for one in behind):
                assert "not run" not in set(pd.read_csv(REFERENCE / paper / name)["verdict"]), name


def test_pages_are_what_the_files_beside_them_say():
    study = load_study({}, ROOT / "config")
    protocols = {key: paper.protocol for key, paper in study.papers.items()}
    claims = {key: study.papers[key].claims for key in study.published(study.papers)}
    papers, compared = ({key: protocols[key] for key in keys} for keys in (claims, study.comparisons))
    pages = reference_pages(REFERENCE, papers, claims, compared)
    assert {path.parent for path in pages} == {*(REFERENCE / name for name in RUNS), REFERENCE, ROOT}
    stale = [str(path) for path, text in pages.items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "run `snakemake reference_pages`"


@pytest.mark.slow
def test_a_full_run_of_klement2010_gives_the_reference(project: Project):
    done = project.run("klement2010", "--config", "fidelity=paper")
    assert done.returncode == 0, done.stderr
    for kind, name in (("tables", "table_1.csv"), ("figures", "figure_1.csv")):
        fresh = pd.read_csv(project.folder / "results" / "paper" / kind / "klement2010" / name)
        assert_frame_equal(fresh, pd.read_csv(REFERENCE / "klement2010" / name), rtol=1e-6)
