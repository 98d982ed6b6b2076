"""The `.cdt` files of clustered arrays, in which the lymphoma data were published."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from marginfs.data.parsers.text import decode
from marginfs.data.table import Records
from marginfs.errors import DataError


def clustered_arrays(files: Sequence[bytes], *, runs: Sequence[Sequence[Any]]) -> Records:
    """Read a `.cdt` file: genes in rows after EWEIGHT, arrays in the columns after GWEIGHT.

    Parameters
    ----------
    files : sequence of bytes
        One file.
    runs : sequence of pairs
        The classes of the arrays in the file's order, as (class, number of neighbours).

    Returns
    -------
    Records
        One row an array.
    """
    rows = [line.split("\t") for line in decode(files[0]).splitlines() if line.strip()]
    header = rows[0]
    first = header.index("GWEIGHT") + 1 if "GWEIGHT" in header else 0
    genes = [row for row in rows[1:] if row[0] not in ("AID", "EWEIGHT")]
    labels = [str(name) for name, count in runs for _ in range(int(count))]
    if not first or any(len(row) > first + len(labels) for row in genes):
        raise DataError(f"the file is not a cdt file of {len(labels)} arrays.")
    padded = [[text.strip() for text in row[first:]] + [""] * (first + len(labels) - len(row)) for row in genes]
    return Records(fields=[list(column) for column in zip(*padded, strict=True)], labels=labels)
