"""The cache folder: verified tables and downloaded packages, which jobs of all runs share."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from marginfs.data.dataset import npz_bytes
from marginfs.data.table import Table
from marginfs.errors import DataError
from marginfs.files import write_bytes

CACHE_VARIABLE = "MARGINFS_CACHE"


def cache_folder() -> Path:
    """Find the cache folder.

    Returns
    -------
    Path
        The folder that the environment variable MARGINFS_CACHE names, else one in the user's cache folder.
    """
    import pooch

    return Path(os.environ.get(CACHE_VARIABLE) or pooch.os_cache("marginfs"))


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Let one process at a time pass, so that two jobs do not download the same file; a dead process holds no lock.

    Where system or file system has no flock, nobody waits: the atomic renames alone keep the cache whole.

    Parameters
    ----------
    path : Path
        The lock's file.

    Yields
    ------
    None
        While the lock is held.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    except OSError as error:
        raise DataError(
            f"cache folder {path.parent}: {error.strerror}; set {CACHE_VARIABLE} to a folder that can be written."
        ) from None
    with open(path, "ab") as lock:
        with suppress(ImportError, OSError):
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def write_table(place: Path, table: Table, source: str) -> None:
    """Keep a verified table.

    Parameters
    ----------
    place : Path
        The file.
    table : Table
        What to keep.
    source : str
        Where it came from.
    """
    head = {"source": source, "levels": dict(table.levels), "labels": table.labels}
    write_bytes(place, npz_bytes({"X": table.X, "parts": table.parts, "head": np.array(json.dumps(head))}))


def read_table(place: Path, names: tuple[str, ...]) -> tuple[Table, str]:
    """Read a table that `write_table` wrote; the caller verifies its content.

    Parameters
    ----------
    place : Path
        The file.
    names : tuple of str
        Names of the columns.

    Returns
    -------
    table : Table
        What was kept.
    source : str
        Where it first came from.
    """
    try:
        with np.load(place, allow_pickle=False) as npz:
            head = json.loads(str(npz["head"]))
            table = Table(
                X=npz["X"],
                labels=tuple(head["labels"]),
                parts=npz["parts"],
                names=names,
                levels={column: tuple(texts) for column, texts in head["levels"].items()},
            )
            return table, str(head["source"])
    except Exception as error:
        raise DataError(f"the file is damaged ({type(error).__name__}).") from None
