"""The one writer of Markdown tables."""

from __future__ import annotations

import pytest

from marginfs.markdown import markdown_table


def test_a_table():
    assert markdown_table(["a", "b"], [[1, "x"], [2.5, ""]]) == "| a | b |\n|---|---|\n| 1 | x |\n| 2.5 |  |"


def test_bars_and_line_breaks_do_not_break_a_cell():
    assert markdown_table(["a"], [["x|y\nz"]]).splitlines()[2] == r"| x\|y z |"


def test_a_row_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="2 cells"):
        markdown_table(["a"], [[1, 2]])
