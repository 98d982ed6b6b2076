"""The figure of `make bench`: ratios to the other ways, and growth."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import pandas as pd

mpl.use("Agg")


def draw(table: pd.DataFrame, growth: pd.DataFrame, path: Path) -> None:
    """One bar a comparison, with its target as a mark; one line a direction of growth."""
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(13, 1.5 + 0.4 * len(table)), layout="constrained", width_ratios=(3, 2)
    )
    names = [f"{line.group}: {line.what}\nagainst {line.peer}" for line in table.itertuples(index=False)]
    heights = range(len(table))[::-1]
    left.barh(heights, table["ratio"], color="#4477aa", label="ratio of CPU times")
    left.plot(table["target"], list(heights), "|", color="#cc3311", markersize=16, markeredgewidth=2.5, label="target")
    left.set_yticks(list(heights), names, fontsize=7.5)
    left.set(xscale="log", xlabel="times faster than the other way")
    left.axvline(1.0, color="0.5", linewidth=0.8)
    left.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, fontsize=8, frameon=False)
    for (name, part), style in zip(growth.groupby("along", sort=False), ("o-", "s-"), strict=False):
        right.loglog(part["size"], part["seconds"], style, label=f"{name}: slope {part['slope'].iloc[0]:.2f}")
    right.set(xlabel="size", ylabel="CPU seconds", title="linear RFE, one feature at a time")
    right.legend(fontsize=8)
    figure.savefig(path, dpi=130)
    plt.close(figure)
