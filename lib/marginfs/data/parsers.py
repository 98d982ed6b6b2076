"""One function per file format: the bytes of a source's files in, text records out.

A parser is named by the key `format` of config/datasets.yaml, the other keys beside it are its options. Labels leave a
parser under the name that the data set's `classes` gives them (option `labels`: text in the file -> class name).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from marginfs.data.faces import faces
from marginfs.data.table import Records
from marginfs.errors import ConfigError, DataError

Parser = Callable[..., Records]


def parse(files: Sequence[bytes], options: Mapping[str, Any]) -> Records:
    """Run the parser that `options['format']` names on the source's files."""
    arguments = dict(options)
    name = arguments.pop("format", "delimited")
    if name not in PARSERS:
        raise ConfigError(f"format: found {name!r}; write one of {', '.join(sorted(PARSERS))}.")
    return PARSERS[name](list(files), **arguments)


def delimited(
    files: Sequence[bytes],
    *,
    sep: str | None = ",",
    skip: int = 0,
    after: str | None = None,
    fields: int | None = None,
    label: int = -1,
    drop: Sequence[int] = (),
    labels: Mapping[str, str] | None = None,
    upper: bool = False,
    complete: bool = False,
    part_sizes: Sequence[int] = (),
) -> Records:
    """Read lines of separated fields (CSV, tab, or white space with `sep: null`), the label in one of them.

    skip: header lines; after: ignore all lines up to the one that starts so (`@data` of ARFF and KEEL files).
    fields: keep only lines of so many fields; drop: columns left out, counted in the file; upper: fold the case.
    complete: leave out rows with a missing value; part_sizes: rows of the training part, then of the test part.
    """
    rows = _split_lines(_text(files[0]), sep, skip, after)
    if fields is not None:
        rows = [row for row in rows if len(row) == fields]
    if complete:
        rows = [row for row in rows if "?" not in row]
    if upper:
        rows = [[text.upper() for text in row] for row in rows]
    if not rows:
        raise DataError("the file holds no data rows.")
    width = len(rows[0])
    other = next((row for row in rows if len(row) != width), None)
    if other is not None:
        raise DataError(f"the first line has {width} fields, another one {len(other)}.")
    left_out = {index % width for index in (label, *drop)}
    keep = [j for j in range(width) if j not in left_out]
    found = [row[label] for row in rows]
    kept = [[row[j] for j in keep] for row in rows]
    if part_sizes and sum(part_sizes) != len(rows):
        raise DataError(f"the file has {len(rows)} rows, {sum(part_sizes)} were expected.")
    parts = [part for part, size in enumerate(part_sizes) for _ in range(size)] or None
    return Records(fields=kept, labels=_rename(found, labels), parts=parts)


def separate_labels(files: Sequence[bytes], *, labels: Mapping[str, str] | None = None) -> Records:
    """Read MADELON as UCI keeps it: training data, training labels, then validation data and labels, by white space."""
    fields: list[list[str]] = []
    found: list[str] = []
    parts: list[int] = []
    for part, (data, label) in enumerate(zip(files[0::2], files[1::2], strict=True)):
        rows = _split_lines(_text(data), None, 0, None)
        names = _text(label).split()
        if len(rows) != len(names):
            raise DataError(f"part {part} has {len(rows)} rows and {len(names)} labels.")
        fields += rows
        found += names
        parts += [part] * len(rows)
    return Records(fields=fields, labels=_rename(found, labels), parts=parts)


def princeton_colon(files: Sequence[bytes]) -> Records:
    """Read Alon's pages: a matrix of genes x tissues, and the tissues, where a minus sign marks a tumour."""
    matrix, tissues = (re.findall(_NUMBER, re.sub(r"<[^>]*>", " ", _text(page))) for page in files)
    if not tissues or not matrix or len(matrix) % len(tissues):
        raise DataError(f"found {len(matrix)} numbers for {len(tissues)} tissues.")
    samples = [matrix[i :: len(tissues)] for i in range(len(tissues))]
    return Records(fields=samples, labels=["tumour" if sign.startswith("-") else "normal" for sign in tissues])


def clustered_arrays(files: Sequence[bytes], *, runs: Sequence[Sequence[Any]]) -> Records:
    """Read a `.cdt` file of clustered arrays: genes in rows after EWEIGHT, arrays in the columns after GWEIGHT.

    runs: the classes of the arrays in the file's order, as (class, number of neighbours) pairs.
    """
    rows = [line.split("\t") for line in _text(files[0]).splitlines() if line.strip()]
    header = rows[0]
    first = header.index("GWEIGHT") + 1 if "GWEIGHT" in header else 0
    genes = [row for row in rows[1:] if row[0] not in ("AID", "EWEIGHT")]
    labels = [str(name) for name, count in runs for _ in range(int(count))]
    if not first or any(len(row) > first + len(labels) for row in genes):
        raise DataError(f"the file is not a cdt file of {len(labels)} arrays.")
    padded = [[text.strip() for text in row[first:]] + [""] * (first + len(labels) - len(row)) for row in genes]
    return Records(fields=[list(column) for column in zip(*padded, strict=True)], labels=labels)


def australian_join(files: Sequence[bytes]) -> Records:
    """Rebuild Statlog's Australian credit file from KEEL's copy and the crx file that it was made from.

    KEEL lost the decimal points of columns 2, 3 and 7 (22.08 became 2208); crx has them, as A2, A3 and A8, in another
    row order and with other codes. A row of crx belongs to a KEEL row if the digits of the three columns and the plain
    numbers (A11, A14, A15 + 1) agree; where crx lacks a value, KEEL's own stands: A2 has two decimals, A14 none.
    """
    keel = _split_lines(_text(files[0]), ",", 0, None)
    crx = _split_lines(_text(files[1]), "\t", 3, None)
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


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _split_lines(text: str, sep: str | None, skip: int, after: str | None) -> list[list[str]]:
    lines = text.splitlines()[skip:]
    if after is not None:
        start = next((i for i, line in enumerate(lines) if line.lower().startswith(after)), None)
        if start is None:
            raise DataError(f"the file has no line that starts with {after}.")
        lines = lines[start + 1 :]
    lines = [line for line in lines if line.strip() and not line.startswith("%")]
    if sep is None:
        return [line.split() for line in lines]
    return [[cell.strip().strip("'") for cell in row] for row in csv.reader(lines, delimiter=sep)]


def _rename(found: Sequence[str], labels: Mapping[str, str] | None) -> list[str]:
    if labels is None:
        return list(found)
    unknown = sorted(set(found) - set(labels))
    if unknown:
        raise DataError(f"found the label {unknown[0]!r}; the labels are {', '.join(labels)}.")
    return [labels[text] for text in found]


_NUMBER = r"(?<![\w.+-])[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?(?![\w.])"

PARSERS: dict[str, Parser] = {
    "delimited": delimited,
    "separate_labels": separate_labels,
    "princeton_colon": princeton_colon,
    "clustered_arrays": clustered_arrays,
    "australian_join": australian_join,
    "faces": faces,
}
