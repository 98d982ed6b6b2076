"""The table of speed in README.md, made from the file that `make bench` wrote."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from marginfs.markdown import markdown_table

START, END = "<!-- benchmarks: made by `make bench-readme` -->", "<!-- end of benchmarks -->"


def markdown(table: pd.DataFrame) -> str:
    """The comparisons, a line each."""
    heads = ["problem", "marginfs", "the other way", "ratio", "target", "same answer?"]
    rows = [
        [
            f"{line.group}: {line.what}",
            _seconds(line.ours),
            f"{_seconds(line.theirs)}, {line.peer}",
            _ratio(line.ratio) + ("" if line.met == "yes" else " (missed)"),
            _ratio(line.target),
            line.quality,
        ]
        for line in table.itertuples(index=False)
    ]
    return markdown_table(heads, rows)


def with_table(text: str, table: pd.DataFrame) -> str:
    """The text with the table between its two marks."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n{markdown(table)}\n{END}{after}"


def update(source: Path, readme: Path) -> None:
    readme.write_text(with_table(readme.read_text(), pd.read_csv(source)))


def _seconds(value: float) -> str:
    if value >= 100.0:
        return f"{value:.0f} s"
    return f"{value:.2g} s" if value >= 0.1 else f"{1000 * value:.2g} ms"


def _ratio(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"
