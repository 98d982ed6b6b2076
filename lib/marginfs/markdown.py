"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table; bars and line breaks inside a cell do not break it.

    Parameters
    ----------
    header : sequence of str
        The names of the columns.
    rows : iterable of sequences
        The cells, as many in each row as the header has.

    Returns
    -------
    str
        The lines of the table, the last one without a line break.
    """
    lines = [_line(header), "|" + "---|" * len(header)]
    for row in rows:
        if len(row) != len(header):
            raise ValueError(f"a row of {len(row)} cells does not fit the header {list(header)}")
        lines.append(_line(row))
    return "\n".join(lines)


def _line(cells: Iterable[object]) -> str:
    return "| " + " | ".join(" ".join(str(cell).splitlines()).replace("|", r"\|") for cell in cells) + " |"
