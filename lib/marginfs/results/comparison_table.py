"""A comparison of selectors as one table and one paragraph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from marginfs.markdown import markdown_table
from marginfs.results.rank_tests import LEVEL, RankTest, rank_test
from marginfs.results.stability import Stability, chosen_sets, stability
from marginfs.results.words import counted
from marginfs.study.comparison_study import METRIC

COLUMNS = [
    "selector",
    "paper",
    "mean_rank",
    "mean_error",
    "stability",
    "stability_low",
    "stability_high",
    "features_kept",
    "error_kept",
    "cpu_seconds",
    "data_sets",
    "trials",
]
HEADER = [
    "selector",
    "paper",
    "mean rank",
    "mean error (%)",
    "stability",
    "features kept",
    "error there (%)",
    "CPU (s)",
]
NAMED = 3
"""How many of the best the paragraph names."""


def mean_errors(evaluation: pd.DataFrame) -> pd.DataFrame:
    """Average what selectors are compared by over the splits.

    Parameters
    ----------
    evaluation : pandas.DataFrame
        What `common_curve` measured.

    Returns
    -------
    pandas.DataFrame
        A row per data set and a column per selector, in the order of the evaluation; data sets that were not run for
        all selectors are left out.
    """
    at = evaluation[evaluation["metric"] == METRIC]
    table = at.pivot_table(index="source", columns="selector", values="value", aggfunc="mean", sort=False)
    return table.dropna().reindex(columns=list(evaluation["selector"].unique()))


def comparison_table(evaluation: pd.DataFrame, timings: pd.DataFrame, shown: Mapping[str, Any]) -> pd.DataFrame:
    """Summarise every selector over all data sets.

    Parameters
    ----------
    evaluation : pandas.DataFrame
        What `common_curve` measured.
    timings : pandas.DataFrame
        CPU seconds; without rows where nothing was timed.
    shown : mapping
        Labels and papers of the selectors, and `stability_size`.

    Returns
    -------
    pandas.DataFrame
        `COLUMNS`, the best mean rank first. All means are over data sets, each set's own being over its splits; the
        interval of the stability is that of the mean of the sets' indices. Methods that only rank keep no set.
    """
    errors = mean_errors(evaluation)
    test = rank_test(errors)
    rows = []
    for name in test.ranks.index:
        part = evaluation[(evaluation["selector"] == name) & evaluation["source"].isin(errors.index)]
        alike = _stability(part, shown["stability_size"])
        seconds = timings.loc[timings["selector"] == name]
        rows.append(
            {
                "selector": shown["labels"].get(name, name),
                "paper": shown["papers"].get(name, ""),
                "mean_rank": test.ranks[name],
                "mean_error": errors[name].mean(),
                "stability": alike.value,
                "stability_low": alike.value - alike.half_width,
                "stability_high": alike.value + alike.half_width,
                "features_kept": _mean(part, "features"),
                "error_kept": _mean(part, "test_error"),
                "cpu_seconds": seconds.groupby("source")["value"].mean().mean() if len(seconds) else float("nan"),
                "data_sets": len(errors),
                "trials": part["split"].nunique(),
            }
        )
    return pd.DataFrame(rows, columns=COLUMNS).round(6)


def comparison_rows(table: pd.DataFrame) -> list[list[str]]:
    """Write the table for readers.

    Parameters
    ----------
    table : pandas.DataFrame
        What `comparison_table` gave.

    Returns
    -------
    list of list of str
        The cells under `HEADER`.
    """
    return [
        [
            line.selector,
            "" if pd.isna(line.paper) else line.paper,
            _number(line.mean_rank, ".1f"),
            _number(100 * line.mean_error, ".1f"),
            _number(line.stability, ".2f") + (_range(line.stability_low, line.stability_high)),
            _number(line.features_kept, ".1f"),
            _number(100 * line.error_kept, ".1f"),
            _number(line.cpu_seconds, ".3f"),
        ]
        for line in table.itertuples(index=False)
    ]


def comparison_paragraph(evaluation: pd.DataFrame, table: pd.DataFrame, shown: Mapping[str, Any]) -> str:
    """Say what the numbers say.

    Parameters
    ----------
    evaluation, table, shown
        As for `comparison_table`, and what that gave.

    Returns
    -------
    str
        One paragraph; that nothing was run where there are no numbers.
    """
    errors = mean_errors(evaluation)
    if errors.empty:
        return "No data set was run for all selectors."
    labels = {name: str(shown["labels"].get(name, name)) for name in errors.columns}
    test = rank_test(errors.rename(columns=labels))
    trials = f"{counted(len(errors), 'data set')} with {counted(table['trials'].max(), 'split')} each"
    sentences = [f"{len(labels)} selectors on {trials}."]
    if np.isfinite(test.critical_difference):
        sentences.append(_differences(test))
    best = table.sort_values("mean_error", kind="stable").iloc[0]
    sentences.append(f"Lowest mean error: {best['selector']}, {100 * best['mean_error']:.1f} %.")
    chance = table[table["selector"] == labels.get("random")]
    if len(chance):
        behind = int((table["mean_rank"] > chance["mean_rank"].iloc[0]).sum())
        level = f"A random ranking has {100 * chance['mean_error'].iloc[0]:.1f} %"
        worse = f"{behind or 'no'} selector{'' if behind < 2 else 's'} rank{'s' if behind < 2 else ''} below it"
        sentences.append(f"{level}; {worse}.")
    if table["stability"].notna().any():
        steady = table.sort_values("stability", ascending=False, kind="stable").iloc[0]
        chosen = f"Most stable in its best {shown['stability_size']} features"
        sentences.append(f"{chosen}: {steady['selector']} ({steady['stability']:.2f}).")
    if table["cpu_seconds"].notna().any():
        slow = table.sort_values("cpu_seconds", ascending=False, kind="stable").iloc[0]
        sentences.append(f"Slowest: {slow['selector']}, {slow['cpu_seconds']:.2f} s for a selection.")
    return " ".join(sentences)


def comparison_markdown(title: str, paragraph: str, table: pd.DataFrame, shown: Mapping[str, Any]) -> str:
    """Write paragraph and table.

    Parameters
    ----------
    title, paragraph : str
        The heading, and what `comparison_paragraph` gave.
    table : pandas.DataFrame
        What `comparison_table` gave.
    shown : mapping
        As there.

    Returns
    -------
    str
        Markdown.
    """
    text = markdown_table(HEADER, comparison_rows(table))
    return "\n\n".join([f"**{title}**", paragraph, text, comparison_legend(shown)]) + "\n"


def comparison_legend(shown: Mapping[str, Any]) -> str:
    """Explain the columns of the table.

    Parameters
    ----------
    shown : mapping
        As for `comparison_table`.

    Returns
    -------
    str
        One paragraph.
    """
    return (
        "Mean error: test error of one Gaussian SVM on the best features, averaged over sizes, splits and data sets. "
        f"Stability: Nogueira's index of the best {shown['stability_size']} features over the splits (1: always the "
        "same, 0: as by chance), with the 95 % interval of its mean. Features kept and the error there: of methods "
        "that choose a set by themselves. CPU: one selection with the tuned options."
    )


def _differences(test: RankTest) -> str:
    first, *others = test.ranks.index[:NAMED]
    near = test.near(str(first))
    behind = len(test.ranks) - 1 - len(near)
    named = ", ".join(f"{name} ({test.ranks[name]:.1f})" for name in others)
    differ = "tells them apart" if test.p_value < LEVEL else "does not tell them apart"
    return (
        f"Friedman's test {differ} (F = {test.statistic:.2f}, p = {test.p_value:.2g}). {first} has the best mean rank "
        f"({test.ranks[first]:.1f}), then {named}. The critical difference is {test.critical_difference:.1f} ranks "
        f"(Nemenyi, 5 %): {len(near)} {'other is' if len(near) == 1 else 'others are'} within it of the best, "
        f"{behind} {'is' if behind == 1 else 'are'} worse."
    )


def _stability(part: pd.DataFrame, size: int) -> Stability:
    """The mean of the data sets' indices, with its variance."""
    found = []
    for _, one in part.groupby("source", sort=False):
        columns = int(one.loc[one["metric"] == "columns", "value"].iloc[0])
        found.append(stability(chosen_sets(one, size, columns)))
    values = [one for one in found if not np.isnan(one.value)]
    if not values:
        return Stability(float("nan"), float("nan"))
    mean = float(np.mean([one.value for one in values]))
    return Stability(mean, sum(one.variance for one in values) / len(values) ** 2)


def _mean(part: pd.DataFrame, metric: str) -> float:
    """Mean over the data sets of a metric at step 0."""
    at = part[(part["metric"] == metric) & (part["step"] == 0)]
    return float(at.groupby("source")["value"].mean().mean()) if len(at) else float("nan")


def _number(value: float, form: str) -> str:
    return "" if np.isnan(value) else format(value, form)


def _range(low: float, high: float) -> str:
    return "" if np.isnan(low) else f" ({low:.2f} to {high:.2f})"
