"""What a report is asked to show, by the configuration."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from marginfs.study.run_files import RunFiles
from marginfs.study.study import Study


def report_request(study: Study, run: str, papers: Sequence[str], reference: str | Path) -> dict[str, Any]:
    """Say what a report of papers shows.

    Parameters
    ----------
    study : Study
        The configuration.
    run : str
        Name of the run.
    papers : sequence of str
        Keys, those of comparisons and of the user's own data among them.
    reference : path
        The folder of the reference runs.

    Returns
    -------
    dict
        The arguments of `ReportRequest`, in plain values.
    """
    files = RunFiles(study)
    protocols = {key: study.papers[key].protocol for key in papers}
    published = study.published(papers)
    return {
        "folder": f"results/{run}",
        "reference": str(reference),
        "run": run,
        "papers": {key: protocols[key] for key in published},
        "claims": {key: study.papers[key].claims for key in published},
        "comparisons": {key: protocols[key] for key in papers if key in study.comparisons},
        "own_data": {key: protocols[key] for key in papers if key in study.own_data},
        "sources": {
            key: {name: list(study.data_files(key, name, run).values()) for _, name in files.experiments([key])}
            for key in papers
        },
        "reading": study.changes(run),
        "tuned": files.tuned_experiments(run, papers),
    }
