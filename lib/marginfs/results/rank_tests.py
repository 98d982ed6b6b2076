"""Several methods on several data sets: Friedman's test and Nemenyi's critical difference (Demsar 2006)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

LEVEL = 0.05


@dataclass(frozen=True)
class RankTest:
    """What the ranks of k methods on N data sets say.

    Attributes
    ----------
    ranks : pandas.Series
        Mean rank of every method, the best first; 1 is the best there can be.
    statistic, p_value : float
        Friedman's test in the form of Iman and Davenport; not a number with fewer than two data sets or methods.
    critical_difference : float
        Two methods whose mean ranks differ by less are not told apart at the 5 % level (Nemenyi).
    data_sets : int
        N.
    """

    ranks: pd.Series[float]
    statistic: float
    p_value: float
    critical_difference: float
    data_sets: int

    def near(self, method: str) -> list[str]:
        """List the methods that are not told apart from one.

        Parameters
        ----------
        method : str
            One of the methods.

        Returns
        -------
        list of str
            The others whose mean rank is within the critical difference of its own, the best first.
        """
        gaps = (self.ranks - self.ranks[method]).abs()
        return [str(name) for name in self.ranks.index[gaps < self.critical_difference] if name != method]


def rank_test(errors: pd.DataFrame) -> RankTest:
    """Rank the methods on every data set, and test whether they differ.

    Parameters
    ----------
    errors : pandas.DataFrame
        A row per data set and a column per method; lower is better, and ties share their mean rank.

    Returns
    -------
    RankTest
        With chi2 = 12 N / (k (k + 1)) [sum_j R_j^2 - k (k + 1)^2 / 4] of the mean ranks R_j, the statistic
        F = (N - 1) chi2 / (N (k - 1) - chi2), which has k - 1 and (k - 1)(N - 1) degrees of freedom, and the critical
        difference q sqrt(k (k + 1) / 6 N), q being that of the studentised range over sqrt(2).
    """
    N, k = errors.shape
    ranks = errors.rank(axis=1).mean().sort_values(kind="stable")
    if N < 2 or k < 2:
        return RankTest(ranks, float("nan"), float("nan"), float("inf"), N)
    chi2 = 12.0 * N / (k * (k + 1)) * (float(np.square(ranks).sum()) - k * (k + 1) ** 2 / 4.0)
    rest = N * (k - 1) - chi2
    statistic = (N - 1) * chi2 / rest if rest > 0.0 else float("inf")
    p_value = float(stats.f.sf(statistic, k - 1, (k - 1) * (N - 1)))
    q = stats.studentized_range.ppf(1.0 - LEVEL, k, np.inf) / np.sqrt(2.0)
    return RankTest(ranks, statistic, p_value, float(q * np.sqrt(k * (k + 1) / (6.0 * N))), N)


def nemenyi(test: RankTest) -> pd.DataFrame:
    """Compute the p-value of every two methods.

    Parameters
    ----------
    test : RankTest
        Their ranks.

    Returns
    -------
    pandas.DataFrame
        Methods x methods, p of the studentised range at |R_i - R_j| / sqrt(k (k + 1) / 12 N).
    """
    ranks, k = test.ranks.to_numpy(), len(test.ranks)
    gaps = np.abs(ranks[:, None] - ranks) / np.sqrt(k * (k + 1) / (12.0 * test.data_sets))
    p = np.where(gaps > 0.0, stats.studentized_range.sf(gaps, k, np.inf), 1.0)
    return pd.DataFrame(p, index=test.ranks.index, columns=test.ranks.index)
