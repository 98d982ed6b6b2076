"""Measures as CSV: written by the unit jobs, without pandas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any

import numpy as np


def to_csv(header: list[str], rows: Iterable[list[Any]]) -> str:
    """Write measures as text; floats are written so that reading gives the same bits back.

    Parameters
    ----------
    header : list of str
        The columns; the last one holds the value.
    rows : iterable of list
        One measure each.

    Returns
    -------
    str
        CSV.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    for row in rows:
        if len(row) != len(header) or not np.isfinite(row[-1]):
            raise ValueError(f"a measurement does not fit the columns {header}: {row}")
        writer.writerow(row)
    return text.getvalue()
