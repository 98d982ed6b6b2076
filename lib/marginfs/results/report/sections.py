"""What the report shows, as typed objects; templates only lay them out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from marginfs.results.report.grids import Grid
from marginfs.results.report.outcomes import Outcome

Config = Mapping[str, Any]


@dataclass(frozen=True)
class ReportRequest:
    """What a report is asked to show.

    Attributes
    ----------
    folder : str
        The folder of the run.
    reference : str
        The folder of the reference runs.
    run : str
        Name of the run.
    papers : mapping
        Key -> protocol of every paper.
    claims : mapping
        Key -> its claims file.
    own_data : mapping
        Name -> protocol of the user's own data.
    sources : mapping
        Paper -> experiment -> names of the data files that it reads.
    reading : mapping
        Choices, and the seed, that are not the default.
    comparisons : mapping
        Key -> protocol of every comparison.
    tuned : list of (str, str, str)
        Paper, experiment and run of everything that was tuned.
    data_folder : str
        Where prepared data is.
    """

    folder: str
    reference: str
    run: str
    papers: Mapping[str, Config]
    claims: Mapping[str, list[Config]]
    own_data: Mapping[str, Config]
    sources: Mapping[str, Mapping[str, list[str]]]
    reading: Mapping[str, Any]
    comparisons: Mapping[str, Config] = field(default_factory=dict)
    tuned: list[tuple[str, str, str]] = field(default_factory=list)
    data_folder: str = "results/data"


@dataclass(frozen=True)
class Note:
    """What is known about numbers that differ.

    Attributes
    ----------
    about : str
        The numbers.
    text : str
        What is known.
    run : str
        Which run it speaks of.
    header : tuple of str
        The header of its small table; empty where it has none.
    rows : tuple of tuple of str
        The rows of that table.
    """

    about: str
    text: str
    run: str
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class TableSection:
    """One table.

    Attributes
    ----------
    number, title, caption, legend : str
        As the table's files have them.
    file : str
        Its CSV file, relative to the report.
    timing : bool
        Whether it shows times.
    grid : Grid or None
        None where the table was not made.
    counts : mapping
        Verdict -> numbers.
    beside : bool
        Whether the full run's numbers stand beside.
    notes : tuple of Note
        What is known about it.
    missing : str
        Why numbers are missing; empty where none is.
    """

    number: str
    title: str
    caption: str
    legend: str
    file: str
    timing: bool
    grid: Grid | None
    counts: Mapping[str, int]
    beside: bool
    notes: tuple[Note, ...]
    missing: str

    @property
    def name(self) -> str:
        """What the table is called: a number where the paper gives it one."""
        return f"Table {self.number}" if self.number[:1].isdigit() else f"Table “{self.number.replace('_', ' ')}”"


@dataclass(frozen=True)
class FigureSection:
    """One figure.

    Attributes
    ----------
    number, title : str
        As the paper has them.
    alt : str
        What it shows, for readers who do not see it.
    picture : Path or None
        This run's picture.
    full : Path or None
        The full run's, where it stands beside.
    file : str
        Its curves as CSV, relative to the report.
    notes : tuple of Note
        What is known about it.
    """

    number: str
    title: str
    alt: str
    picture: Path | None
    full: Path | None
    file: str
    notes: tuple[Note, ...]


@dataclass(frozen=True)
class ClaimSection:
    """One claim.

    Attributes
    ----------
    id, statement, source, test : str
        What the paper says and where, and how it is tested.
    verdict, full_verdict : str
        In this run, and in the full run where that stands beside.
    points : tuple of tuple of str
        Where it was tested: place, lower, higher, splits, p-value, verdict.
    """

    id: str
    statement: str
    source: str
    test: str
    verdict: str
    full_verdict: str
    points: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class ChoiceSection:
    """One choice.

    Attributes
    ----------
    name, value, reason : str
        What was read how, and why.
    changed : bool
        Whether this run reads it otherwise than by default.
    alternatives : tuple of (str, str)
        Each other reading, and what it changes or the command that tells.
    """

    name: str
    value: str
    reason: str
    changed: bool
    alternatives: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class PaperSection:
    """One paper.

    Attributes
    ----------
    key, title, authors, year : str
        The paper.
    outcome : Outcome
        Of this run.
    full : Outcome or None
        Of the full run; None where none is published or this is one.
    full_commit : str
        The commit of the full run.
    tables, figures, claims, choices, notes : tuple
        Its parts.
    missing : tuple of (str, str)
        What was not run, and what to do about it.
    """

    key: str
    title: str
    authors: str
    year: str
    outcome: Outcome
    full: Outcome | None
    full_commit: str
    tables: tuple[TableSection, ...]
    figures: tuple[FigureSection, ...]
    claims: tuple[ClaimSection, ...]
    choices: tuple[ChoiceSection, ...]
    notes: tuple[Note, ...]
    missing: tuple[tuple[str, str], ...]

    @property
    def best(self) -> Outcome:
        """The outcome that tells most: that of the full run where there is one."""
        return self.full or self.outcome


@dataclass(frozen=True)
class ComparisonTable:
    """What a comparison found, in one run.

    Attributes
    ----------
    paragraph : str
        What the numbers say.
    rows : tuple of tuple of str
        The cells, a row per selector.
    """

    paragraph: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class ComparisonSection:
    """A comparison of selectors.

    Attributes
    ----------
    key, title, legend : str
        Its name, what was compared, and what the columns mean.
    header : tuple of str
        The columns.
    found, full : ComparisonTable or None
        In this run, and in the full run where that stands beside; None where it was not made.
    figures : tuple of FigureSection
        Its figures.
    file : str
        The table as CSV, relative to the report.
    """

    key: str
    title: str
    legend: str
    header: tuple[str, ...]
    found: ComparisonTable | None
    full: ComparisonTable | None
    figures: tuple[FigureSection, ...]
    file: str


@dataclass(frozen=True)
class OwnTable:
    """A table about the user's own data.

    Attributes
    ----------
    title, text : str
        What it shows, and how to read it.
    header : tuple of str
        Its columns.
    rows : tuple of tuple of str
        Its cells.
    file : str
        All of it as CSV, relative to the report.
    """

    title: str
    text: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    file: str


@dataclass(frozen=True)
class OwnSection:
    """The user's own data.

    Attributes
    ----------
    key, title : str
        Its name, and what was done.
    tables : tuple of OwnTable
        How good the selectors are, how they compare, and the final ranking; none where a job failed.
    figures : tuple of FigureSection
        Its figures.
    """

    key: str
    title: str
    tables: tuple[OwnTable, ...]
    figures: tuple[FigureSection, ...]


@dataclass(frozen=True)
class Report:
    """The whole page.

    Attributes
    ----------
    run, fidelity, fidelity_text, reading : str
        What was run.
    papers : tuple of PaperSection
        The papers.
    comparisons : tuple of ComparisonSection
        Comparisons of selectors across the papers.
    own : tuple of OwnSection
        The user's own data.
    provenance : tuple of (str, str)
        What the run was made with.
    data : tuple of tuple of str
        The data sets: name, size, classes, source.
    missing_data : tuple of (str, str)
        Data sets that could not be obtained, and the message that says what to do.
    failures : tuple of (str, str)
        Jobs that failed: their log, and what it says.
    tuned : tuple of tuple of str
        What tuning chose.
    """

    run: str
    fidelity: str
    fidelity_text: str
    reading: str
    papers: tuple[PaperSection, ...]
    comparisons: tuple[ComparisonSection, ...] = ()
    own: tuple[OwnSection, ...] = ()
    provenance: tuple[tuple[str, str], ...] = ()
    data: tuple[tuple[str, ...], ...] = ()
    missing_data: tuple[tuple[str, str], ...] = ()
    failures: tuple[tuple[str, str], ...] = ()
    tuned: tuple[tuple[str, ...], ...] = field(default_factory=tuple)

    @property
    def heading(self) -> str:
        """What the page is about."""
        if self.papers:
            return "What came back"
        return "Selectors compared" if self.comparisons else "Features of your own data"

    @property
    def reduced(self) -> bool:
        """Whether the run is less than the published protocol."""
        return self.fidelity != "paper"

    @property
    def figures(self) -> list[FigureSection]:
        """All figures of the page."""
        return [figure for part in (self.papers, self.comparisons, self.own) for one in part for figure in one.figures]
