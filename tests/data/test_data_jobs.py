"""The jobs of the workflow: files in, files out; what is missing does not stop the rest."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from marginfs.data.card import COLUMNS
from marginfs.data.catalogue import parse_spec
from marginfs.data.data_jobs import prepare_data_set, prepare_own_table, simulate_data_set, write_data_card
from marginfs.data.dataset import load_dataset, load_provenance
from marginfs.data.generators.simulated_sets import SIMULATED
from marginfs.data.variants import split_variant
from marginfs.errors import ConfigError, DataError

ROOT = Path(__file__).resolve().parents[2]


ENTRIES = yaml.safe_load((ROOT / "config" / "datasets.yaml").read_text())["datasets"]
SOURCES = {"digits": [{"sklearn": "load_digits"}], "colon": [{"mirror": "colon/colon.csv.gz"}]}
"""A data set that scikit-learn carries, and one that nobody has."""


def prepare(
    name: str, path: Path, *, sources: list[Any] | None = None, choices: dict[str, str] | None = None, **options: Any
) -> None:
    """Prepare a data set into path.npz and path.json as the workflow does."""
    spec = parse_spec(name, {**ENTRIES[name], "sources": sources or SOURCES[name]})
    chosen = {key: choice.value for key, choice in spec.choices.items()} | (choices or {})
    files = path.with_suffix(".npz"), path.with_suffix(".json")
    prepare_data_set(name, *files, recipe=spec.recipe, choices=chosen, **options)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MARGINFS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_data_and_provenance_are_written_and_the_cache_kept(tmp_path: Path, cache: Path) -> None:
    prepare("digits", tmp_path / "d")
    data = load_dataset(tmp_path / "d.npz")
    assert data.X.shape == (1797, 64)
    assert data.meta["choices"]["constant"] == "keep"
    assert load_provenance(tmp_path / "d.json").source == "sklearn load_digits"
    assert list(cache.glob("tables/digits-*.npz"))
    before = (tmp_path / "d.npz").read_bytes()
    prepare("digits", tmp_path / "d")
    assert (tmp_path / "d.npz").read_bytes() == before


def test_prepared_bytes_do_not_depend_on_the_source(tmp_path: Path) -> None:
    prepare("digits", tmp_path / "a")
    data = load_dataset(tmp_path / "a.npz")
    order = np.random.default_rng(0).permutation(len(data.y))
    lines = [",".join([*map(str, data.X[i].astype(int)), data.target_names[data.y[i]]]) for i in order]
    (tmp_path / "mirror" / "digits").mkdir(parents=True)
    (tmp_path / "mirror" / "digits" / "optdigits.tes").write_text("\n".join(lines) + "\n")
    prepare("digits", tmp_path / "b", sources=[{"mirror": "digits/optdigits.tes"}], mirror=tmp_path / "mirror")
    assert load_provenance(tmp_path / "b.json").source.startswith("mirror")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_missing_data_is_skipped_or_fails_by_one_option(tmp_path: Path) -> None:
    prepare("colon", tmp_path / "c", mirror=tmp_path / "mine")
    assert not load_dataset(tmp_path / "c.npz").available
    provenance = load_provenance(tmp_path / "c.json")
    assert provenance.status == "missing"
    assert len(provenance.failures) == 1
    assert "colon/colon.csv.gz" in provenance.reason
    with pytest.raises(DataError, match=r"colon: could not download"):
        prepare("colon", tmp_path / "c", missing_data="fail")


def test_wrong_choice_is_an_error_even_when_missing_data_is_skipped(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"colon.transform: found 'sqrt'"):
        prepare("colon", tmp_path / "c", choices={"transform": "sqrt"})


def test_a_choice_that_the_data_refuses_is_not_taken_for_missing_data(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no logarithm"):
        prepare("digits", tmp_path / "d", choices={"transform": "log"})


def test_card_lists_all_sets_also_the_missing_and_the_users_own(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("a,b,y\n1,5,u\n2,5,u\n3,5,v\n4,5,v\n")
    prepare_own_table(tmp_path / "o.npz", tmp_path / "o.json", path=tmp_path / "mine.csv", target="y")
    for name in ("digits", "colon"):
        prepare(name, tmp_path / name)
    names = ["digits", "colon", "o"]
    write_data_card(
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
    for name in ("planas_kernels@seed=7", "planas_multiclass"):
        base, options = split_variant(name)
        files = tmp_path / f"{name}.npz", tmp_path / f"{name}.json"
        simulate_data_set(name, *files, title=SIMULATED[base].title, call=SIMULATED[base].call(options))
    data = load_dataset(tmp_path / "planas_kernels@seed=7.npz")
    assert (data.name, data.X.shape) == ("planas_kernels@seed=7", (500, 300))
    assert set(data.y.tolist()) == {-1, 1}
    assert len(load_dataset(tmp_path / "planas_multiclass.npz").target_names) == 10
    assert load_provenance(tmp_path / "planas_multiclass.json").source == "simulated"
