"""Figures: curves by step or by a grid key, panels with curves or experiments of their own, and what was not run."""

from __future__ import annotations

import pandas as pd
import pytest

from marginfs.artefacts import axes_of, experiments_of
from marginfs.figures import build_curves, caption, draw, save
from marginfs.tables import build_table, read_evaluations

BY_STEP = {
    "title": "Error along the ranking",
    "experiment": "a",
    "curves": {"by": "selector", "labels": {"zero": "Zero", "zero_b": "Zero b"}},
    "columns": [
        {"metric": "test_error", "label": "left", "y": "Error (%)", "title": "Left", "scale": 100},
        {
            "metric": "test_error",
            "label": "right",
            "curves": {"by": "selector", "labels": {"first": "First"}},
            "log": True,
        },
    ],
    "x": {"label": "Variables"},
}
BY_KEY = {
    "title": "Influence of C and sigma",
    "experiment": "c",
    "curves": {"by": "selector", "labels": {"zero": "Zero"}},
    "columns": [
        {"metric": "test_error", "label": "C"},
        {"metric": "test_error", "label": "sigma", "experiment": "s", "x": {"by": "sigma", "label": "sigma"}},
    ],
    "x": {"by": "C", "label": "C", "log": True},
}


@pytest.fixture
def folder(tmp_path):
    a = [("zero", 0, "test_error", step, 0.1 * step) for step in (0, 1, 2)]
    a += [("zero", 1, "test_error", step, 0.3 * step) for step in (0, 1, 2)]
    a += [("first", 0, "test_error", 1, 0.4), ("first", 0, "bound", 1, 7.0), ("other", 0, "test_error", 1, 0.9)]
    write(tmp_path / "a.csv", ["selector", "split", "metric", "step", "value"], a)
    c = [("zero", split, C, "test_error", 0, C * (split + 1)) for split in (0, 1) for C in (10.0, 1.0)]
    write(tmp_path / "c.csv", ["selector", "split", "C", "metric", "step", "value"], c)
    write(tmp_path / "s.csv", ["selector", "split", "sigma", "metric", "step", "value"], [])
    return tmp_path


def write(path, columns, rows):
    pd.DataFrame(rows, columns=columns).to_csv(path, index=False)


def curves_of(spec, folder):
    return build_curves(spec, read_evaluations(folder / f"{name}.csv" for name in experiments_of(spec)))


def test_points_of_panels_with_their_own_curves(folder):
    curves = curves_of(BY_STEP, folder)
    points = list(
        zip(curves["panel"], curves["curve"], curves["x"], curves["y"].round(9), curves["trials"], strict=True)
    )
    assert points == [
        ("left", "Zero", 1, 20.0, 2),
        ("left", "Zero", 2, 40.0, 2),
        ("right", "First", 1, 0.4, 1),
    ]
    assert curves["spread"].iloc[0] == pytest.approx(100 * 0.02**0.5)


def test_points_along_a_grid_key(folder):
    curves = curves_of(BY_KEY, folder)
    assert dict(zip(curves["x"], curves["y"], strict=True)) == {10.0: 15.0, 1.0: 1.5}
    assert set(curves["panel"]) == {"C"}


def test_drawing(folder):
    figure = draw(BY_STEP, curves_of(BY_STEP, folder), "caption")
    left, right = figure.axes
    assert (left.get_ylabel(), left.get_title(), left.get_yscale()) == ("Error (%)", "Left", "linear")
    assert (right.get_ylabel(), right.get_yscale()) == ("right", "log")
    assert [text.get_text() for text in right.get_legend().get_texts()] == ["First"]


def test_a_panel_without_data_says_so(folder):
    left, right = draw(BY_KEY, curves_of(BY_KEY, folder), "caption").axes
    assert left.get_xscale() == "log"
    assert [text.get_text() for text in left.texts] == []
    assert [text.get_text() for text in right.texts] == ["not run"]


def test_a_figure_without_any_data(folder):
    spec = {**BY_KEY, "experiment": "s", "x": {"by": "sigma", "label": "sigma"}}
    curves = curves_of(spec, folder)
    assert len(curves) == 0
    text = caption(spec, "5", "paper", "quick", curves, 100)
    assert text.endswith("not run")
    figure = draw({**spec, "rows": {"by": "train", "values": [20, 50], "label": "n = {}"}}, curves, text)
    assert [ax.get_title() for ax in figure.axes] == ["n = 20", "n = 20", "n = 50", "n = 50"]


def test_caption_says_how_much_was_run(folder):
    curves = curves_of(BY_STEP, folder)
    assert "Fidelity quick: 2 trials; published: 100" in caption(BY_STEP, "2", "paper", "quick", curves, 100)
    assert "published" not in caption(BY_STEP, "error", "mine", "quick", curves, None)


def test_same_curves_same_bytes(folder):
    curves = curves_of(BY_STEP, folder)
    for name in ("1", "2"):
        save(draw(BY_STEP, curves, "caption"), folder / f"{name}.pdf", folder / f"{name}.png")
    for kind in ("pdf", "png"):
        assert (folder / f"1.{kind}").read_bytes() == (folder / f"2.{kind}").read_bytes()


def test_axes_of_a_figure_and_of_a_table():
    assert list(axes_of(BY_KEY)) == [
        ("c", "curves", "selector"),
        ("c", "x", "C"),
        ("s", "curves", "selector"),
        ("s", "x", "sigma"),
    ]
    table = {"experiment": ["c", "s"], "rows": {"by": "experiment"}, "columns": {"by": "selector"}}
    assert experiments_of(table) == ["c", "s"]


def test_a_table_over_experiments_with_one_missing(folder):
    spec = {"metric": "test_error", "unit": "", "rows": {"by": "experiment"}, "columns": {"by": "selector"}}
    published = pd.DataFrame(
        [("a", "zero", "0.0", "0.1"), ("s", "zero", "0.5", None), ("c", "zero", None, None)],
        columns=["row", "column", "value", "spread"],
    )
    only_missing = build_table(spec, read_evaluations([folder / "s.csv"]), published, trials=100)
    assert list(only_missing["verdict"]) == ["not run"] * 3
    both = build_table(spec, read_evaluations(folder / f"{name}.csv" for name in "asc"), published, trials=100)
    assert list(both["verdict"]) == ["match", "not run", "unpublished"]
