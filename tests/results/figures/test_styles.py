"""The same method looks the same in every figure."""

from __future__ import annotations

from pathlib import Path

import yaml

from marginfs.results.figures.styles import STYLES, Style, style_of, styles_along
from marginfs.study.axes import Axis
from marginfs.study.figure_specs import FigureSpec

PAPERS = Path(__file__).parents[3] / "config" / "papers"


def test_a_selector_keeps_its_style_under_another_name():
    one = Axis("selector", labels={"sfm": "SFM", "weston": "Weston et al."})
    other = Axis("selector", labels={"weston": "Weston"})
    assert styles_along(one, ["Weston et al."])["Weston et al."] == styles_along(other, ["Weston"])["Weston"]
    assert styles_along(Axis("selector"), ["sfm"])["sfm"] == STYLES["sfm"]


def test_an_unknown_selector_has_a_stable_style():
    assert style_of("mine") == style_of("mine") == Style("#cc78bc", "o", "--")
    assert len({style_of(f"method_{number}") for number in range(100)}) > 60


def test_other_axes_go_by_place():
    axis = Axis("C", values=(0.1, 1.0, 10.0))
    styles = styles_along(axis, ["1.0"])
    assert list(styles) == ["0.1", "1.0", "10.0"]
    assert len(set(styles.values())) == 3


def test_no_two_curves_of_a_panel_look_the_same():
    for path in sorted(PAPERS.glob("*.yaml")):
        figures = yaml.safe_load(path.read_text()).get("figures", {})
        for number, config in figures.items():
            for panel in FigureSpec.from_config(config, number).panels:
                names = [panel.curves.name(value) for value in panel.curves.shown]
                styles = styles_along(panel.curves, names).values()
                assert len(set(styles)) == len(names), (path.stem, number, panel.label)
