"""Pictures inside the page, small enough that the page stays one file that can be mailed."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable
from pathlib import Path

from PIL import Image

WIDTHS = (1400, 1100, 800)
"""Pixels that a picture may be wide; the next one is tried while all together are too large."""
COLOURS = 96
MOST = 6_500_000
"""Bytes that all pictures of a page may have together."""


def embedded(paths: Iterable[Path]) -> dict[Path, str]:
    """Make the pictures of a page part of it.

    Parameters
    ----------
    paths : iterable of Path
        PNG files.

    Returns
    -------
    dict
        File -> data address.
    """
    files = list(dict.fromkeys(paths))
    found: dict[Path, bytes] = {}
    for width in WIDTHS:
        found = {path: _reduced(path, width) for path in files}
        if sum(map(len, found.values())) <= MOST:
            break
    return {path: f"data:image/png;base64,{base64.b64encode(content).decode()}" for path, content in found.items()}


def _reduced(path: Path, width: int) -> bytes:
    """A picture of few colours, at most `width` wide."""
    with Image.open(path) as picture:
        plain = picture.convert("RGB")
    if plain.width > width:
        plain = plain.resize((width, round(plain.height * width / plain.width)), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    plain.quantize(COLOURS, dither=Image.Dither.NONE).save(out, format="PNG", optimize=True)
    return out.getvalue()
