"""The door to the data: generators and prepared sets give the same split to everybody who asks for it."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from marginfs.data.dataset import Dataset, save_dataset, unavailable
from marginfs.data.load import Prepared, SplitData, load_split
from marginfs.errors import ConfigError, DataError, MissingDataError
from marginfs.solvers.lp import separates
from marginfs.study.streams import streams

STREAMS = functools.partial(streams, 1, "paper", "experiment", "data")
TOY = {"source": "linear_toy", "total": 300, "train": 40, "normalise": ["standardise"]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    y = np.where(np.arange(60) % 3 == 0, 1, -1)
    names = tuple(f"x{k}" for k in range(5))
    fixed = np.arange(60).reshape(1, 60)
    dataset = Dataset("small", rng.normal(size=(60, 5)) + 7.0, y, names, ("no", "yes"), fixed[:, :40], fixed[:, 40:])
    save_dataset(tmp_path / "small.npz", dataset)
    save_dataset(tmp_path / "absent.npz", unavailable("absent", "absent: no source gave it")[0])
    return tmp_path


def load(spec: dict[str, Any], split: int, folder: Path, **options: bool) -> SplitData:
    return load_split(spec, split, STREAMS, files(folder), **options)


def files(folder: Path) -> Prepared:
    return Prepared({path.stem: path for path in folder.glob("*.npz")})


def small(**split: Any) -> dict[str, Any]:
    return {"source": "small", "split": split}


def test_the_training_part_does_not_depend_on_whether_the_test_part_is_drawn(folder: Path) -> None:
    with_test, without = load(TOY, 3, folder), load(TOY, 3, folder, test=False)
    assert_array_equal(with_test.X_train, without.X_train)
    assert (len(with_test.y_test), len(without.y_test)) == (260, 0)


def test_normalisation_uses_the_training_part_alone(folder: Path) -> None:
    data = load(TOY, 0, folder)
    np.testing.assert_allclose(data.X_train.mean(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(data.X_train.std(axis=0), 1.0)
    assert np.abs(data.X_test.mean(axis=0)).max() > 1e-3


def test_mean_norm_is_one(folder: Path) -> None:
    data = load({**TOY, "normalise": ["standardise", "mean_norm"]}, 0, folder)
    assert np.linalg.norm(data.X_train, axis=1).mean() == pytest.approx(1.0)


def test_separable_training_sets_only(folder: Path) -> None:
    spec = {**TOY, "total": 600, "train": 500, "normalise": []}
    drawn = [load(spec, split, folder, test=False) for split in range(5)]
    assert not all(separates(data.X_train[:, :6], data.y_train) for data in drawn)
    kept = [load({**spec, "separable": True}, split, folder, test=False) for split in range(5)]
    assert all(separates(data.X_train[:, :6], data.y_train) for data in kept)


def test_a_set_that_is_never_separable_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("marginfs.data.load.MAX_DRAWS", 3)
    with pytest.raises(DataError, match="none of 3 training sets of 280 points drawn from nonlinear_toy"):
        load({"source": "nonlinear_toy", "total": 300, "train": 280, "separable": True}, 0, folder)


def test_both_parts_of_ndcc_share_their_clusters(folder: Path) -> None:
    data = load({"source": "ndcc", "total": 2000, "train": 1000, "noise": 0}, 0, folder)
    distances = np.linalg.norm(data.X_test[:, None] - data.X_train[None], axis=2)
    nearest = data.y_train[distances.argmin(axis=1)]
    assert np.mean(nearest == data.y_test) > 0.95


@pytest.mark.parametrize(
    ("split", "train", "test"),
    [
        ({"kind": "stratified", "train": 0.5}, 30, 30),
        ({"kind": "nested", "train": 40, "subset": 20}, 20, 20),
        ({"kind": "kfold", "k": 4}, 45, 15),
        ({"kind": "kfold", "k": 4, "rows": 20}, 15, 5),
        ({"kind": "kfold", "k": 4, "rows": 60}, 45, 15),
        ({"kind": "kfold", "k": 4, "part": "train"}, 30, 10),
        ({"kind": "fixed"}, 40, 20),
        ({"kind": "realisation", "train": 40}, 40, 20),
    ],
)
def test_splits_of_a_prepared_set(folder: Path, split: dict[str, Any], train: int, test: int) -> None:
    data = load(small(**split), 1, folder)
    again = load(small(**split), 1, folder)
    assert (len(data.y_train), len(data.y_test)) == (train, test)
    assert_array_equal(data.X_train, again.X_train)
    assert set(data.y_train) == {-1.0, 1.0}


def test_folds_of_one_repetition_share_their_shuffle(folder: Path) -> None:
    folds = [load(small(kind="kfold", k=4), split, folder) for split in range(4)]
    rows = {tuple(row) for fold in folds for row in fold.X_test}
    assert len(rows) == 60


def test_folds_stay_inside_the_part_and_each_shuffle_draws_its_own_rows(folder: Path) -> None:
    part = {tuple(row) for row in Prepared({"small": folder / "small.npz"})["small"].X[:40]}
    shuffles = []
    for shuffle in range(2):
        folds = [load(small(kind="kfold", k=4, part="train", rows=24), 4 * shuffle + fold, folder) for fold in range(4)]
        shuffles.append({tuple(row) for fold in folds for row in fold.X_test})
    assert [len(rows) for rows in shuffles] == [24, 24]
    assert shuffles[0] != shuffles[1]
    assert set.union(*shuffles) <= part


def test_unknown_kind_lists_those_that_exist(folder: Path) -> None:
    with pytest.raises(ConfigError, match="found 'strat'; write one of all_rows, fixed, kfold"):
        load(small(kind="strat"), 0, folder)


def test_a_stand_in_says_that_data_is_missing(folder: Path) -> None:
    with pytest.raises(MissingDataError, match="no source gave it"):
        load({"source": "absent", "split": {"kind": "fixed"}}, 0, folder)
