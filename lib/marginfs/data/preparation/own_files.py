"""Reading a user's CSV or Parquet file: header checked, numbers parsed, one clear sentence for what is wrong."""

from __future__ import annotations

import csv
import difflib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from marginfs.data.table import MISSING
from marginfs.errors import DataError
from marginfs.types import FloatArray

SEPARATORS = {".csv": ",", ".txt": ",", ".tsv": "\t", ".tab": "\t"}


@dataclass(frozen=True)
class Raw:
    """A file's columns.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        Numbers, NaN where one is missing, codes in nominal columns.
    names : tuple of str
        Names of the columns.
    labels : tuple of str
        The target as text.
    levels : dict
        The texts behind the codes of nominal columns.
    """

    X: FloatArray
    names: tuple[str, ...]
    labels: tuple[str, ...]
    levels: dict[str, tuple[str, ...]]


def read_own(file: Path, target: str, *, drop: Sequence[str], nominal: frozenset[str], sep: str | None = None) -> Raw:
    """Read a file by its suffix: `.parquet` and `.pq` as Parquet, all else as separated text.

    Parameters
    ----------
    file : Path
        The file.
    target : str
        The label's column.
    drop : sequence of str
        Columns left out.
    nominal : frozenset of str
        Columns of names.
    sep : str, optional
        What separates fields; by the file's suffix if left out.

    Returns
    -------
    Raw
        The columns; DataError says in one sentence what is wrong.
    """
    if file.suffix.lower() in (".parquet", ".pq"):
        return _read_parquet(file, target, drop, nominal)
    return _read_csv(file, target, drop, nominal, sep or SEPARATORS.get(file.suffix.lower(), ","))


def _layout(file: Path, header: Sequence[str], target: str, drop: Sequence[str], nominal: frozenset[str]) -> list[int]:
    """Check the header; return the positions of the feature columns."""
    twice = [name for name, count in Counter(header).items() if count > 1]
    if twice:
        raise DataError(f"{file}: the column name {twice[0]!r} occurs more than once; give each column its own name.")
    for role, names in (("target", (target,)), ("drop", drop), ("nominal", sorted(nominal))):
        for name in names:
            if name not in header:
                near = [f"did you mean {other!r}? " for other in difflib.get_close_matches(name, header, n=1)]
                raise DataError(
                    f"{file}: {role}: no column is named {name!r}; {''.join(near)}the file has {some_of(header)}."
                )
    return [j for j, name in enumerate(header) if name != target and name not in set(drop)]


def _read_csv(file: Path, target: str, drop: Sequence[str], nominal: frozenset[str], sep: str) -> Raw:
    with _long_fields(), open(file, newline="", encoding="utf-8-sig") as stream:
        lines = csv.reader(stream, delimiter=sep)
        try:
            header = [name.strip() for name in next(lines, [])]
            if not header:
                raise DataError(f"{file}: the file is empty; the first line must name the columns.")
            keep = _layout(file, header, target, drop, nominal)
            names = tuple(header[j] for j in keep)
            rows: list[FloatArray] = []
            labels: list[str] = []
            texts: dict[str, list[str]] = {name: [] for name in names if name in nominal}
            where = header.index(target)
            for row in lines:
                if not row:
                    continue
                if len(row) != len(header):
                    raise DataError(f"{file}: line {lines.line_num} has {len(row)} fields, the header {len(header)}.")
                labels.append(row[where].strip())
                rows.append(_numbers(file, lines.line_num, [row[j] for j in keep], names, texts))
        except (UnicodeDecodeError, csv.Error) as error:
            raise DataError(f"{file}: not a text file in UTF-8 with separated fields ({error}).") from None
    if not rows:
        raise DataError(f"{file}: the file has a header but no rows.")
    return _finish(file, target, np.vstack(rows), names, labels, texts)


def _numbers(file: Path, line: int, cells: list[str], names: Sequence[str], texts: dict[str, list[str]]) -> FloatArray:
    """Turn one row's cells into numbers; nominal cells are put aside as text."""
    if not texts:
        try:
            return _finite(file, line, np.fromiter(map(_number, cells), np.float64, len(cells)), names)
        except ValueError:
            pass
    values = np.full(len(cells), np.nan)
    for j, (name, cell) in enumerate(zip(names, cells, strict=True)):
        cell = cell.strip()
        if name in texts:
            texts[name].append(cell)
        elif cell not in MISSING:
            try:
                values[j] = _number(cell)
            except ValueError:
                raise DataError(
                    f"{file}: line {line}, column {name!r}: found the text {cell[:40]!r} in a numeric column; "
                    "mend it, or name the column under `nominal` or `drop`."
                ) from None
    return _finite(file, line, values, names)


def _number(text: str) -> float:
    """Read a number as tables print it; unlike Python's own float, 1_000 is text."""
    if "_" in text:
        raise ValueError(text)
    return float(text)


def _finite(file: Path, line: int, values: FloatArray, names: Sequence[str]) -> FloatArray:
    if np.isinf(values).any():
        name = names[int(np.flatnonzero(np.isinf(values))[0])]
        raise DataError(f"{file}: line {line}, column {name!r}: found an infinite value.")
    return values


def _read_parquet(file: Path, target: str, drop: Sequence[str], nominal: frozenset[str]) -> Raw:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        header = list(pq.read_schema(file).names)
        keep = _layout(file, header, target, drop, nominal)
        frame = pq.read_table(file, use_threads=False)
    except (pa.ArrowException, OSError) as error:
        raise DataError(f"{file}: not a Parquet file ({str(error).splitlines()[0]}).") from None
    if frame.num_rows == 0:
        raise DataError(f"{file}: the file has no rows.")
    names = tuple(header[j] for j in keep)
    X = np.full((frame.num_rows, len(names)), np.nan)
    texts: dict[str, list[str]] = {}
    for k, j in enumerate(keep):
        column = frame.column(j)
        if names[k] in nominal:
            texts[names[k]] = ["" if value is None else str(value) for value in column.to_pylist()]
            continue
        if not (
            pa.types.is_integer(column.type) or pa.types.is_floating(column.type) or pa.types.is_boolean(column.type)
        ):
            raise DataError(
                f"{file}: column {names[k]!r} holds {column.type}, not numbers; name it under `nominal` or `drop`."
            )
        X[:, k] = [np.nan if value is None else float(value) for value in column.to_pylist()]
        if np.isinf(X[:, k]).any():
            raise DataError(f"{file}: column {names[k]!r}: found an infinite value.")
    labels = ["" if value is None else str(value) for value in frame.column(target).to_pylist()]
    return _finish(file, target, X, names, labels, texts)


def _finish(
    file: Path, target: str, X: FloatArray, names: tuple[str, ...], labels: list[str], texts: dict[str, list[str]]
) -> Raw:
    """Code the nominal texts by their sorted levels; every row needs a label."""
    if any(label in MISSING for label in labels):
        row = next(i for i, label in enumerate(labels) if label in MISSING)
        raise DataError(f"{file}: the target {target!r} is missing in row {row + 1}.")
    levels: dict[str, tuple[str, ...]] = {}
    for name, column in texts.items():
        levels[name] = tuple(sorted({text for text in column if text not in MISSING}))
        code = {text: float(i) for i, text in enumerate(levels[name])}
        X[:, names.index(name)] = [code.get(text, np.nan) for text in column]
    return Raw(X=X, names=names, labels=tuple(labels), levels=levels)


@contextmanager
def _long_fields() -> Iterator[None]:
    before = csv.field_size_limit(2**24)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def some_of(names: Sequence[str]) -> str:
    """List names for a message.

    Parameters
    ----------
    names : sequence of str
        Any number of names.

    Returns
    -------
    str
        The first eight, and how many more there are.
    """
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
