"""One table of styles: a method looks the same in every figure."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from marginfs.study.axes import Axis

BLUE, ORANGE, GREEN, VERMILION = "#0173b2", "#de8f05", "#029e73", "#d55e00"
PINK, BROWN, GREY, SKY, BLACK = "#cc78bc", "#ca9161", "#949494", "#56b4e9", "#000000"
PALETTE = (BLUE, ORANGE, GREEN, VERMILION, PINK, BROWN, SKY, GREY, BLACK)
"""Colours that can be told apart without seeing red and green."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
LINES = ("-", "--", "-.", ":")


@dataclass(frozen=True)
class Style:
    """How a curve looks.

    Attributes
    ----------
    colour : str
        Its colour.
    marker : str
        What stands at its points.
    line : str
        Its line style.
    """

    colour: str
    marker: str = "o"
    line: str = "-"


STYLES: Mapping[str, Style] = {
    "random": Style(BLACK, "", ":"),
    "svm": Style(GREY, "v"),
    "svm_rfe": Style(VERMILION, "s"),
    "svm_rfe_quadratic": Style(BROWN, "D", "--"),
    "corr": Style(BROWN, "X"),
    "mfe": Style(BLUE),
    "mfe_lo": Style(GREEN, "^", "--"),
    "mfe_kernel": Style(BLUE, "D", "-."),
    "rfe": Style(VERMILION, "s"),
    "rfe_abs": Style(ORANGE, "v", "--"),
    "rfe_fixed": Style(VERMILION, "s"),
    "rfe_kernel": Style(VERMILION, "P", "-."),
    "gmkl": Style(GREEN, "^"),
    "full_fs": Style(ORANGE, "s"),
    "ao_efs": Style(BLUE),
    "simple_ao": Style(SKY, "v", "-."),
    "margin_sharing": Style(SKY, "P", ":"),
    "mi": Style(BROWN, "X", "--"),
    "relief": Style(PINK, "D", "--"),
    "weston": Style(ORANGE, "s"),
    "sfm": Style(BLUE),
    "w2": Style(BLUE),
    "r2w2": Style(ORANGE, "^"),
    "span": Style(GREEN, "D"),
    "grad_w2": Style(BLUE, "s", "--"),
    "grad_r2w2": Style(ORANGE, "v", "--"),
    "grad_span": Style(GREEN, "P", "--"),
    "w2_retrained": Style(BLUE, "X", ":"),
    "r2w2_retrained": Style(ORANGE, "P", ":"),
    "span_retrained": Style(GREEN, "v", ":"),
}
"""A selector's name in the protocols -> its style."""


SYMBOLS: Mapping[str, str] = {
    "w2": r"$\|w\|^2$",
    "R2w2": r"$R^2\|w\|^2$",
    "grad w2": r"$\nabla\|w\|^2$",
    "grad R2w2": r"$\nabla R^2\|w\|^2$",
    "grad span": r"$\nabla$ span",
    "w2, retrained": r"$\|w\|^2$, retrained",
    "R2w2, retrained": r"$R^2\|w\|^2$, retrained",
    "R2w2 / m": r"$R^2\|w\|^2 / m$",
    "sigma": r"$\sigma$",
    "sigma = 3": r"$\sigma = 3$",
    "gamma": r"$\gamma$",
    "C": "$C$",
    "RFE_abs": r"RFE$_{\mathrm{abs}}$",
    "MFE_kernel": r"MFE$_{\mathrm{kernel}}$",
    "RFE_kernel of one machine": r"RFE$_{\mathrm{kernel}}$ of one machine",
    "RFE_abs of one machine": r"RFE$_{\mathrm{abs}}$ of one machine",
}
"""A name in the protocols -> how the papers print it."""


def symbol(name: str) -> str:
    """Write a name as the papers print it.

    Parameters
    ----------
    name : str
        A label of a protocol.

    Returns
    -------
    str
        The label, with its symbols.
    """
    return SYMBOLS.get(name, name)


def style_of(selector: str) -> Style:
    """Find the style of a selector.

    Parameters
    ----------
    selector : str
        Its name in the protocols.

    Returns
    -------
    Style
        That of the table, or one that follows from the name alone.
    """
    if selector in STYLES:
        return STYLES[selector]
    number = zlib.crc32(selector.encode())
    number, colour = divmod(number, len(PALETTE))
    number, marker = divmod(number, len(MARKERS))
    return Style(PALETTE[colour], MARKERS[marker], LINES[number % len(LINES)])


def styles_along(axis: Axis, names: list[str]) -> dict[str, Style]:
    """Find the styles of all curves of a panel.

    Parameters
    ----------
    axis : Axis
        What tells the curves apart.
    names : list of str
        How the figure writes them, in order.

    Returns
    -------
    dict of str to Style
        By name: a selector's own style; otherwise the place along the axis decides.
    """
    if axis.by == "selector":
        selectors = {axis.name(value): str(value) for value in axis.shown}
        return {name: style_of(selectors.get(name, name)) for name in names}
    order = enumerate([axis.name(value) for value in axis.shown] or names)
    return {
        name: Style(PALETTE[place % len(PALETTE)], MARKERS[place % len(MARKERS)], LINES[place // len(PALETTE) % 4])
        for place, name in order
    }
