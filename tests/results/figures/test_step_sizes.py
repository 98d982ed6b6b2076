"""Sizes along an elimination, by the rules alone."""

from __future__ import annotations

import pandas as pd

from marginfs.results.figures.step_sizes import STEP_SIZES
from marginfs.study.figure_specs import FigureSpec

CONFIG = {
    "title": "Steps",
    "kind": "marginfs.results.figures.step_sizes:STEP_SIZES",
    "options": {
        "features": 100,
        "centre": 40,
        "rules": {"constant": {"step": 30}, "reflective": {"step": "reflective", "percentage": 0.5, "centre": 40}},
    },
}


def test_every_rule_is_followed_to_the_end():
    spec = FigureSpec.from_config(CONFIG, "figures.1")
    frame = STEP_SIZES.frame(spec, pd.DataFrame())
    constant = frame[frame["curve"] == "constant"]
    assert constant[["iteration", "features", "step"]].to_numpy().tolist() == [
        [1, 100, 30],
        [2, 70, 30],
        [3, 40, 30],
        [4, 10, 10],
    ]
    reflective = frame[frame["curve"] == "reflective"]
    assert reflective["step"].tolist()[:3] == [30, 15, 7]
    assert reflective["step"].sum() == 100


def test_a_centre_adds_the_panel_of_steps():
    spec = FigureSpec.from_config(CONFIG, "figures.1")
    frame = STEP_SIZES.frame(spec, pd.DataFrame())
    assert len(STEP_SIZES.draw(spec, frame).axes) == 2
    plain = {**CONFIG, "options": {**CONFIG["options"], "centre": None}}
    assert len(STEP_SIZES.draw(FigureSpec.from_config(plain, "figures.1"), frame).axes) == 1
