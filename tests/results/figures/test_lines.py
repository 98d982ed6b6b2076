"""Lines: curves by step or by a grid key, panels with curves or experiments of their own, and what was not run."""

from __future__ import annotations

import pandas as pd
import pytest

from marginfs.results.evaluations import read_evaluations
from marginfs.results.figures.lines import LINES
from marginfs.results.figures.page import DPI, caption, save
from marginfs.study.figure_specs import FigureSpec

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


def made(config, folder) -> tuple[FigureSpec, pd.DataFrame]:
    spec = FigureSpec.from_config(config, "figures.1")
    return spec, LINES.frame(spec, read_evaluations(folder / f"{name}.csv" for name in spec.experiments))


def test_points_of_panels_with_their_own_curves(folder):
    _, curves = made(BY_STEP, folder)
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
    _, curves = made(BY_KEY, folder)
    assert dict(zip(curves["x"], curves["y"], strict=True)) == {10.0: 15.0, 1.0: 1.5}
    assert set(curves["panel"]) == {"C"}


def test_drawing(folder):
    left, right = LINES.draw(*made(BY_STEP, folder)).axes
    assert (left.get_ylabel(), left.get_title(), left.get_yscale()) == ("Error (%)", "Left", "linear")
    assert (right.get_ylabel(), right.get_yscale()) == ("right", "log")
    assert [text.get_text() for text in left.get_legend().get_texts()] == ["Zero"]
    assert [text.get_text() for text in right.get_legend().get_texts()] == ["First"]


def test_an_optimum_the_chance_level_and_other_lines(folder):
    left, right = BY_STEP["columns"]
    lines = [{"label": "printed", "x": 1.5}, {"label": "all", "y": 30}]
    config = {**BY_STEP, "columns": [{**left, "optimum": "max", "chance": 50, "lines": lines}, right]}
    ax = LINES.draw(*made(config, folder)).axes[0]
    drawn = [(list(line.get_xdata()), list(line.get_ydata())) for line in ax.get_lines()]
    assert ([2.0], [pytest.approx(40.0)]) in drawn
    assert ([0, 1], [50, 50]) in drawn
    assert ([1.5, 1.5], [0, 1]) in drawn
    assert ([0, 1], [30, 30]) in drawn
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["chance", "printed", "all", "Zero"]


def test_a_panel_at_a_fixed_value(folder):
    panel = {"metric": "test_error", "label": "C = 10", "at": {"C": 10.0}}
    config = {**BY_KEY, "x": {"by": "split", "label": "Split"}, "columns": [panel]}
    _, curves = made(config, folder)
    assert dict(zip(curves["x"], curves["y"], strict=True)) == {0: 10.0, 1: 20.0}


def test_a_panel_without_data_says_so(folder):
    left, right = LINES.draw(*made(BY_KEY, folder)).axes
    assert left.get_xscale() == "log"
    assert [text.get_text() for text in left.texts] == []
    assert [text.get_text() for text in right.texts] == ["not run: s"]


def test_a_figure_without_any_data(folder):
    config = {**BY_KEY, "experiment": "s", "x": {"by": "sigma", "label": "sigma"}}
    spec, curves = made(config, folder)
    assert len(curves) == 0
    assert caption(spec, "5", "paper", "quick", curves, 100).endswith("not run")
    rows = FigureSpec.from_config({**config, "rows": {"by": "train", "values": [20, 50], "label": "n = {}"}}, "")
    figure = LINES.draw(rows, curves)
    assert [ax.get_title() for ax in figure.axes] == ["n = 20", "n = 20", "n = 50", "n = 50"]


def test_caption_says_how_much_was_run(folder):
    spec, curves = made(BY_STEP, folder)
    assert "Fidelity quick: 2 trials; published: 100" in caption(spec, "2", "paper", "quick", curves, 100)
    alone = curves.assign(trials=1)
    assert "Fidelity quick: 1 trial; published: 100" in caption(spec, "2", "paper", "quick", alone, 100)
    assert "published" not in caption(spec, "error", "mine", "quick", curves, None)
    named = caption(spec, "2", "paper", "quick", curves, 100, {"seed": 7})
    assert named.endswith("standard error of the mean. Not the default reading: seed = 7.")


def test_a_caption_fits_the_figure(folder):
    spec, curves = made({**BY_KEY, "columns": BY_KEY["columns"][:1]}, folder)
    figure = LINES.draw(spec, curves)
    save(figure, "word " * 40, folder / "f.pdf", folder / "f.png")
    assert figure.get_suptitle().count("\n") > 2
    assert figure._suptitle.get_window_extent().width / DPI < figure.get_figwidth()


def test_same_curves_same_bytes(folder):
    spec, curves = made(BY_STEP, folder)
    for name in ("1", "2"):
        save(LINES.draw(spec, curves), "caption", folder / f"{name}.pdf", folder / f"{name}.png")
    for kind in ("pdf", "png"):
        assert (folder / f"1.{kind}").read_bytes() == (folder / f"2.{kind}").read_bytes()


def test_counts_along_a_logarithmic_axis_are_written_out(folder):
    spec, frame = made({**BY_STEP, "x": {"label": "Variables", "log": True}}, folder)
    figure = LINES.draw(spec, frame)
    figure.canvas.draw()
    labels = [tick.get_text() for tick in figure.axes[0].get_xticklabels()]
    assert {"1", "2"} <= {*labels}
    assert not any("$" in label for label in labels)
