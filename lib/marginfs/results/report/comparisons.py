"""Comparisons of selectors in a report."""

from __future__ import annotations

import pandas as pd

from marginfs.results.comparison_table import HEADER, comparison_legend, comparison_rows
from marginfs.results.report.figure_sections import figure_section
from marginfs.results.report.result_files import ResultFiles
from marginfs.results.report.sections import ComparisonSection, ComparisonTable, ReportRequest
from marginfs.study.runs import split_run


def comparison_section(request: ReportRequest, key: str) -> ComparisonSection:
    """Gather everything about one comparison.

    Parameters
    ----------
    request : ReportRequest
        What is shown.
    key : str
        The comparison.

    Returns
    -------
    ComparisonSection
        The comparison; the full run stands beside a reduced one.
    """
    protocol = request.comparisons[key]
    files, reference = ResultFiles.of_run(request.folder, key), ResultFiles.of_reference(request.reference, key)
    beside = reference if reference.exist and split_run(request.run) != ("paper", "") else None
    return ComparisonSection(
        key=key,
        title=protocol["title"],
        legend=comparison_legend(protocol["comparison"]),
        header=tuple(HEADER),
        found=comparison_of(files),
        full=comparison_of(beside) if beside else None,
        figures=tuple(figure_section(key, number, spec, files, beside) for number, spec in protocol["figures"].items()),
        file=f"tables/{key}/comparison.csv",
    )


def comparison_of(files: ResultFiles) -> ComparisonTable | None:
    """Read what a comparison found.

    Parameters
    ----------
    files : ResultFiles
        Its results.

    Returns
    -------
    ComparisonTable or None
        None where it was not made.
    """
    table, text = files.tables / "comparison.csv", files.tables / "comparison.txt"
    if not (table.exists() and text.exists()):
        return None
    rows = comparison_rows(pd.read_csv(table))
    return ComparisonTable(text.read_text(encoding="utf-8").strip(), tuple(map(tuple, rows)))
