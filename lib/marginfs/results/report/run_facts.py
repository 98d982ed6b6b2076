"""What is true of a whole run: what it was made with, its data, what failed, what tuning chose."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from marginfs.results.report.choice_rows import shown
from marginfs.results.report.closing import unobtained
from marginfs.results.report.result_files import ResultFiles
from marginfs.results.report.sections import ReportRequest
from marginfs.results.tuned import tuned_rows
from marginfs.study.runs import split_run

LOG_LINES = 6
"""Lines of a failed job's log that the page shows."""


def missing_data(request: ReportRequest) -> dict[str, str]:
    """Find the data sets that could not be obtained.

    Parameters
    ----------
    request : ReportRequest
        What the report shows.

    Returns
    -------
    dict
        Data set -> the message that says where it was looked for and what to do.
    """
    files = {file for experiments in request.sources.values() for names in experiments.values() for file in names}
    return unobtained(Path(request.data_folder, f"{file}.json") for file in sorted(files))


def data_card(path: Path) -> tuple[tuple[str, ...], ...]:
    """Read the data card of a run.

    Parameters
    ----------
    path : Path
        The card as CSV.

    Returns
    -------
    tuple of tuple of str
        Its header and lines; nothing where there is no card.
    """
    if not path.exists():
        return ()
    card = pd.read_csv(path, dtype=str, keep_default_na=False)
    return (tuple(card.columns), *(tuple(row) for row in card.itertuples(index=False)))


def provenance_of(request: ReportRequest) -> tuple[tuple[str, str], ...]:
    """Say what a run was made with, once for all papers.

    Parameters
    ----------
    request : ReportRequest
        What the report shows.

    Returns
    -------
    tuple of (str, str)
        What, and which.
    """
    keys = [*request.papers, *request.comparisons, *request.own_data]
    records = [record for key in keys if (record := ResultFiles.of_run(request.folder, key).record())]
    work = [record["work"] for record in records]
    versions = _joined(f"{name} {version}" for record in records for name, version in record["versions"].items())
    made = ", ".join(f"{name} = {shown(value)}" for name, value in request.reading.items())
    seconds = sum(item["cpu_seconds"] for item in work)
    return (
        ("marginfs", importlib.metadata.version("marginfs")),
        ("commit", _joined(record["commit"] for record in records)),
        ("fidelity", split_run(request.run)[0]),
        ("seed", _joined(str(record["study"]["seed"]) for record in records)),
        ("choices", made or "all as in config/papers"),
        ("machine", _joined(machine for item in work for machine in item["machine"])),
        ("work", f"{sum(item['jobs'] for item in work)} jobs, {_duration(seconds)} of CPU time" if work else "unknown"),
        ("convergence", _convergence(work)),
        ("versions", versions),
    )


def _convergence(work: list[dict[str, int]]) -> str:
    """How many selections a solver ended at its limit; runs of earlier versions did not count them."""
    counted = [item for item in work if "selections" in item]
    made, stopped = (sum(item[key] for item in counted) for key in ("selections", "stopped_at_limit"))
    return f"{stopped} of {made} selections stopped at the limit of their solver" if counted else "not counted"


def _joined(values: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(values)) or "unknown"


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def failures(folder: Path) -> tuple[tuple[str, str], ...]:
    """Find the logs that say something: a job that ends well leaves an empty one.

    Parameters
    ----------
    folder : Path
        The folder of the run.

    Returns
    -------
    tuple of (str, str)
        Each log, and its last lines.
    """
    logs = sorted(path for path in (folder / "logs").rglob("*.log") if path.stat().st_size)
    found = []
    for path in logs:
        lines = path.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        found.append((str(path.relative_to(folder)), "\n".join(lines[-LOG_LINES:])))
    return tuple(found)


def tuned_options(request: ReportRequest) -> tuple[tuple[str, ...], ...]:
    """Summarise what tuning chose.

    Parameters
    ----------
    request : ReportRequest
        What the report shows.

    Returns
    -------
    tuple of tuple of str
        The lines of `tuned_rows`.
    """
    results = Path(request.folder).parent
    paths = [results / name / "evaluations" / paper / f"{experiment}.csv" for paper, experiment, name in request.tuned]
    return tuple(tuple(map(str, row)) for row in tuned_rows(path for path in paths if path.exists()))
