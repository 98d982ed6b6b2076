"""Lines of separated fields: CSV, tabs, white space, and the data section of ARFF and KEEL files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from marginfs.data.parsers.text import decode, rename, split_lines
from marginfs.data.table import Records
from marginfs.errors import DataError


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
    """Read lines of separated fields, the label in one of them.

    Parameters
    ----------
    files : sequence of bytes
        One file.
    sep : str or None
        What separates fields; None stands for white space.
    skip : int
        Number of header lines.
    after : str, optional
        Ignore all lines up to the one that starts so (`@data` of ARFF and KEEL files).
    fields : int, optional
        Keep only lines of so many fields.
    label : int
        The label's column, counted in the file.
    drop : sequence of int
        Columns left out, counted in the file.
    labels : mapping, optional
        Label in the file -> class.
    upper : bool
        Fold everything to upper case.
    complete : bool
        Leave out rows with a missing value.
    part_sizes : sequence of int
        Rows of the training part, then of the test part, where the file holds both.

    Returns
    -------
    Records
        Fields and labels as text.
    """
    rows = split_lines(decode(files[0]), sep=sep, skip=skip, after=after)
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
    if part_sizes and sum(part_sizes) != len(rows):
        raise DataError(f"the file has {len(rows)} rows, {sum(part_sizes)} were expected.")
    left_out = {index % width for index in (label, *drop)}
    keep = [j for j in range(width) if j not in left_out]
    return Records(
        fields=[[row[j] for j in keep] for row in rows],
        labels=rename([row[label] for row in rows], labels),
        parts=[part for part, size in enumerate(part_sizes) for _ in range(size)] or None,
    )
