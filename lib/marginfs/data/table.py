"""What a source's file says: first as text records, then as a table of numbers with its labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from marginfs.errors import DataError
from marginfs.types import FloatArray, IntArray

MISSING = frozenset({"", "?", "NA", "NaN", "nan", "<null>"})


@dataclass(frozen=True)
class Records:
    """A parsed file before any meaning is given to it.

    Attributes
    ----------
    fields : sequence of sequence of str
        The feature fields of every row.
    labels : sequence of str
        The class of every row.
    parts : sequence of int, optional
        0 for rows of the published training part, 1 for those of the test part.
    """

    fields: Sequence[Sequence[str]]
    labels: Sequence[str]
    parts: Sequence[int] | None = None


@dataclass(frozen=True)
class Table:
    """Numbers and labels: the content that the SHA-256 of a data set stands for.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        Missing values are NaN, nominal text is replaced by the number of its level.
    labels : tuple of str
        The class of every row.
    parts : ndarray of int
        0 for rows of the published training part, 1 for those of the test part; all 0 where there are no parts.
    names : tuple of str
        Names of the columns.
    levels : mapping
        The text of the levels, for the columns that held text.
    """

    X: FloatArray
    labels: tuple[str, ...]
    parts: IntArray
    names: tuple[str, ...]
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def expand_names(pattern: str | Sequence[str], count: int) -> tuple[str, ...]:
    """Make the names of feature columns.

    Parameters
    ----------
    pattern : str or sequence of str
        The names themselves, or a pattern such as `pixel_{}`, numbered from 1.
    count : int
        How many columns there are.

    Returns
    -------
    tuple of str
        The names.
    """
    if isinstance(pattern, str):
        return tuple(pattern.format(i + 1) for i in range(count))
    return tuple(pattern)


def build_table(
    records: Records,
    names: str | Sequence[str],
    *,
    nominal: Sequence[str] = (),
    levels: Mapping[str, Sequence[str]] | None = None,
    decimals: int | None = None,
) -> Table:
    """Turn text records into numbers.

    Parameters
    ----------
    records : Records
        What a parser gave.
    names : str or sequence of str
        Names of the columns, or a pattern.
    nominal : sequence of str
        Columns that may hold text, which is then numbered in sorted order; every other column must hold numbers.
    levels : mapping, optional
        Columns that must hold these texts, numbered 0, 1, ... in this order.
    decimals : int, optional
        Round all values, for data whose sources print different numbers of digits.

    Returns
    -------
    Table
        Rows in the records' order.
    """
    if not records.fields:
        raise DataError("the file holds no data rows.")
    widths = {len(row) for row in records.fields}
    if len(widths) != 1:
        raise DataError(f"the rows have different numbers of fields ({min(widths)} to {max(widths)}).")
    width = widths.pop()
    column_names = expand_names(names, width)
    if len(column_names) != width:
        raise DataError(f"the file has {width} feature columns, {len(column_names)} were expected.")
    known = dict(levels or {})
    X = np.empty((len(records.fields), width))
    found: dict[str, tuple[str, ...]] = {}
    for j, (name, column) in enumerate(zip(column_names, zip(*records.fields, strict=True), strict=True)):
        if name in known:
            found[name] = tuple(known[name])
            X[:, j] = _level_codes(name, column, found[name])
            continue
        try:
            X[:, j] = [np.nan if text in MISSING else float(text) for text in column]
        except ValueError as error:
            if name not in nominal:
                raise DataError(f"column {name}: found text where a number belongs ({error}).") from None
            found[name] = tuple(sorted({text for text in column if text not in MISSING}))
            X[:, j] = _level_codes(name, column, found[name])
    if decimals is not None:
        X = np.array([round(value, decimals) for value in X.ravel().tolist()]).reshape(X.shape)
    parts = np.zeros(len(X), dtype=np.int64) if records.parts is None else np.array(records.parts, dtype=np.int64)
    return Table(X=X + 0.0, labels=tuple(records.labels), parts=parts, names=column_names, levels=found)


def _level_codes(name: str, column: Sequence[str], levels: Sequence[str]) -> list[float]:
    codes = {text: float(i) for i, text in enumerate(levels)}
    unknown = sorted(set(column) - set(codes) - MISSING)
    if unknown:
        raise DataError(f"column {name}: found {unknown[0]!r}; the levels are {', '.join(levels)}.")
    return [codes.get(text, np.nan) for text in column]
