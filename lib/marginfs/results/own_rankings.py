"""The ranked features of a user's own data, by name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from marginfs.markdown import markdown_table

TOP = 10
SHOWN = 30
COLUMNS = ["selector", "place", "feature", "mean_rank", "times_in_top_10", "times_ranked", "trials"]


def ranking_table(evaluation: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Order the features of every selector by their mean rank over the trials.

    A trial that ranks r of d features leaves the others tied: each of these has the rank (r + 1 + d) / 2 there.

    Parameters
    ----------
    evaluation : pandas.DataFrame
        What `ranking_curve` measured: the metric `rank` of a feature, whose column (from one) is the step.
    names : sequence of str
        The names of the features.

    Returns
    -------
    pandas.DataFrame
        `COLUMNS`; features with equal mean ranks share a place.
    """
    parts = evaluation.groupby("selector", sort=False)
    tables = [_ranked(part, names).assign(selector=name) for name, part in parts]
    return pd.concat(tables, ignore_index=True)[COLUMNS] if tables else pd.DataFrame(columns=COLUMNS)


def _ranked(part: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """The table of one selector."""
    ranks = part[part["metric"] == "rank"].pivot(index="step", columns="split", values="value")
    wide = ranks.reindex(index=range(1, len(names) + 1), columns=part["split"].unique())
    tied = (wide.notna().sum() + 1 + len(names)) / 2.0
    table = pd.DataFrame(
        {
            "feature": np.asarray(names, dtype=object),
            "mean_rank": wide.fillna(tied).mean(axis=1).round(6).to_numpy(),
            "times_in_top_10": (wide <= TOP).sum(axis=1).to_numpy(),
            "times_ranked": wide.notna().sum(axis=1).to_numpy(),
            "trials": wide.shape[1],
        }
    ).sort_values("mean_rank", kind="stable")
    table["place"] = table["mean_rank"].rank(method="min").astype(int)
    return table


def ranking_markdown(table: pd.DataFrame, title: str) -> str:
    """Write the best features of every selector side by side, each with its mean rank.

    Parameters
    ----------
    table : pandas.DataFrame
        What `ranking_table` gave.
    title : str
        Its heading.

    Returns
    -------
    str
        Markdown.
    """
    columns, tied = {}, []
    for name, part in table.groupby("selector", sort=False):
        ranked = part[part["times_ranked"] > 0].head(SHOWN)
        columns[name] = [
            f"{line.place}. {line.feature} ({line.mean_rank:.1f})" for line in ranked.itertuples(index=False)
        ]
        never = part[part["times_ranked"] == 0]
        if len(never):
            tied.append(f"{name}: {len(never)} features that it ranked in no trial are tied and not shown.")
    depth = max(map(len, columns.values()), default=0)
    rows = [[cells[row] if row < len(cells) else "" for cells in columns.values()] for row in range(depth)]
    trials = f"In brackets: mean rank over {table['trials'].max()} trials. Features with one mean rank share a place."
    return "\n\n".join([f"**{title}**", markdown_table(list(columns), rows), trials, *tied]) + "\n"
