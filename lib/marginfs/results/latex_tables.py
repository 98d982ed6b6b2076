"""Tables as LaTeX that fits a page: cells of several lines, and as many columns beside each other as the text is wide.

Widths are estimated from above, in signs of the font, so that no line of a document with a text width of 345 pt or
more (the article class) is overfull; wider tables go on below, and on the next page where one is not enough.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

import pandas as pd

from marginfs.results.layouts import MARKS, legend
from marginfs.results.report.grids import Entry, Grid, grid_of
from marginfs.study.table_specs import TableSpec

TEXT_WIDTH = 345.0
"""Points of a line."""
SIGN = 4.7
"""Points of a sign at 8 points, from above."""
GAP = 6.0
"""Points between two columns."""
LINES = 44
"""Lines of a table that fit on a page."""
HEAD = 12
"""Signs of a heading before it is broken."""
FIRST = 16
"""Signs of the name of a row before it is broken."""
SIGNS = {
    **{sign: rf"\{sign}" for sign in "%_&#{}$"},
    "\\": r"\textbackslash{}",
    "~": r"$\sim$",
    "=": "$=$",
    "^": r"\textasciicircum{}",
    "[": "{[}",
    "]": "{]}",
    "<": "$<$",
    ">": "$>$",
    "|": "$|$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "≤": r"$\leq$",
    "≈": r"$\approx$",
    "≠": r"$\neq$",
    "∈": r"$\in$",
    "–": "--",
    "“": "``",
    "”": "''",
    "²": r"$^2$",
    "γ": r"$\gamma$",
    "σ": r"$\sigma$",
    "µ": r"$\mu$",
    "‖": r"$\|$",
}

Lines = tuple[str, ...]
Column = tuple[Lines, tuple[Lines, ...]]
"""The lines of a heading, and those of every cell below it."""


def to_latex(table: pd.DataFrame, spec: TableSpec, text: str, label: str, published_trials: int) -> str:
    """Write a table in the paper's layout.

    Parameters
    ----------
    table : pandas.DataFrame
        The cells.
    spec : TableSpec
        The table.
    text : str
        Its caption.
    label : str
        What a document refers to it by.
    published_trials : int
        The repetitions behind a published number.

    Returns
    -------
    str
        LaTeX, for the package booktabs.
    """
    grid = grid_of(spec, table, published_trials)
    first: Column = (_broken(grid.corner, FIRST), tuple(_broken(row, FIRST) for row, _ in grid.rows))
    blocks = list(_blocks(first, _columns(grid)))
    height = sum(_height(first, block) for block in blocks)
    pages = [blocks] if height <= LINES else [[block] for block in blocks]
    parts = [
        _page(
            first, page, text if place == 0 else f"{text} (continued)", label if place == 0 else "", legend(table, spec)
        )
        for place, page in enumerate(pages)
    ]
    return "\n".join(parts)


def escape(text: str) -> str:
    """Write a text so that LaTeX prints it.

    Parameters
    ----------
    text : str
        The text.

    Returns
    -------
    str
        LaTeX.
    """
    return "".join(SIGNS.get(sign, sign) for sign in text)


def _columns(grid: Grid) -> list[Column]:
    """One column per column of the paper and metric."""
    columns = []
    for place, name in enumerate(grid.columns):
        cells = [{entry.heading: entry for entry in row[place]} for _, row in grid.rows]
        for heading in dict.fromkeys(heading for cell in cells for heading in cell):
            head = _broken(f"{name}: {heading}" if heading else name, HEAD)
            columns.append((head, tuple(_cell(cell.get(heading)) for cell in cells)))
    return columns


def _cell(entry: Entry | None) -> Lines:
    if entry is None:
        return ("",)
    theirs = f"[{entry.theirs}]" if entry.theirs else ""
    draws = f"{{{entry.draws}}}" if entry.draws else ""
    lines = [line for line in (entry.ours, theirs, draws) if line] or [""]
    lines[-1] = f"{lines[-1]} {MARKS[entry.verdict]}".strip()
    return tuple(lines)


def _broken(text: str, width: int) -> Lines:
    return tuple(textwrap.wrap(text, width, break_long_words=False)) or ("",)


def _width(column: Column) -> float:
    head, cells = column
    return GAP + SIGN * max(len(line) for lines in (head, *cells) for line in lines)


def _blocks(first: Column, columns: Sequence[Column]) -> Iterable[list[Column]]:
    """As many columns beside each other as fit."""
    block: list[Column] = []
    for column in columns:
        if block and _width(first) + sum(map(_width, [*block, column])) > TEXT_WIDTH:
            yield block
            block = []
        block.append(column)
    if block:
        yield block


def _height(first: Column, block: Sequence[Column]) -> int:
    rows = zip(*([first[0], *first[1]], *([column[0], *column[1]] for column in block)), strict=True)
    return 2 + sum(max(map(len, row)) for row in rows)


def _page(first: Column, blocks: Sequence[Sequence[Column]], text: str, label: str, explained: str) -> str:
    lines = [r"\begin{table}", r"\centering\footnotesize\setlength{\tabcolsep}{3pt}", rf"\caption{{{escape(text)}}}"]
    lines += [rf"\label{{tab:{label}}}"] if label else []
    for block in blocks:
        lines += [*_tabular(first, block), r"\par\medskip"]
    return "\n".join([*lines, rf"\parbox{{\linewidth}}{{\raggedright {escape(explained)}}}", r"\end{table}", ""])


def _tabular(first: Column, block: Sequence[Column]) -> list[str]:
    columns = [first, *block]
    rows = [[column[1][place] for column in columns] for place in range(len(first[1]))]
    return [
        rf"\begin{{tabular}}{{@{{}}{'l' * len(columns)}@{{}}}}",
        r"\toprule",
        " & ".join(_stacked(column[0]) for column in columns) + r" \\",
        r"\midrule",
        *(" & ".join(map(_stacked, row)) + r" \\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]


def _stacked(lines: Lines) -> str:
    texts = [escape(line) for line in lines]
    if len(texts) == 1:
        return texts[0]
    return r"\begin{tabular}[t]{@{}l@{}}" + r" \\ ".join(texts) + r"\end{tabular}"
