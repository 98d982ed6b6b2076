"""A prepared data set, and the `.npz` file in which it travels from the preparing job to the unit jobs (numpy only)."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from marginfs.errors import DataError
from marginfs.files import write_bytes, write_text
from marginfs.types import FloatArray, IntArray

NO_SPLITS: IntArray = np.empty((0, 0), dtype=np.int64)
ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Dataset:
    """Rows and labels ready for splitting and standardising.

    A data set without rows stands for one that could not be obtained; meta['reason'] says why.

    Attributes
    ----------
    name : str
        The data set.
    X : ndarray of shape (n, d)
        The points.
    y : ndarray of int
        Labels -1 and +1 where there are two classes, else 0, 1, 2, ...
    feature_names : tuple of str
        Names of the columns.
    target_names : tuple of str
        Names of the classes in the order of their labels.
    train : ndarray of int
        Training rows of the fixed splits that come with the data, one split a row; empty where there are none.
    test : ndarray of int
        Their test rows.
    meta : mapping
        Title, content hash, choices, missing values, notes, and count and training size of the published splits
        (`realisations`), as JSON types.
    """

    name: str
    X: FloatArray
    y: IntArray
    feature_names: tuple[str, ...]
    target_names: tuple[str, ...]
    train: IntArray = field(default_factory=lambda: NO_SPLITS)
    test: IntArray = field(default_factory=lambda: NO_SPLITS)
    meta: Mapping[str, Any] = field(default_factory=dict)

    @property
    def available(self) -> bool:
        """Whether there is any data.

        Returns
        -------
        bool
            False for the stand-in of a data set that could not be obtained.
        """
        return len(self.y) > 0

    def class_counts(self) -> dict[str, int]:
        """Count the rows of each class.

        Returns
        -------
        dict
            Class -> number of rows.
        """
        values = (-1, 1) if len(self.target_names) == 2 else range(len(self.target_names))
        return {name: int(np.sum(self.y == v)) for name, v in zip(self.target_names, values, strict=True)}


@dataclass(frozen=True)
class Provenance:
    """Where a data set came from on this machine: kept beside the data set, so that its bytes are the same everywhere.

    Attributes
    ----------
    name : str
        The data set.
    status : {"ok", "missing"}
        Whether it could be obtained.
    source : str
        Where it came from.
    sha256 : str
        Its content hash.
    splits_source : str
        Where its published splits came from.
    failures : tuple of str
        One line for each source tried in vain.
    reason : str
        The whole message if it is missing.
    """

    name: str
    status: str
    source: str = ""
    sha256: str = ""
    splits_source: str = ""
    failures: tuple[str, ...] = ()
    reason: str = ""


def save_provenance(path: str | Path, provenance: Provenance) -> None:
    """Write a provenance as JSON.

    Parameters
    ----------
    path : path
        The file.
    provenance : Provenance
        What to write.
    """
    write_text(path, json.dumps(asdict(provenance), indent=2, ensure_ascii=False) + "\n")


def load_provenance(path: str | Path) -> Provenance:
    """Read what `save_provenance` wrote.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    Provenance
        What was written.
    """
    raw = json.loads(Path(path).read_text(encoding="utf-8"))
    return Provenance(**{**raw, "failures": tuple(raw["failures"])})


def unavailable(name: str, reason: str) -> tuple[Dataset, Provenance]:
    """Make the stand-in for a data set that could not be obtained, so that everything else can be built.

    Parameters
    ----------
    name : str
        The data set.
    reason : str
        One sentence, then one line for each source tried in vain.

    Returns
    -------
    dataset : Dataset
        Without rows.
    provenance : Provenance
        With the reason.
    """
    empty = Dataset(
        name=name,
        X=np.empty((0, 0)),
        y=np.empty(0, dtype=np.int64),
        feature_names=(),
        target_names=(),
        meta={"reason": reason},
    )
    lines = tuple(line.removeprefix("  - ") for line in reason.splitlines()[1:])
    return empty, Provenance(name=name, status="missing", failures=lines, reason=reason)


def save_dataset(path: str | Path, dataset: Dataset) -> None:
    """Write a data set so that equal content gives equal bytes; the file appears whole or not at all.

    Parameters
    ----------
    path : path
        The file.
    dataset : Dataset
        What to write.
    """
    arrays = {
        "X": dataset.X,
        "y": dataset.y,
        "feature_names": np.array(dataset.feature_names, dtype=np.str_),
        "target_names": np.array(dataset.target_names, dtype=np.str_),
        "train": dataset.train,
        "test": dataset.test,
        "name": np.array(dataset.name),
        "meta": np.array(json.dumps(dataset.meta, sort_keys=True, ensure_ascii=False)),
    }
    write_bytes(path, npz_bytes(arrays))


def load_dataset(path: str | Path) -> Dataset:
    """Read what `save_dataset` wrote.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    Dataset
        What was written.
    """
    try:
        with np.load(path, allow_pickle=False) as npz:
            return Dataset(
                name=str(npz["name"]),
                X=npz["X"],
                y=npz["y"],
                feature_names=tuple(npz["feature_names"].tolist()),
                target_names=tuple(npz["target_names"].tolist()),
                train=npz["train"],
                test=npz["test"],
                meta=json.loads(str(npz["meta"])),
            )
    except FileNotFoundError:
        raise DataError(f"{path}: no such file; run the rule that prepares this data set.") from None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise DataError(f"{path}: not a prepared data set ({error}); delete the file and prepare it again.") from None


def npz_bytes(arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    """Make an uncompressed npz archive; unlike numpy's own, its bytes depend on nothing but the arrays.

    Parameters
    ----------
    arrays : mapping
        Name -> array.

    Returns
    -------
    bytes
        The archive.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for key in sorted(arrays):
            member = io.BytesIO()
            np.lib.format.write_array(member, np.asarray(arrays[key], order="C"), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{key}.npy", ZIP_EPOCH), member.getvalue())
    return buffer.getvalue()
