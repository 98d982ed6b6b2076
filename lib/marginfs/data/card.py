"""The data card: one line for each data set of a run."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from marginfs.data.dataset import Dataset, Provenance
from marginfs.markdown import markdown_table

COLUMNS = ("dataset", "n", "d", "classes", "missing", "source", "splits", "sha256", "notes")
Row = dict[str, str]


def card_rows(pairs: Iterable[tuple[Dataset, Provenance]]) -> list[Row]:
    """Describe data sets in texts.

    Parameters
    ----------
    pairs : iterable of pairs
        Every data set of a run with its provenance.

    Returns
    -------
    list of dict
        A text for each of COLUMNS; a data set that is missing says so with its reason.
    """
    return [_row(dataset, provenance) for dataset, provenance in pairs]


def card_csv(rows: Sequence[Row]) -> str:
    """Write the card as CSV.

    Parameters
    ----------
    rows : sequence of dict
        What `card_rows` gave.

    Returns
    -------
    str
        The file's text.
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def card_markdown(rows: Sequence[Row]) -> str:
    """Write the card as a Markdown table, hashes cut to twelve digits.

    Parameters
    ----------
    rows : sequence of dict
        What `card_rows` gave.

    Returns
    -------
    str
        The file's text.
    """
    shown = [row | {"sha256": row["sha256"][:12]} for row in rows]
    return markdown_table(COLUMNS, [[row[column] for column in COLUMNS] for row in shown]) + "\n"


def _row(dataset: Dataset, provenance: Provenance) -> Row:
    if not dataset.available:
        blank = dict.fromkeys(COLUMNS, "")
        what_to_do = " ".join(provenance.reason.partition(" Tried:")[0].split())
        return blank | {"dataset": provenance.name, "source": "missing", "notes": what_to_do}
    n, d = dataset.X.shape
    return {
        "dataset": dataset.name,
        "n": str(n),
        "d": str(d),
        "classes": ", ".join(f"{name} {count}" for name, count in dataset.class_counts().items()),
        "missing": str(dataset.meta.get("missing", 0)),
        "source": provenance.source,
        "splits": _splits(dataset),
        "sha256": provenance.sha256,
        "notes": "; ".join(dataset.meta.get("notes", ())),
    }


def _splits(dataset: Dataset) -> str:
    """Say how many splits were published with the data and how many of the same sizes must be drawn."""
    fixed = len(dataset.train)
    wanted = (dataset.meta.get("realisations") or {}).get("count", fixed)
    parts = [f"{fixed} published"] * (fixed > 0) + [f"{wanted - fixed} drawn again"] * (wanted > fixed)
    return ", ".join(parts) or "drawn"
