"""The prepared file: what goes in comes out, equal content gives equal bytes, a damaged file is named."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from marginfs.data.dataset import (
    Dataset,
    Provenance,
    load_dataset,
    load_provenance,
    save_dataset,
    save_provenance,
    unavailable,
)
from marginfs.errors import DataError
from marginfs.files import write_bytes


def sample() -> Dataset:
    rng = np.random.default_rng(0)
    return Dataset(
        name="s",
        X=np.asfortranarray(rng.normal(size=(4, 3))),
        y=np.array([1, -1, -1, 1]),
        feature_names=("a", "ü", "c=1"),
        target_names=("no", "yes"),
        train=np.array([[0, 1]]),
        test=np.array([[2, 3]]),
        meta={"choices": {"missing": "mean"}, "notes": ["ä"]},
    )


def test_round_trip(tmp_path: Path) -> None:
    before = sample()
    save_dataset(tmp_path / "a.npz", before)
    after = load_dataset(tmp_path / "a.npz")
    for field in ("X", "y", "train", "test"):
        assert_array_equal(getattr(after, field), getattr(before, field))
    for field in ("name", "feature_names", "target_names", "meta", "available"):
        assert getattr(after, field) == getattr(before, field)
    assert after.class_counts() == {"no": 2, "yes": 2}


def test_bytes_do_not_depend_on_time_or_key_order(tmp_path: Path) -> None:
    save_dataset(tmp_path / "a.npz", sample())
    time.sleep(2.1)
    again = sample()
    save_dataset(tmp_path / "b.npz", Dataset(**{**again.__dict__, "meta": dict(reversed(again.meta.items()))}))
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


@pytest.mark.parametrize("damage", [b"", b"garbage", None])
def test_damaged_or_absent_file_is_named(tmp_path: Path, damage: bytes | None) -> None:
    path = tmp_path / "a.npz"
    if damage is not None:
        path.write_bytes(damage)
    with pytest.raises(DataError, match=r"a\.npz"):
        load_dataset(path)


def test_truncated_file_is_named(tmp_path: Path) -> None:
    save_dataset(tmp_path / "a.npz", sample())
    content = (tmp_path / "a.npz").read_bytes()
    (tmp_path / "a.npz").write_bytes(content[: len(content) // 2])
    with pytest.raises(DataError, match="prepare it again"):
        load_dataset(tmp_path / "a.npz")


def test_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    write_bytes(path, b"old")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_bytes(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_stand_in_for_missing_data(tmp_path: Path) -> None:
    empty, provenance = unavailable("colon", "colon: no source. Tried:\n  - url x: gone.\n  - url y: gone.")
    save_dataset(tmp_path / "a.npz", empty)
    save_provenance(tmp_path / "a.json", provenance)
    assert not load_dataset(tmp_path / "a.npz").available
    assert load_provenance(tmp_path / "a.json") == provenance
    assert provenance.failures == ("url x: gone.", "url y: gone.")
    assert provenance.status == "missing"


def test_provenance_round_trip(tmp_path: Path) -> None:
    provenance = Provenance(name="a", status="ok", source="mirror x", sha256="00", failures=("one", "two"))
    save_provenance(tmp_path / "p.json", provenance)
    assert load_provenance(tmp_path / "p.json") == provenance
