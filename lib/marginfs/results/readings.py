"""Other readings of a paper beside the default one: what they are called, and which cells they change."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from marginfs.markdown import markdown_table
from marginfs.results.verdicts import VERDICTS
from marginfs.study.runs import split_run

PLACE = ["table", "row", "column", "metric"]
COLUMNS = ["reading", "cells", *VERDICTS, "changed", "changed_cells"]
DEFAULT = "default"


def reading_text(reading: Mapping[str, Any] | None) -> str:
    """Name what is not the default.

    Parameters
    ----------
    reading : mapping or None
        Choice or `seed` -> its value, those that are not the default.

    Returns
    -------
    str
        A sentence that starts with a space, or nothing.
    """
    made = ", ".join(f"{name} = {_as_yaml(value)}" for name, value in (reading or {}).items())
    return f" Not the default reading: {made}." if made else ""


def read_cells(paths: Iterable[str | Path]) -> pd.DataFrame:
    """Read the cells of several tables.

    Parameters
    ----------
    paths : iterable of paths
        Files table_<number>.csv.

    Returns
    -------
    pandas.DataFrame
        Their lines, with the column `table`.
    """
    parts = [
        pd.read_csv(path, dtype={"row": str, "column": str}).assign(table=Path(path).stem.removeprefix("table_"))
        for path in paths
    ]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=[*PLACE, "verdict"])


def read_readings(paths: Iterable[str | Path]) -> dict[str, pd.DataFrame]:
    """Read the cells of one paper in several runs.

    Parameters
    ----------
    paths : iterable of paths
        Files <run>/tables/<paper>/table_<number>.csv.

    Returns
    -------
    dict of str to pandas.DataFrame
        Name of a reading, "" for the default one -> its cells.
    """
    groups: dict[str, list[Path]] = {}
    for path in map(Path, paths):
        groups.setdefault(split_run(path.parts[-4])[1], []).append(path)
    return {reading: read_cells(files) for reading, files in groups.items()}


def compare_readings(default: pd.DataFrame, alternatives: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Count the verdicts of every reading, and find the cells whose verdict is not that of the default.

    Parameters
    ----------
    default : pandas.DataFrame
        The cells of the default run, as `read_cells` gives them.
    alternatives : mapping of str to pandas.DataFrame
        Name of a reading -> its cells.

    Returns
    -------
    pandas.DataFrame
        `COLUMNS`, the default first, one line a reading.
    """
    before = default.set_index(PLACE)["verdict"]
    several = default.groupby("table")["metric"].nunique().gt(1).to_dict()
    lines = []
    for name, cells in {DEFAULT: default, **alternatives}.items():
        after = cells.set_index(PLACE)["verdict"]
        both = pd.DataFrame({"before": before, "after": after}).reindex(before.index.union(after.index, sort=False))
        both = both.fillna("not run")
        changed = [
            f"table {', '.join(place if several.get(place[0]) else place[:3])}: {was} -> {now}"
            for place, was, now in both[both["before"] != both["after"]].itertuples()
        ]
        counts = after.value_counts()
        numbers = [int(counts.get(verdict, 0)) for verdict in VERDICTS]
        lines.append([name, len(after), *numbers, len(changed), "; ".join(changed)])
    return pd.DataFrame(lines, columns=COLUMNS)


def readings_markdown(table: pd.DataFrame, paper: str, fidelity: str) -> str:
    """Write the comparison of readings.

    Parameters
    ----------
    table : pandas.DataFrame
        What `compare_readings` gave.
    paper : str
        The paper's key.
    fidelity : str
        The fidelity of the runs.

    Returns
    -------
    str
        Markdown: the counts of each reading, then the cells that change.
    """
    counts = table.drop(columns="changed_cells")
    lines = [
        f"# Readings of {paper} at fidelity `{fidelity}`",
        "",
        "Each line has one choice that is not the default; `changed` counts the cells whose verdict changes with it.",
        "",
        markdown_table(list(counts.columns), counts.to_numpy().tolist()),
    ]
    for line in table[table["changed"] > 0].itertuples(index=False):
        lines += ["", f"## {line.reading}", "", *(f"- {cell}" for cell in line.changed_cells.split("; "))]
    return "\n".join(lines) + "\n"


def _as_yaml(value: Any) -> str:
    return json.dumps(value) if isinstance(value, bool | None) else str(value)
