"""The jobs of the workflow: files in, files out; what is missing does not stop the rest."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest
import yaml

from marginfs.data.card import COLUMNS
from marginfs.data.dataset import load_dataset, load_provenance
from marginfs.data.jobs import card_job, fetch_job, own_job, simulated_job
from marginfs.errors import ConfigError, DataError

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def catalogue(tmp_path: Path) -> Path:
    """A catalogue whose one data set scikit-learn carries, and one that nobody has."""
    raw = yaml.safe_load((ROOT / "config" / "datasets.yaml").read_text())["datasets"]
    digits, colon = raw["digits"], raw["colon"]
    digits["sources"] = [s for s in digits["sources"] if "sklearn" in s]
    colon["sources"] = colon["sources"][:1]
    folder = tmp_path / "config"
    (folder / "schemas").mkdir(parents=True)
    schema = ROOT / "config" / "schemas" / "datasets.schema.yaml"
    (folder / "schemas" / schema.name).write_text(schema.read_text())
    (folder / "datasets.yaml").write_text(yaml.safe_dump({"datasets": {"digits": digits, "colon": colon}}))
    return folder / "datasets.yaml"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MARGINFS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_fetch_writes_data_and_provenance_and_keeps_the_cache(catalogue: Path, tmp_path: Path, cache: Path) -> None:
    fetch_job("digits", tmp_path / "d.npz", tmp_path / "d.json", catalogue=catalogue)
    data = load_dataset(tmp_path / "d.npz")
    assert data.X.shape == (1797, 64)
    assert data.meta["choices"]["constant"] == "keep"
    assert load_provenance(tmp_path / "d.json").source == "sklearn load_digits"
    assert list(cache.glob("tables/digits-*.npz"))
    before = (tmp_path / "d.npz").read_bytes()
    fetch_job("digits", tmp_path / "d.npz", tmp_path / "d.json", catalogue=catalogue)
    assert (tmp_path / "d.npz").read_bytes() == before


def test_prepared_bytes_do_not_depend_on_the_source(catalogue: Path, tmp_path: Path) -> None:
    fetch_job("digits", tmp_path / "a.npz", tmp_path / "a.json", catalogue=catalogue)
    data = load_dataset(tmp_path / "a.npz")
    order = np.random.default_rng(0).permutation(len(data.y))
    lines = [",".join([*map(str, data.X[i].astype(int)), data.target_names[data.y[i]]]) for i in order]
    (tmp_path / "mirror" / "digits").mkdir(parents=True)
    (tmp_path / "mirror" / "digits" / "optdigits.tes").write_text("\n".join(lines) + "\n")
    raw = yaml.safe_load(catalogue.read_text())
    raw["datasets"]["digits"]["sources"] = [{"mirror": "digits/optdigits.tes"}]
    catalogue.write_text(yaml.safe_dump(raw))
    fetch_job("digits", tmp_path / "b.npz", tmp_path / "b.json", catalogue=catalogue, mirror=tmp_path / "mirror")
    assert load_provenance(tmp_path / "b.json").source.startswith("mirror")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_missing_data_is_skipped_or_fails_by_one_option(catalogue: Path, tmp_path: Path) -> None:
    fetch_job("colon", tmp_path / "c.npz", tmp_path / "c.json", catalogue=catalogue, mirror=tmp_path / "mine")
    assert not load_dataset(tmp_path / "c.npz").available
    provenance = load_provenance(tmp_path / "c.json")
    assert provenance.status == "missing"
    assert len(provenance.failures) == 1
    assert "colon/colon.csv.gz" in provenance.reason
    with pytest.raises(DataError, match=r"colon: no source gave"):
        fetch_job("colon", tmp_path / "c.npz", tmp_path / "c.json", catalogue=catalogue, on_missing="fail")
    with pytest.raises(ConfigError, match="found 'coln'; write one of"):
        fetch_job("coln", tmp_path / "c.npz", tmp_path / "c.json", catalogue=catalogue)


def test_wrong_choice_is_an_error_even_when_missing_data_is_skipped(catalogue: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"colon.transform: found 'sqrt'"):
        fetch_job("colon", tmp_path / "c", tmp_path / "j", catalogue=catalogue, choices={"transform": "sqrt"})


def test_a_choice_that_the_data_refuses_is_not_taken_for_missing_data(catalogue: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no logarithm"):
        fetch_job("digits", tmp_path / "d", tmp_path / "j", catalogue=catalogue, choices={"transform": "log"})


def test_card_lists_all_sets_also_the_missing_and_the_users_own(catalogue: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("a,b,y\n1,5,u\n2,5,u\n3,5,v\n4,5,v\n")
    own_job(tmp_path / "o.npz", tmp_path / "o.json", path=tmp_path / "mine.csv", target="y")
    for name in ("digits", "colon"):
        fetch_job(name, tmp_path / f"{name}.npz", tmp_path / f"{name}.json", catalogue=catalogue)
    names = ["digits", "colon", "o"]
    card_job(
        [tmp_path / f"{n}.npz" for n in names],
        [tmp_path / f"{n}.json" for n in names],
        tmp_path / "card.csv",
        tmp_path / "card.md",
    )
    rows = list(csv.DictReader(io.StringIO((tmp_path / "card.csv").read_text())))
    assert [row["dataset"] for row in rows] == ["digits", "colon", "mine"]
    assert (rows[0]["n"], rows[0]["d"], rows[0]["missing"]) == ("1797", "64", "0")
    assert len(rows[0]["sha256"]) == 64
    assert rows[1]["source"] == "missing"
    assert "colon/colon.csv.gz" in rows[1]["notes"]
    assert "Tried" not in rows[1]["notes"]
    assert rows[2]["classes"] == "u 2, v 2"
    assert rows[2]["notes"] == "constant columns dropped: b"
    table = (tmp_path / "card.md").read_text().splitlines()
    assert len(table) == 5
    assert all(line.count(" | ") >= len(COLUMNS) - 1 for line in table[:1] + table[2:])


def test_simulated_data_is_written_like_any_other(tmp_path: Path) -> None:
    simulated_job("kernels", tmp_path / "k.npz", tmp_path / "k.json")
    data = load_dataset(tmp_path / "k.npz")
    assert data.X.shape == (500, 300)
    assert set(data.y.tolist()) == {-1, 1}
    simulated_job("multiclass", tmp_path / "m.npz", tmp_path / "m.json", n_samples=100)
    assert len(load_dataset(tmp_path / "m.npz").target_names) == 10
    assert load_provenance(tmp_path / "m.json").source == "simulated"
