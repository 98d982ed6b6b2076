"""Statlog's Australian credit file, rebuilt from two copies that each lost something."""

from __future__ import annotations

from collections.abc import Sequence

from marginfs.data.parsers.text import decode, split_lines
from marginfs.data.table import Records
from marginfs.errors import DataError


def australian_join(files: Sequence[bytes]) -> Records:
    """Rebuild the file from KEEL's copy and the crx file that it was made from.

    KEEL lost the decimal points of columns 2, 3 and 7 (22.08 became 2208); crx has them, as A2, A3 and A8, in another
    row order and with other codes. A row of crx belongs to a KEEL row if the digits of the three columns and the plain
    numbers (A11, A14, A15 + 1) agree; where crx lacks a value, KEEL's own stands: A2 has two decimals, A14 none.

    Parameters
    ----------
    files : sequence of bytes
        KEEL's file and crx.tab.

    Returns
    -------
    Records
        The rows in KEEL's order.
    """
    keel = split_lines(decode(files[0]), sep=",")
    crx = split_lines(decode(files[1]), sep="\t", skip=3)
    waiting: dict[tuple[str, ...], list[list[str]]] = {}
    for row in crx:
        key = (_digits(row[2]), _digits(row[7]), _whole(row[10]), str(int(row[14]) + 1), "1" if row[15] == "+" else "0")
        waiting.setdefault(key, []).append(row)
    fields: list[list[str]] = []
    for row in keel:
        key = (_digits(row[2]), _digits(row[6]), _whole(row[9]), _whole(row[13]), row[14])
        partner = _partner(row, waiting.get(key, []))
        age = f"{float(row[1]) / 100:.2f}" if partner[1] == "?" else partner[1]
        fields.append([row[0], age, partner[2], *row[3:6], partner[7], *row[7:14]])
    return Records(fields=fields, labels=[row[14] for row in keel])


def _partner(row: Sequence[str], candidates: list[list[str]]) -> list[str]:
    """Take out of `candidates` the crx row that agrees in age (A2) and postcode (A14), known values before missing."""
    age, post = _digits(row[1]), float(row[12])
    agreeing = [
        c for c in candidates if (c[1] == "?" or _digits(c[1]) == age) and (c[13] == "?" or float(c[13]) == post)
    ]
    if not agreeing:
        raise DataError(f"no row of crx belongs to the KEEL row {','.join(row)}.")
    chosen = min(agreeing, key=lambda c: (c[1] == "?") + (c[13] == "?"))
    candidates.remove(chosen)
    return chosen


def _digits(text: str) -> str:
    """Return the significant digits of a decimal number, as KEEL's copy has them: 0.165 -> 165, 11.46 -> 1146."""
    return text.removesuffix(".0").replace(".", "").lstrip("0").rstrip("0") if text != "?" else text


def _whole(text: str) -> str:
    return str(int(float(text)))
