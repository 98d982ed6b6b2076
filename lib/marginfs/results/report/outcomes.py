"""What came back of a paper: its verdicts counted, and one sentence about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import pandas as pd

from marginfs.results.claims import overall
from marginfs.results.verdicts import VERDICTS
from marginfs.results.words import counted

CLAIM_VERDICTS = ("holds", "fails", "undecided", "not run")
CAME_BACK = ("match", "close", "within draws")
"""Verdicts that decide in favour of a number."""
LABELS = ((0.95, "Came back"), (0.75, "Mostly came back"), (0.25, "Partly came back"), (0.0, "Did not come back"))
"""From which share of the decided numbers on, or of the decided claims where a paper prints no numbers."""
TOO_EARLY = "Too early to tell"
"""Said where less than half is decided."""


@dataclass(frozen=True)
class Outcome:
    """The verdicts on one paper in one run.

    Attributes
    ----------
    cells : Counter
        Verdict -> printed numbers.
    ours : int
        Numbers that the paper does not print.
    timings : Counter
        Verdict -> printed times, compared as ratios.
    claims : Counter
        Verdict -> claims.
    lost : int
        Tables that were not made, so that it is not known here what the paper prints in them.
    """

    cells: Counter[str] = field(default_factory=Counter)
    ours: int = 0
    timings: Counter[str] = field(default_factory=Counter)
    claims: Counter[str] = field(default_factory=Counter)
    lost: int = 0

    @property
    def printed(self) -> int:
        """How many numbers the paper prints, times apart."""
        return self.cells.total()

    @property
    def back(self) -> int:
        """How many of them came back."""
        return sum(self.cells[verdict] for verdict in CAME_BACK)

    @property
    def label(self) -> str:
        """The outcome in two or three words."""
        good, bad, all_ = self.back, self.cells["differs"], self.printed
        if not all_ and not self.lost:
            good, bad, all_ = self.claims["holds"], self.claims["fails"], self.claims.total()
        if 2 * (good + bad) < all_ or not good + bad:
            return TOO_EARLY
        share = good / (good + bad)
        return next(label for least, label in LABELS if share >= least)

    @property
    def sentence(self) -> str:
        """What came back, in one sentence."""
        return "; ".join(filter(None, [self.numbers, self._claims])) + "."

    @property
    def numbers(self) -> str:
        """What came back of the printed numbers."""
        lost = f"{counted(self.lost, 'table')} not made" if self.lost else ""
        if not self.printed:
            return lost or "The paper prints no numbers"
        rest = [
            (self.cells["compatible"], "compatible, but too few trials to tell"),
            (self.cells["differs"], "differ" if self.cells["differs"] != 1 else "differs"),
            (self.cells["not run"], "not run"),
        ]
        found = [f"{count} {words}" for count, words in rest if count]
        return ", ".join(
            filter(None, [f"{self.back} of {self.printed} printed numbers match or are close", *found, lost])
        )

    @property
    def _claims(self) -> str:
        total = self.claims.total()
        if not total:
            return ""
        rest = [(self.claims["fails"], "fail" if self.claims["fails"] != 1 else "fails")]
        rest += [(self.claims[name], name) for name in ("undecided", "not run")]
        found = [f"{count} {words}" for count, words in rest if count]
        return ", ".join([f"{self.claims['holds']} of {total} claims hold", *found])


def outcome_of(
    tables: Iterable[tuple[pd.DataFrame | None, bool]], claims: Sequence[str], points: pd.DataFrame | None
) -> Outcome:
    """Count the verdicts on a paper.

    Parameters
    ----------
    tables : iterable of (pandas.DataFrame or None, bool)
        The cells of each table, None where it was not made, and whether they are times.
    claims : sequence of str
        The ids of the claims.
    points : pandas.DataFrame or None
        Where they were tested.

    Returns
    -------
    Outcome
        The counts. A cell that is neither printed nor run does not count.
    """
    cells: Counter[str] = Counter()
    timings: Counter[str] = Counter()
    lost = 0
    for table, timing in tables:
        if table is None:
            lost += 1
            continue
        nothing = table["published"].isna() & (table["verdict"] == "not run")
        (timings if timing else cells).update(table.loc[~nothing, "verdict"])
    ours = cells.pop("unpublished", 0)
    timings.pop("unpublished", None)
    tested = {} if points is None else dict(list(points.groupby("claim")["verdict"]))
    verdicts: Counter[str] = Counter(overall(list(tested.get(claim, ()))) for claim in claims)
    return Outcome(cells, ours, timings, verdicts, lost)


def shares(counts: Counter[str], order: Sequence[str] = VERDICTS) -> list[tuple[str, int, float]]:
    """Share out a bar.

    Parameters
    ----------
    counts : Counter
        Verdict -> number.
    order : sequence of str
        The verdicts from left to right.

    Returns
    -------
    list of (str, int, float)
        Verdict, number and percentage of those that occur.
    """
    total = counts.total()
    return [(name, counts[name], 100.0 * counts[name] / total) for name in order if counts[name]]
