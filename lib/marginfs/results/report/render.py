"""The report as one HTML file that needs no network."""

from __future__ import annotations

import functools
import re

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

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


@functools.cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("marginfs.results.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters.update(inline=_inline, shares=shares, slug=_slug)
    return environment


def _inline(text: str) -> Markup:
    """Text in which `code` is code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
