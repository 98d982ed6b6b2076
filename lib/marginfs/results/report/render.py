"""The report as one HTML file that needs no network."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from marginfs.markdown import markdown_table
from marginfs.results.layouts import MARKS
from marginfs.results.report.outcomes import CLAIM_VERDICTS, shares
from marginfs.results.report.pictures import embedded
from marginfs.results.report.sections import Report
from marginfs.results.tuned import HEADER
from marginfs.results.verdicts import MEANINGS, VERDICTS

CLAIM_MARKS = {"holds": "✓", "fails": "✗", "undecided": "?", "not run": "–"}


def render_html(report: Report, up: str = "") -> str:
    """Write the page.

    Parameters
    ----------
    report : Report
        What it shows.
    up : str
        From the page to the folder of the run.

    Returns
    -------
    str
        HTML.
    """
    pictures = embedded(path for figure in report.figures for path in (figure.picture, figure.full) if path)
    return (
        _environment()
        .get_template("report.html")
        .render(
            report=report,
            up=up,
            pictures=pictures,
            marks=MARKS,
            claim_marks=CLAIM_MARKS,
            verdicts=VERDICTS,
            claim_verdicts=CLAIM_VERDICTS,
            meanings=MEANINGS,
            tuned_header=HEADER,
        )
    )


def render_markdown(template: str, **values: object) -> str:
    """Write a page of the published full runs.

    Parameters
    ----------
    template : str
        Name of its template.
    **values
        What it shows.

    Returns
    -------
    str
        Markdown.
    """
    return (
        _environment().get_template(template).render(marks=MARKS, claim_marks=CLAIM_MARKS, verdicts=VERDICTS, **values)
    )


@functools.cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("marginfs.results.report"),
        autoescape=lambda name: name is not None and name.endswith(".html"),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters.update(inline=_inline, shares=shares, slug=_slug, rows=_markdown_rows)
    return environment


def _inline(text: str) -> Markup:
    """Text in which `code` is code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def _markdown_rows(rows: Iterable[Sequence[object]], header: Sequence[str]) -> str:
    return markdown_table(header, list(rows))


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
