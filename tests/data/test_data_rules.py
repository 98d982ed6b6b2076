"""The data rules: a data set is prepared again when its own entry changes, or as long as it is missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conftest import Project
from marginfs.data.dataset import load_dataset, load_provenance

DIGITS, COLON = "results/data/digits.npz", "results/data/colon.npz"


@pytest.fixture
def prepared(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project in which digits has been prepared and colon found missing."""
    monkeypatch.setenv("MARGINFS_CACHE", str(tmp_path / "cache"))

    def reachable(catalogue: dict) -> None:
        catalogue["datasets"]["digits"]["sources"] = [{"sklearn": "load_digits"}]
        catalogue["datasets"]["colon"]["sources"] = [{"mirror": "colon/colon.csv.gz"}]

    project.edit("config/datasets.yaml", reachable)
    done = project.run(DIGITS, COLON)
    assert done.returncode == 0, done.stderr
    return project


def planned(project: Project) -> set[str]:
    """The data sets that the next run would prepare."""
    done = project.run("--dry-run", DIGITS, COLON)
    assert done.returncode == 0, done.stderr
    return set(re.findall(r"^    output: results/data/(\w+)\.npz", done.stdout + done.stderr, flags=re.MULTILINE))


def test_a_data_set_is_prepared_again_when_its_own_entry_changes_or_while_it_is_missing(prepared: Project) -> None:
    assert load_provenance(prepared.folder / "results/data/colon.json").status == "missing"
    assert planned(prepared) == {"colon"}

    def describe(catalogue: dict) -> None:
        catalogue["datasets"]["sonar"]["decimals"] = 3
        catalogue["datasets"]["digits"]["citation"] = "somebody"

    prepared.edit("config/datasets.yaml", describe)
    assert planned(prepared) == {"colon"}
    prepared.edit("config/datasets.yaml", lambda c: c["datasets"]["digits"].update(title="Digits"))
    assert planned(prepared) == {"colon", "digits"}


def test_variants_are_files_of_their_own_in_any_folder(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARGINFS_CACHE", str(tmp_path / "cache"))
    sources = [{"sklearn": "load_digits"}]
    project.edit("config/datasets.yaml", lambda c: c["datasets"]["digits"].update(sources=sources))
    names = ["digits@constant=drop", "planas_kernels", "planas_kernels@seed=7"]
    elsewhere = tmp_path / "elsewhere"
    files = [f"results/data/{name}.npz" for name in names]
    settings = project.folder / "config" / "config.yaml"
    done = project.run(*files, "--directory", str(elsewhere), "--configfile", str(settings))
    assert done.returncode == 0, done.stderr
    fewer, printed, other = (load_dataset(elsewhere / file) for file in files)
    assert (fewer.name, fewer.X.shape) == (names[0], (1797, 61))
    assert printed.X.shape == other.X.shape == (500, 300)
    assert printed.X[0, 0] != other.X[0, 0]
