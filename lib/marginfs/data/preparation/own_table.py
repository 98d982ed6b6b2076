"""A user's own table: a CSV or Parquet file and the name of its target column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from marginfs.data.canonical import content_hash
from marginfs.data.dataset import Dataset, Provenance
from marginfs.data.preparation.columns import Columns, drop_constant, fill_missing, one_hot
from marginfs.data.preparation.own_files import Raw, read_own, some_of
from marginfs.data.table import Table
from marginfs.errors import DataError
from marginfs.types import IntArray

LARGEST, SMALLEST = 1e140, 1e-140
"""Beyond these, sums of squares leave the range of floating-point numbers."""
Missing = Literal["error", "mean", "median", "train_mean", "drop_rows"]


def load_own(
    path: str | Path,
    target: str,
    *,
    name: str | None = None,
    positive: str | None = None,
    drop: Sequence[str] = (),
    nominal: Sequence[str] = (),
    missing: Missing = "error",
    multiclass: bool = False,
    sep: str | None = None,
) -> tuple[Dataset, Provenance]:
    """Read a table with a header line, one row a sample, into the structure that all other data sets have.

    The rows keep their order.

    Parameters
    ----------
    path : path
        A CSV or Parquet file.
    target : str
        The label's column.
    name : str, optional
        What the data set is called; the file's name if left out.
    positive : str, optional
        The class to set against all others, needed where there are more than two and `multiclass` is false.
    drop : sequence of str
        Columns left out.
    nominal : sequence of str
        Columns of names, which become 0/1 columns.
    missing : {"error", "mean", "median", "train_mean", "drop_rows"}
        What to do with empty cells.
    multiclass : bool
        Whether the label may have more than two classes.
    sep : str, optional
        What separates fields; by the file's suffix if left out.

    Returns
    -------
    dataset : Dataset
        Ready for splitting and standardising.
    provenance : Provenance
        Where it came from; DataError says in one sentence what is wrong with the file.
    """
    file = Path(path)
    if not file.is_file():
        raise DataError(f"{file}: no such file; write the path of a CSV or Parquet file.")
    raw = read_own(file, target, drop=drop, nominal=frozenset(nominal), sep=sep)
    if not raw.names:
        raise DataError(f"{file}: no feature column is left beside the target {target!r}.")
    _check_missing(file, raw, missing)
    _check_scales(file, raw)
    _check_counters(file, raw)
    kept = ~np.isnan(raw.X).any(axis=1) if missing == "drop_rows" else np.ones(len(raw.labels), dtype=bool)
    labels = tuple(np.array(raw.labels, dtype=object)[kept].tolist())
    y, target_names = _classes(file, target, labels, positive, multiclass)
    table = Table(raw.X, raw.labels, np.zeros(len(raw.labels), dtype=np.int64), raw.names, raw.levels)
    columns = Columns(X=raw.X[kept], names=raw.names, nominal=frozenset(nominal), levels=raw.levels)
    if nominal:
        columns = one_hot(columns)
        _check_new_names(file, columns.names)
    if missing != "error":
        columns = fill_missing(columns, missing)
    columns = drop_constant(columns)
    if not columns.names:
        raise DataError(f"{file}: every feature column has one value in all rows.")
    sha256 = content_hash(table)
    dataset = Dataset(
        name=name or file.stem,
        X=np.ascontiguousarray(columns.X),
        y=y,
        feature_names=columns.names,
        target_names=target_names,
        meta={
            "title": file.name,
            "sha256": sha256,
            "choices": {"missing": missing, "target": target},
            "missing": int(np.isnan(raw.X).sum()),
            "notes": list(columns.notes),
        },
    )
    return dataset, Provenance(name=dataset.name, status="ok", source=str(file), sha256=sha256)


def _classes(
    file: Path, target: str, labels: Sequence[str], positive: str | None, multiclass: bool
) -> tuple[IntArray, tuple[str, ...]]:
    """Turn the target's texts into -1/+1 or 0, 1, 2, ...; every class needs two rows or more."""
    names = sorted(set(labels))
    if len(names) < 2:
        raise DataError(f"{file}: the target {target!r} has {len(names)} class; at least two are needed.")
    groups = list(labels)
    if positive is not None:
        if positive not in names:
            raise DataError(f"{file}: positive: found {positive!r}; the target {target!r} has {some_of(names)}.")
        others = [name for name in names if name != positive]
        names = [others[0] if len(others) == 1 else f"not {positive}", positive]
        groups = [label if label == positive else names[0] for label in labels]
    elif len(names) > 2 and not multiclass:
        raise DataError(
            f"{file}: the target {target!r} has {len(names)} classes ({some_of(names)}) where two are needed; "
            "write `positive: NAME` to set one against the others, or `multiclass: true` to keep them all."
        )
    counts = Counter(groups)
    rare = min(names, key=lambda name: counts[name])
    if counts[rare] < 2:
        raise DataError(f"{file}: the class {rare!r} of {target!r} has fewer than two rows.")
    values = (-1, 1) if len(names) == 2 else range(len(names))
    code = dict(zip(names, values, strict=True))
    return np.array([code[group] for group in groups], dtype=np.int64), tuple(names)


def _check_scales(file: Path, raw: Raw) -> None:
    """Refuse columns whose squares leave the range of numbers: their standard deviation would be infinite or zero."""
    for name, column in zip(raw.names, raw.X.T, strict=True):
        extreme = np.abs(column[~np.isnan(column) & (column != 0.0)])
        if extreme.size and (extreme.max() > LARGEST or extreme.max() < SMALLEST):
            found = f"the largest value is {extreme.max():g}"
            raise DataError(f"{file}: column {name!r}: {found}, too extreme to compute with; write it in another unit.")


def _check_new_names(file: Path, names: Sequence[str]) -> None:
    """Refuse a file in which a nominal column's 0/1 columns would have the name of another column."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise DataError(
            f"{file}: the nominal columns give a second column named {twice[0]!r}; rename the one in the file."
        )


def _check_counters(file: Path, raw: Raw) -> None:
    """Refuse a column that numbers the rows: where these are sorted by class, it would be the best feature."""
    rows = np.arange(len(raw.labels))
    for name, column in zip(raw.names, raw.X.T, strict=True):
        if len(rows) >= 10 and name not in raw.levels and np.array_equal(column - column[0], rows):
            raise DataError(f"{file}: column {name!r} only numbers the rows; name it under `drop`.")


def _check_missing(file: Path, raw: Raw, missing: Missing) -> None:
    holes = np.isnan(raw.X)
    empty = np.flatnonzero(holes.all(axis=0))
    if len(empty):
        raise DataError(f"{file}: column {raw.names[empty[0]]!r} is empty; name it under `drop`.")
    if missing == "error" and holes.any():
        row, column = np.argwhere(holes)[0]
        raise DataError(
            f"{file}: {int(holes.sum())} values are missing, the first in row {row + 1}, column {raw.names[column]!r}; "
            "write `missing: mean`, median, train_mean or drop_rows."
        )
