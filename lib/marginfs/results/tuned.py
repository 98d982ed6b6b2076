"""Which options tuning chose."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

PREFIX = "tuned_"
HEADER = ["paper", "experiment", "selector", "option", "lowest", "median", "highest", "units"]


def tuned_rows(paths: Iterable[str | Path]) -> list[list[str]]:
    """Summarise the options that tuning chose, over all units of an experiment.

    Parameters
    ----------
    paths : iterable of paths
        Files evaluations/<paper>/<experiment>.csv of experiments with tuning.

    Returns
    -------
    list of list of str
        One line per option, as `HEADER` names its parts; empty where nothing was tuned.
    """
    rows: list[list[str]] = []
    for path in map(Path, paths):
        measures = pd.read_csv(path)
        chosen = measures[measures["metric"].str.startswith(PREFIX) & (measures["step"] == 0)]
        for (selector, metric), values in chosen.groupby(["selector", "metric"], sort=False)["value"]:
            found = (values.min(), values.median(), values.max())
            names = [path.parent.name, path.stem, selector, metric.removeprefix(PREFIX)]
            rows.append([*names, *(f"{value:g}" for value in found), str(len(values))])
    return rows
