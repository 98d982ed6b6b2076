"""One byte form of a table, so that every source of the same data has the same SHA-256.

Sources differ in row order (mafese's sonar is shuffled), in digits printed (0.0200 or 0.02) and in the names of the
classes. The parser gives the classes one name, parsing gives the numbers one value, and here the rows get one order:
by part, then ascending by the first column, ties by the next column and so on, at last by label; a missing value comes
after all numbers. Rows that are still tied are equal, so their order does not matter.
"""

from __future__ import annotations

import hashlib
import json

import numpy as np

from marginfs.data.table import Table

FORMAT = b"marginfs-table-1\n"
CANONICAL_NAN = np.float64("nan")


def canonical_order(table: Table) -> Table:
    """Sort the rows of a table.

    Parameters
    ----------
    table : Table
        Rows in any order.

    Returns
    -------
    Table
        Rows in the canonical order.
    """
    labels = np.array(table.labels, dtype=np.str_)
    keys = np.where(np.isnan(table.X), np.inf, table.X)
    order = np.lexsort((labels, *keys.T[::-1], table.parts))
    return Table(
        X=table.X[order],
        labels=tuple(labels[order].tolist()),
        parts=table.parts[order],
        names=table.names,
        levels=table.levels,
    )


def content_bytes(table: Table) -> bytes:
    """Write a table in its one byte form.

    Parameters
    ----------
    table : Table
        Rows in any order.

    Returns
    -------
    bytes
        Shape, labels, parts and levels as JSON, then the matrix as little-endian doubles; names stay out.
    """
    table = canonical_order(table)
    position = {name: j for j, name in enumerate(table.names)}
    head = {
        "shape": list(table.X.shape),
        "labels": list(table.labels),
        "parts": table.parts.tolist(),
        "levels": {str(position[name]): list(texts) for name, texts in table.levels.items()},
    }
    matrix = np.where(np.isnan(table.X), CANONICAL_NAN, table.X + 0.0).astype("<f8")
    return FORMAT + json.dumps(head, sort_keys=True).encode() + b"\n" + matrix.tobytes()


def content_hash(table: Table) -> str:
    """Hash the content of a table.

    Parameters
    ----------
    table : Table
        Rows in any order.

    Returns
    -------
    str
        The SHA-256 of the canonical bytes, in hexadecimal.
    """
    return hashlib.sha256(content_bytes(table)).hexdigest()
