"""Writing the report of a run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from marginfs.files import write_text
from marginfs.results.report.compose import compose
from marginfs.results.report.render import render_html
from marginfs.results.report.sections import ReportRequest


def write_report(request: Mapping[str, Any], path: str | Path) -> None:
    """Write the report of a run.

    Parameters
    ----------
    request : mapping
        The arguments of `ReportRequest`.
    path : path
        Where the page goes: into the folder of the run or a folder in it, so that its links lead to the files.
    """
    made = ReportRequest(**request)
    up = os.path.relpath(made.folder, Path(path).parent)
    write_text(path, render_html(compose(made), "" if up == "." else f"{up}/"))
