"""Formulas in the headings of figures, read before any job instead of when they are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from marginfs.errors import ConfigError


def check_math(figures: Mapping[str, Any], where: str) -> None:
    """Raise ConfigError for a text between dollar signs that matplotlib cannot set.

    Parameters
    ----------
    figures : mapping
        What a protocol has under figures.
    where : str
        The file, for messages.
    """
    marked = [(place, text) for place, text in _texts(figures, f"{where}: figures") if "$" in text]
    if not marked:
        return
    from matplotlib.cbook import is_math_text
    from matplotlib.mathtext import MathTextParser

    parser = MathTextParser("path")
    for place, text in marked:
        try:
            if is_math_text(text):
                parser.parse(text)
        except ValueError as error:
            reason = next(line for line in reversed(str(error).splitlines()) if line.strip())
            raise ConfigError(
                f"{place} is {text!r}, which is no formula ({reason.strip()}); write it right, or \\$ for a dollar sign"
            ) from None


def _texts(value: Any, place: str) -> Iterator[tuple[str, str]]:
    """Every text of a nested value, with its place."""
    if isinstance(value, str):
        yield place, value
    inside = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inside:
        yield from _texts(part, f"{place}.{key}")
