"""Data and labels in files of their own, as UCI keeps MADELON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from marginfs.data.parsers.text import decode, rename, split_lines
from marginfs.data.table import Records
from marginfs.errors import DataError


def separate_labels(files: Sequence[bytes], *, labels: Mapping[str, str] | None = None) -> Records:
    """Read data and labels, separated by white space.

    Parameters
    ----------
    files : sequence of bytes
        Training data, training labels, then test data and labels.
    labels : mapping, optional
        Label in the file -> class.

    Returns
    -------
    Records
        Fields, labels and parts.
    """
    fields: list[list[str]] = []
    found: list[str] = []
    parts: list[int] = []
    for part, (data, label) in enumerate(zip(files[0::2], files[1::2], strict=True)):
        rows = split_lines(decode(data), sep=None)
        names = decode(label).split()
        if len(rows) != len(names):
            raise DataError(f"part {part} has {len(rows)} rows and {len(names)} labels.")
        fields += rows
        found += names
        parts += [part] * len(rows)
    return Records(fields=fields, labels=rename(found, labels), parts=parts)
