"""The FEI faces that a user supplies as images."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from marginfs.data.catalogue import load_catalogue
from marginfs.data.sources.obtain import obtain
from marginfs.errors import DataError

FEI = load_catalogue(Path(__file__).resolve().parents[3] / "config" / "datasets.yaml")["fei"]
SMALL = replace(FEI, shape=(4, 270), classes={"female": 2, "male": 2})


def images(folder: Path, count: int = 4) -> Path:
    (folder / "fei").mkdir(parents=True)
    lines = ["file,gender"]
    for i in range(count):
        pixels = np.full((180, 150), 10 * i, dtype=np.uint8)
        pixels[:10, :10] = 200
        buffer = io.BytesIO()
        Image.fromarray(pixels).save(buffer, format="png")
        (folder / "fei" / f"{i}a.png").write_bytes(buffer.getvalue())
        lines.append(f"{i}a.png,{'Male' if i % 2 else 'female'}")
    (folder / "fei" / "labels.csv").write_text("\n".join(lines) + "\n")
    return folder


def test_images_become_18_by_15_grey_values(tmp_path: Path) -> None:
    table = obtain(SMALL, mirror=images(tmp_path), cache=tmp_path / "cache").table
    assert table.X.shape == (4, 270)
    np.testing.assert_array_equal(table.X[:, 0], 200)
    np.testing.assert_array_equal(table.X[:, 1:].std(axis=1), 0)
    np.testing.assert_array_equal(table.X[:, 1], [0, 10, 20, 30])
    assert table.labels == ("female", "male", "female", "male")


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"labels\.csv with the columns file and gender"):
        obtain(FEI, mirror=tmp_path / "none", cache=tmp_path / "cache")
    images(tmp_path)
    (tmp_path / "fei" / "2a.png").write_bytes(b"no image")
    with pytest.raises(DataError, match=r"2a\.png: not an image"):
        obtain(SMALL, mirror=tmp_path, cache=tmp_path / "cache")
    (tmp_path / "fei" / "2a.png").unlink()
    with pytest.raises(DataError, match=r"2a\.png: no such file"):
        obtain(SMALL, mirror=tmp_path, cache=tmp_path / "cache")
    (tmp_path / "fei" / "labels.csv").write_text("a,b\n1,2\n")
    with pytest.raises(DataError, match="found no columns file and gender"):
        obtain(SMALL, mirror=tmp_path, cache=tmp_path / "cache")
