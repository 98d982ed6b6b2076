"""The ranked features of a user's own data, by name: ranked on all rows, and how often each split agrees."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from marginfs.markdown import markdown_table
from marginfs.results.own_summary import chosen_sizes

SHOWN = 30
COLUMNS = ["selector", "place", "feature", "chosen", "mean_rank", "times_chosen", "trials"]


def ranking_table(final: pd.DataFrame, evaluation: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Order the features of every selector by their rank on all rows.

    A ranking of r of d features leaves the others tied: they share the place r + 1 on all rows, and each has the rank
    (r + 1 + d) / 2 in the mean over the splits.

    Parameters
    ----------
    final : pandas.DataFrame
        What `ranking_curve` measured of the selectors on all rows: the metric `rank` of a feature, whose column (from
        one) is the step, and `tuned_size`.
    evaluation : pandas.DataFrame
        The same of the splits.
    names : sequence of str
        The names of the features.

    Returns
    -------
    pandas.DataFrame
        `COLUMNS`: whether the feature is among those chosen on all rows, and in how many splits it is among those
        chosen there.
    """
    splits = dict(list(evaluation.groupby("selector", sort=False)))
    tables = [
        _ranked(part, splits[name], names).assign(selector=name)
        for name, part in final.groupby("selector", sort=False)
        if name in splits
    ]
    return pd.concat(tables, ignore_index=True)[COLUMNS] if tables else pd.DataFrame(columns=COLUMNS)


def _ranked(final: pd.DataFrame, splits: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """The table of one selector."""
    whole, wide = _ranks(final, len(names)).iloc[:, 0], _ranks(splits, len(names))
    tied = (wide.notna().sum() + 1 + len(names)) / 2.0
    table = pd.DataFrame(
        {
            "feature": np.asarray(names, dtype=object),
            "place": whole.fillna(whole.notna().sum() + 1).astype(int).to_numpy(),
            "chosen": (whole <= chosen_sizes(final).iloc[0]).to_numpy(),
            "mean_rank": wide.fillna(tied).mean(axis=1).round(6).to_numpy(),
            "times_chosen": (wide <= chosen_sizes(splits)).sum(axis=1).to_numpy(),
            "trials": wide.shape[1],
        }
    )
    return table.sort_values(["place", "mean_rank"], kind="stable")


def _ranks(part: pd.DataFrame, features: int) -> pd.DataFrame:
    """Ranks, a row per feature and a column per split."""
    ranks = part[part["metric"] == "rank"].pivot(index="step", columns="split", values="value")
    return ranks.reindex(index=range(1, features + 1), columns=part["split"].unique())


def best_features(table: pd.DataFrame) -> tuple[list[str], list[list[str]]]:
    """List the best features of every selector side by side.

    Parameters
    ----------
    table : pandas.DataFrame
        What `ranking_table` gave.

    Returns
    -------
    header : list of str
        The selectors, each with how many features it chose.
    rows : list of list of str
        Place, name and, in brackets, in how many splits a feature is among those chosen; features that are tied
        because the selector did not rank them are left out.
    """
    header, columns = [], []
    for name, part in table.groupby("selector", sort=False):
        header.append(f"{name}: {part['chosen'].sum()} chosen")
        ranked = part[~part["place"].duplicated(keep=False)].head(SHOWN)
        columns.append([f"{line.place}. {line.feature} ({line.times_chosen})" for line in ranked.itertuples()])
    depth = max(map(len, columns), default=0)
    return header, [[cells[row] if row < len(cells) else "" for cells in columns] for row in range(depth)]


def ranking_text(table: pd.DataFrame) -> str:
    """Say how to read the list.

    Parameters
    ----------
    table : pandas.DataFrame
        What `ranking_table` gave.

    Returns
    -------
    str
        Sentences.
    """
    trials = int(table["trials"].max()) if len(table) else 0
    return (
        "Ranked on all rows, with C and the number of features chosen by cross-validation there. In brackets: in how "
        f"many of {trials} splits the feature is among those chosen from the training part alone."
    )


def ranking_markdown(table: pd.DataFrame, title: str) -> str:
    """Write the best features of every selector side by side.

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
    tied = [
        f"{name}: {part['place'].duplicated(keep=False).sum()} features that it does not rank are tied and not shown."
        for name, part in table.groupby("selector", sort=False)
        if part["place"].duplicated().any()
    ]
    return "\n\n".join([f"**{title}**", markdown_table(*best_features(table)), ranking_text(table), *tied]) + "\n"
