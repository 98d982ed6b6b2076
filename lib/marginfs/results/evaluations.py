"""The evaluations of experiments as data frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from marginfs.study.axes import Axis

COLUMNS = ["selector", "split", "metric", "step", "value"]
"""What every evaluation has, beside its own keys."""


def read_evaluations(paths: Iterable[str | Path]) -> pd.DataFrame:
    """Read the evaluations of any number of experiments under each other.

    Parameters
    ----------
    paths : iterable of paths
        The CSV files, named after the experiments.

    Returns
    -------
    pandas.DataFrame
        Their lines, with the column `experiment`; one whose data is missing has a header only.
    """
    parts = [pd.read_csv(path).astype({"value": float}).assign(experiment=Path(path).stem) for path in paths]
    if not parts:
        return pd.DataFrame(columns=[*COLUMNS, "experiment"])
    columns = list(dict.fromkeys(column for part in parts for column in part))
    return pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True).reindex(columns=columns)


def chosen(axis: Axis, data: pd.DataFrame) -> pd.DataFrame:
    """Keep what an axis shows.

    Parameters
    ----------
    axis : Axis
        The axis.
    data : pandas.DataFrame
        Lines of an evaluation.

    Returns
    -------
    pandas.DataFrame
        The lines with one of its values; all where it names none.
    """
    return data[data[axis.by].isin(axis.shown)] if axis.shown else data


def fixed(at: Mapping[str, Any], data: pd.DataFrame) -> pd.DataFrame:
    """Keep the lines at certain values.

    Parameters
    ----------
    at : mapping
        Column -> value.
    data : pandas.DataFrame
        Lines of an evaluation.

    Returns
    -------
    pandas.DataFrame
        The lines with all these values.
    """
    for key, value in at.items():
        data = data[data[key] == value]
    return data
