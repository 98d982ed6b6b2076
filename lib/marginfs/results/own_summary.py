"""What a user's own data says of each selector: error with its uncertainty, stability, and who is better than whom.

Errors are those at the number of features that each split chose from its training part alone.
Splits of one data set share points, so that their errors vary less than those of new data would. Intervals and tests
take the variance of a mean over k splits as s^2 (1/k + test size / training size) (Nadeau and Bengio 2003).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

from marginfs.markdown import markdown_table
from marginfs.results.stability import chosen_sets, stability

SUMMARY = [
    "selector",
    "features",
    "fewest",
    "most",
    "test_error",
    "low",
    "high",
    "balanced_error",
    "auc",
    "majority_error",
    "stability",
    "trials",
]
Listing = tuple[list[str], list[list[str]]]
"""A table for readers: its header and its rows."""
COMPARISONS = ["selector", "against", "difference", "low", "high", "p_value", "trials"]
CONFIDENCE = 0.95


def summary_table(evaluation: pd.DataFrame, columns: int, overlap: float) -> pd.DataFrame:
    """Summarise every selector at the numbers of features that its splits chose.

    Parameters
    ----------
    evaluation : pandas.DataFrame
        What `ranking_curve` measured, and `tuned_size`.
    columns : int
        Number of features.
    overlap : float
        Test size over training size.

    Returns
    -------
    pandas.DataFrame
        `SUMMARY`: the median, least and greatest number of features chosen, the mean errors with the 95 % interval of
        the first, and the stability of the chosen sets (Nogueira, Sechidis and Brown 2018; 1 where all splits choose
        the same features, 0 where they choose by chance).
    """
    rows = []
    for name, part in evaluation.groupby("selector", sort=False):
        sizes = chosen_sizes(part)
        errors = at_chosen(part, "test_error")
        mean, half = _interval(errors, overlap)
        rows.append(
            {
                "selector": name,
                "features": sizes.median(),
                "fewest": sizes.min(),
                "most": sizes.max(),
                "test_error": mean,
                "low": max(mean - half, 0.0),
                "high": min(mean + half, 1.0),
                **{metric: at_chosen(part, metric).mean() for metric in ("balanced_error", "auc")},
                "majority_error": part.loc[part["metric"] == "majority_error", "value"].mean(),
                "stability": stability(chosen_sets(part, sizes, columns)).value,
                "trials": len(errors),
            }
        )
    return pd.DataFrame(rows, columns=SUMMARY).round(6)


def comparison_table(evaluation: pd.DataFrame, overlap: float) -> pd.DataFrame:
    """Compare every two selectors on the splits that they share, each at the numbers of features that it chose.

    Parameters
    ----------
    evaluation : pandas.DataFrame
        What `ranking_curve` measured, and `tuned_size`.
    overlap : float
        Test size over training size.

    Returns
    -------
    pandas.DataFrame
        `COMPARISONS`: the mean difference of the test errors, its 95 % interval, and the p-value of the corrected
        paired t-test.
    """
    parts = evaluation.groupby("selector", sort=False)
    errors = {name: at_chosen(part, "test_error") for name, part in parts}
    rows = []
    for first, second in combinations(errors, 2):
        gap = (errors[first] - errors[second]).dropna()
        mean, half = _interval(gap, overlap)
        scale = np.sqrt((1.0 / len(gap) + overlap) * gap.var(ddof=1)) if len(gap) > 1 else 0.0
        p = 2.0 * stats.t.sf(abs(mean) / scale, len(gap) - 1) if scale > 0.0 else (1.0 if mean == 0.0 else np.nan)
        rows.append((first, second, mean, mean - half, mean + half, p, len(gap)))
    return pd.DataFrame(rows, columns=COMPARISONS).round(6)


def chosen_sizes(part: pd.DataFrame) -> pd.Series[int]:
    """Find the number of features that each split chose.

    Parameters
    ----------
    part : pandas.DataFrame
        Measures of one selector.

    Returns
    -------
    pandas.Series
        Split -> number.
    """
    chosen = part[part["metric"] == "tuned_size"]
    return chosen.set_index("split")["value"].astype(int)


def at_chosen(part: pd.DataFrame, metric: str) -> pd.Series[float]:
    """Read a curve at the number of features that each split chose.

    Parameters
    ----------
    part : pandas.DataFrame
        Measures of one selector.
    metric : str
        What was measured by number of features.

    Returns
    -------
    pandas.Series
        Split -> value.
    """
    curve = part[part["metric"] == metric]
    return curve[curve["step"] == curve["split"].map(chosen_sizes(part))].set_index("split")["value"]


def summary_listing(summary: pd.DataFrame) -> Listing:
    """Lay the summary out for readers.

    Parameters
    ----------
    summary : pandas.DataFrame
        What `summary_table` gave.

    Returns
    -------
    Listing
        Header and rows, errors in per cent.
    """
    rows = [
        [
            line.selector,
            f"{line.features:g}" if line.fewest == line.most else f"{line.features:g} ({line.fewest} to {line.most})",
            f"{100 * line.test_error:.1f} ({100 * line.low:.1f} to {100 * line.high:.1f})",
            f"{100 * line.balanced_error:.1f}",
            "" if np.isnan(line.auc) else f"{line.auc:.3f}",
            "" if np.isnan(line.stability) else f"{line.stability:.2f}",
        ]
        for line in summary.itertuples(index=False)
    ]
    return ["selector", "features", "test error (%)", "balanced error (%)", "AUC", "stability"], rows


def comparison_listing(comparisons: pd.DataFrame) -> Listing:
    """Lay the comparisons out for readers.

    Parameters
    ----------
    comparisons : pandas.DataFrame
        What `comparison_table` gave.

    Returns
    -------
    Listing
        Header and rows.
    """
    rows = [
        [
            line.selector,
            line.against,
            f"{100 * line.difference:+.1f} ({100 * line.low:+.1f} to {100 * line.high:+.1f})",
            "" if np.isnan(line.p_value) else f"{line.p_value:.3f}",
        ]
        for line in comparisons.itertuples(index=False)
    ]
    return ["selector", "against", "difference of test errors (points)", "p"], rows


def summary_text(summary: pd.DataFrame) -> str:
    """Say what the errors are to be compared with, and how features were chosen.

    Parameters
    ----------
    summary : pandas.DataFrame
        What `summary_table` gave.

    Returns
    -------
    str
        Sentences.
    """
    return (
        f"Always the most frequent class: {100 * summary['majority_error'].mean():.1f} %. Each of "
        f"{summary['trials'].max()} splits chooses C and the number of features (median, fewest to most) by "
        "cross-validation of its training part alone: the smallest number whose mean error is within one standard "
        "error of the least. In brackets behind an error: the 95 % interval."
    )


def summary_markdown(summary: pd.DataFrame, comparisons: pd.DataFrame, title: str) -> str:
    """Write both tables.

    Parameters
    ----------
    summary, comparisons : pandas.DataFrame
        What `summary_table` and `comparison_table` gave.
    title : str
        The heading.

    Returns
    -------
    str
        Markdown.
    """
    parts = [f"**{title}**", markdown_table(*summary_listing(summary)), summary_text(summary)]
    if len(comparisons):
        parts.append(markdown_table(*comparison_listing(comparisons)))
    return "\n\n".join(parts) + "\n"


def _interval(values: pd.Series[float], overlap: float) -> tuple[float, float]:
    """The mean, and half the width of its interval."""
    k = len(values)
    if k < 2:
        return float(values.mean()), float("nan")
    scale = np.sqrt((1.0 / k + overlap) * values.var(ddof=1))
    return float(values.mean()), float(stats.t.ppf(0.5 + CONFIDENCE / 2.0, k - 1) * scale)
