"""The features of a user's own data in order of merit, by name."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

TOP = 10
SHOWN = 30
COLUMNS = ["selector", "place", "feature", "mean_rank", "times_in_top_10", "trials"]


def ranking_table(evaluation: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Per selector, its features by mean rank over the trials; a trial that ranked one too low counts as last."""
    ranks = evaluation[evaluation["metric"] == "rank"]
    tables = []
    for selector, part in ranks.groupby("selector", sort=False):
        trials = part["split"].nunique()
        last = part["value"].max() + 1
        by_feature = part.groupby("step")["value"]
        mean = (by_feature.sum() + last * (trials - by_feature.size())) / trials
        top = part[part["value"] <= TOP].groupby("step").size().reindex(mean.index, fill_value=0)
        table = pd.DataFrame({"mean_rank": mean.round(6), "times_in_top_10": top})
        table = table.sort_values("mean_rank", kind="stable")
        table["feature"] = [names[step - 1] for step in table.index]
        table["selector"], table["trials"], table["place"] = selector, trials, range(1, len(table) + 1)
        tables.append(table[COLUMNS])
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=COLUMNS)


def to_markdown(table: pd.DataFrame, title: str) -> str:
    """The best features of every selector side by side, each with its mean rank."""
    selectors = list(table["selector"].unique())
    lines = [f"**{title}**", "", "| place | " + " | ".join(selectors) + " |", "|---" * (len(selectors) + 1) + "|"]
    for place in range(1, min(SHOWN, int(table["place"].max())) + 1):
        row = table[table["place"] == place].set_index("selector")
        cells = [
            f"{row.loc[name, 'feature']} ({row.loc[name, 'mean_rank']:.1f})" if name in row.index else ""
            for name in selectors
        ]
        lines.append(f"| {place} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + f"\n\nIn brackets: mean rank over {table['trials'].max()} trials.\n"
