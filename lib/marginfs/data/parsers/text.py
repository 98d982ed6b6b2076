"""What the parsers of text files share: decoding, lines as fields, and the names of labels."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence

from marginfs.errors import DataError


def decode(content: bytes) -> str:
    """Decode a file.

    Parameters
    ----------
    content : bytes
        The file, in UTF-8 or else Latin-1.

    Returns
    -------
    str
        Its text.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def split_lines(text: str, *, sep: str | None, skip: int = 0, after: str | None = None) -> list[list[str]]:
    """Split a text into lines of fields, leaving out empty lines and `%` comments.

    Parameters
    ----------
    text : str
        The file.
    sep : str or None
        What separates fields; None stands for white space.
    skip : int
        Number of header lines.
    after : str, optional
        Ignore all lines up to the one that starts so, in any case.

    Returns
    -------
    list of list of str
        The fields of every line.
    """
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


def rename(found: Sequence[str], labels: Mapping[str, str] | None) -> list[str]:
    """Give labels the names of the data set's classes.

    Parameters
    ----------
    found : sequence of str
        The labels in the file.
    labels : mapping, optional
        Label in the file -> class; as they are if left out.

    Returns
    -------
    list of str
        The classes.
    """
    if labels is None:
        return list(found)
    unknown = sorted(set(found) - set(labels))
    if unknown:
        raise DataError(f"found the label {unknown[0]!r}; the labels are {', '.join(labels)}.")
    return [labels[text] for text in found]
