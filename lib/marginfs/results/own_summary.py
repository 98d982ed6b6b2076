"""What a user's own data says of each selector: error with its uncertainty, stability, and who is better than whom.

Splits of one data set share points, so that their errors vary less than those of new data would. Intervals and tests
take the variance of a mean over k splits as s^2 (1/k + test size / training size) (Nadeau and Bengio 2003).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

from marginfs.markdown import markdown_table
from marginfs.results.stability import best_features, stability

SUMMARY = [
    "selector",
    "features",
    "test_error",
    "low",
    "high",
    "balanced_error",
    "auc",
    "majority_error",
    "stability",
    "trials",
]
COMPARISONS = ["selector", "against", "difference", "low", "high", "p_value", "trials"]
CONFIDENCE = 0.95


def summary_table(evaluation: pd.DataFrame, columns: int, overlap: float) -> pd.DataFrame:
    """Summarise every selector at the smallest number of features that is as good as the best.

    Parameters
    ----------
    evaluation : pandas.DataFrame
        What `ranking_curve` measured.
    columns : int
        Number of features.
    overlap : float
        Test size over training size.

    Returns
    -------
    pandas.DataFrame
        `SUMMARY`: features by the rule of one standard error on the mean test error, the errors there with the 95 %
        interval of the first, and the stability of the chosen sets (Nogueira, Sechidis and Brown 2018; 1 where all
        splits choose the same features, 0 where they choose by chance).
    """
    rows = []
    for name, part in evaluation.groupby("selector", sort=False):
        curve = _curve(part)
        size = chosen_size(curve, overlap)
        mean, half = _interval(curve[size], overlap)
        at = part[part["step"] == size]
        others = {metric: at.loc[at["metric"] == metric, "value"].mean() for metric in ("balanced_error", "auc")}
        rows.append(
            {
                "selector": name,
                "features": size,
                "test_error": mean,
                "low": max(mean - half, 0.0),
                "high": min(mean + half, 1.0),
                **others,
                "majority_error": part.loc[part["metric"] == "majority_error", "value"].mean(),
                "stability": stability(best_features(part, size, columns)).value,
                "trials": len(curve),
            }
        )
    return pd.DataFrame(rows, columns=SUMMARY).round(6)


def comparison_table(evaluation: pd.DataFrame, overlap: float) -> pd.DataFrame:
    """Compare every two selectors on the splits that they share, each at its own number of features.

    Parameters
    ----------
    evaluation : pandas.DataFrame
        What `ranking_curve` measured.
    overlap : float
        Test size over training size.

    Returns
    -------
    pandas.DataFrame
        `COMPARISONS`: the mean difference of the test errors, its 95 % interval, and the p-value of the corrected
        paired t-test.
    """
    errors = {}
    for name, part in evaluation.groupby("selector", sort=False):
        curve = _curve(part)
        errors[name] = curve[chosen_size(curve, overlap)]
    rows = []
    for first, second in combinations(errors, 2):
        gap = (errors[first] - errors[second]).dropna()
        mean, half = _interval(gap, overlap)
        scale = np.sqrt((1.0 / len(gap) + overlap) * gap.var(ddof=1)) if len(gap) > 1 else 0.0
        p = 2.0 * stats.t.sf(abs(mean) / scale, len(gap) - 1) if scale > 0.0 else (1.0 if mean == 0.0 else np.nan)
        rows.append((first, second, mean, mean - half, mean + half, p, len(gap)))
    return pd.DataFrame(rows, columns=COMPARISONS).round(6)


def chosen_size(curve: pd.DataFrame, overlap: float) -> int:
    """Choose the number of features by the rule of one standard error.

    Parameters
    ----------
    curve : pandas.DataFrame
        Test errors, a row per split and a column per number of features.
    overlap : float
        Test size over training size.

    Returns
    -------
    int
        The smallest number whose mean error exceeds the least one by no more than its standard error.
    """
    mean = curve.mean()
    best = mean.idxmin()
    error = np.sqrt((1.0 / len(curve) + overlap) * curve[best].var(ddof=1)) if len(curve) > 1 else 0.0
    return int(mean.index[mean <= mean[best] + error].min())


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
    rows = [
        [
            line.selector,
            str(line.features),
            f"{100 * line.test_error:.1f} ({100 * line.low:.1f} to {100 * line.high:.1f})",
            f"{100 * line.balanced_error:.1f}",
            "" if np.isnan(line.auc) else f"{line.auc:.3f}",
            "" if np.isnan(line.stability) else f"{line.stability:.2f}",
        ]
        for line in summary.itertuples(index=False)
    ]
    heads = ["selector", "features", "test error (%)", "balanced error (%)", "AUC", "stability"]
    pairs = [
        [line.selector, line.against, f"{100 * line.difference:+.1f}", f"{line.p_value:.3f}"]
        for line in comparisons.itertuples(index=False)
    ]
    baseline = (
        f"Always the most frequent class: {100 * summary['majority_error'].mean():.1f} %. The number of features is "
        "the smallest whose mean error is within one standard error of the least; in brackets the 95 % interval over "
        f"{summary['trials'].max()} trials."
    )
    parts = [f"**{title}**", markdown_table(heads, rows), baseline]
    if pairs:
        parts.append(markdown_table(["selector", "against", "difference (points)", "p"], pairs))
    return "\n\n".join(parts) + "\n"


def _curve(part: pd.DataFrame) -> pd.DataFrame:
    """Test errors of one selector, splits x numbers of features."""
    return part[part["metric"] == "test_error"].pivot(index="split", columns="step", values="value")


def _interval(values: pd.Series[float], overlap: float) -> tuple[float, float]:
    """The mean, and half the width of its interval."""
    k = len(values)
    if k < 2:
        return float(values.mean()), float("nan")
    scale = np.sqrt((1.0 / k + overlap) * values.var(ddof=1))
    return float(values.mean()), float(stats.t.ppf(0.5 + CONFIDENCE / 2.0, k - 1) * scale)
