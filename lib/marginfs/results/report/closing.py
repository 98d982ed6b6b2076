"""The last words of a run: where to look, what is missing and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from marginfs.data.dataset import load_provenance


def unobtained(paths: Iterable[str | Path]) -> dict[str, str]:
    """Find the data sets that could not be obtained.

    Parameters
    ----------
    paths : iterable of paths
        Where each data set came from; files that do not exist are passed over.

    Returns
    -------
    dict
        Name of the file -> the message that says where it was looked for and what to do.
    """
    records = [(path.stem, load_provenance(path)) for path in map(Path, paths) if path.exists()]
    return {name: record.reason for name, record in records if record.status == "missing"}


def closing_text(pages: Sequence[str], data: Iterable[str | Path], failed: bool) -> str:
    """Say where to look when a run has ended.

    Parameters
    ----------
    pages : sequence of str
        The reports that the run wrote.
    data : iterable of paths
        Where each data set of the run came from.
    failed : bool
        Whether a job failed.

    Returns
    -------
    str
        A few lines; none where the run wrote no report.
    """
    if not pages:
        return ""
    lines = (
        ["Some jobs failed, see above. The same command runs them again and leaves the rest alone."] if failed else []
    )
    for name, reason in unobtained(data).items():
        lines.append(f"Missing data: {name}. {reason.splitlines()[0]}")
    return "\n".join([*lines, *(f"Read {page}" for page in pages)])
