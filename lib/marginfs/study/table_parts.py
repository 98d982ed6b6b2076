"""What tables are made of: metrics, optima, ratios, a last row, other draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Metric:
    """A quantity that a table shows.

    Attributes
    ----------
    name : str
        The metric of the evaluation, or the one that the table's optimum derives.
    unit : str
        `%` (fractions are shown times 100) or nothing.
    decimals : int
        Digits shown in Markdown and LaTeX.
    label : str
        Its heading where several metrics stand side by side.
    per : int or None
        Splits that make one curve for this metric, where it is not the table's own number.
    """

    name: str
    unit: str = ""
    decimals: int = 1
    label: str = ""
    per: int | None = None

    @property
    def scale(self) -> float:
        """Tell what a measured value is multiplied by.

        Returns
        -------
        float
            100 for a percentage.
        """
        return 100.0 if self.unit == "%" else 1.0

    @property
    def heading(self) -> str:
        """Write the metric as a heading.

        Returns
        -------
        str
            The label, or the name in words, with the unit.
        """
        return (self.label or self.name.replace("_", " ")) + (f" ({self.unit})" if self.unit else "")


@dataclass(frozen=True)
class Optimum:
    """Where along a mean curve a table is read off.

    Attributes
    ----------
    of : str
        The metric whose mean curve over the splits has the optimum.
    size : str
        The name under which the optimum's place (the step) is a metric of the table.
    goal : {"min", "max"}
        Which end of the curve is best; the first step wins a tie.
    per : int or None
        Consecutive splits that make one curve (one shuffled k-fold); None makes one curve of all.
    total : int
        What the step is divided by, where the table shows it as a share.
    guess : str
        A metric at step 0 that foretells the optimum's place.
    miss : str
        The name under which the distance of the mean guess from the place is a metric of the table.
    flat : float or None
        A printed place at which the mean curve is so near its best value is close: the curve does not tell them apart.
    """

    of: str
    size: str
    goal: Literal["min", "max"] = "min"
    per: int | None = None
    total: int = 1
    guess: str = ""
    miss: str = ""
    flat: float | None = None


@dataclass(frozen=True)
class Base:
    """The cell that others are divided by; a part that is not given is that of the divided cell.

    Attributes
    ----------
    row : str or None
        Its row, as the table writes it.
    column : str or None
        Its column, as the table writes it.
    """

    row: str | None = None
    column: str | None = None


@dataclass(frozen=True)
class SummaryRow:
    """A last row that summarises the others, column by column.

    Attributes
    ----------
    label : str
        What stands in its first cell.
    statistic : {"mean", "mean_ratio", "mean_improvement"}
        Mean of the rows; or mean over the rows of 100 x / b or of 100 (1 - x / b), b standing in the column `base`.
    base : str
        The base column of the latter two.
    decimals : int
        Digits shown of a percentage.
    """

    label: str
    statistic: Literal["mean", "mean_ratio", "mean_improvement"] = "mean"
    base: str = ""
    decimals: int = 1


@dataclass(frozen=True)
class Draws:
    """Other draws of a simulated data set, beside which a table's cells are seen.

    Attributes
    ----------
    experiment : str
        The experiment that ran them.
    by : str
        The key that tells them apart; `split` where each split has a draw of its own.
    """

    experiment: str
    by: str
