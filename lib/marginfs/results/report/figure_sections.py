"""One figure of a report: its pictures, and what it shows in words."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from marginfs.results.report.result_files import ResultFiles
from marginfs.results.report.sections import FigureSection, Note


def figure_section(
    key: str,
    number: str,
    spec: Mapping[str, Any],
    files: ResultFiles,
    reference: ResultFiles | None = None,
    notes: tuple[Note, ...] = (),
) -> FigureSection:
    """Gather what a report shows of one figure.

    Parameters
    ----------
    key, number : str
        The paper, and the figure's number there.
    spec : mapping
        The figure, as the protocol has it.
    files, reference : ResultFiles
        The results; those of the full run where they stand beside.
    notes : tuple of Note
        What is known about it.

    Returns
    -------
    FigureSection
        The figure.
    """
    curves = files.figures / f"figure_{number}.csv"
    return FigureSection(
        number=number,
        title=spec["title"],
        alt=f"Figure {number} of {key}: {spec['title']}.{_drawn(curves)}",
        picture=files.figure(number),
        full=reference.figure(number) if reference else None,
        file=f"figures/{key}/figure_{number}.csv",
        notes=notes,
    )


def _drawn(path: Path) -> str:
    """The panels and curves of a figure, in words."""
    if not path.exists():
        return ""
    header = pd.read_csv(path, nrows=0).columns
    parts = []
    for column, words in (("panel", "Panels"), ("curve", "Curves")):
        if column in header:
            names = list(dict.fromkeys(pd.read_csv(path, usecols=[column], dtype=str)[column].dropna()))
            parts.append(f" {words}: {', '.join(names[:12])}{' and others' if len(names) > 12 else ''}.")
    return "".join(parts)
