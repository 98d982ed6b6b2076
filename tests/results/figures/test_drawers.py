"""Every kind of figure: its tidy frame, what is drawn, and drawers of one's own."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from marginfs.errors import ConfigError
from marginfs.results.figures.drawers import Drawer, drawer_of
from marginfs.results.figures.page import caption, save
from marginfs.study.figure_specs import DRAWERS, FigureSpec

CONFIG = {
    "title": "t",
    "experiment": "a",
    "curves": {"by": "selector", "labels": {"mfe": "MFE", "rfe": "RFE"}},
    "columns": [{"metric": "error", "label": "Error (%)", "scale": 100}],
    "x": {"by": "source", "label": "data set"},
}


def spec(**changes) -> FigureSpec:
    return FigureSpec.from_config({**CONFIG, **changes}, "figures.1")


def evaluation(rows) -> pd.DataFrame:
    columns = ["selector", "split", "source", "metric", "step", "value"]
    return pd.DataFrame(rows, columns=columns).assign(experiment="a")


@pytest.fixture
def measures() -> pd.DataFrame:
    sources = {"sonar": 0.2, "heart": 0.4}
    rows = [
        (selector, split, source, "error", 0, level + 0.1 * split)
        for selector in ("mfe", "rfe")
        for split in (0, 1)
        for source, level in sources.items()
    ]
    rows += [("mfe", split, source, "features", 0, 5.0 + split) for split in (0, 1) for source in sources]
    return evaluation(rows)


@pytest.mark.parametrize("kind", DRAWERS)
def test_every_kind_has_a_drawer(kind):
    assert isinstance(drawer_of(spec(kind=kind)), Drawer)


def test_bars_stand_in_groups(measures):
    figure = spec(kind="bars")
    drawer = drawer_of(figure)
    frame = drawer.frame(figure, measures)
    assert list(zip(frame["curve"], frame["x"], frame["y"].round(6), strict=True)) == [
        ("MFE", "sonar", 25.0),
        ("MFE", "heart", 45.0),
        ("RFE", "sonar", 25.0),
        ("RFE", "heart", 45.0),
    ]
    ax = drawer.draw(figure, frame).axes[0]
    assert [text.get_text() for text in ax.get_xticklabels()] == ["sonar", "heart"]
    assert sorted(round(bar.get_height(), 6) for bar in ax.patches) == [25.0, 25.0, 45.0, 45.0]


def test_scatter_pairs_two_metrics_of_a_split(measures):
    columns = [{"metric": "error", "label": "Error", "at": {"source": "sonar"}}]
    figure = spec(kind="scatter", columns=columns, x={"metric": "features", "label": "Features"})
    drawer = drawer_of(figure)
    frame = drawer.frame(figure, measures)
    assert list(frame.columns) == ["row", "panel", "curve", "split", "x", "y"]
    assert frame[["curve", "split", "x"]].to_numpy().tolist() == [["MFE", 0, 5.0], ["MFE", 1, 6.0]]
    assert frame["y"].tolist() == pytest.approx([0.2, 0.3])
    ax = drawer.draw(figure, frame).axes[0]
    np.testing.assert_allclose(ax.collections[0].get_offsets(), frame[["x", "y"]])
    assert caption(figure, "5.11", "p", "quick", frame, 7).endswith("Fidelity quick: 2 splits; published: 7")


def test_images_are_laid_out_row_by_row():
    pixels = [("mfe", 0, "faces", "weight", pixel + 1, float(pixel)) for pixel in range(6)]
    columns = [{"metric": "weight", "label": "Weights", "shape": [2, 3], "at": {"source": "faces"}}]
    figure = spec(kind="images", columns=columns, x={"label": ""})
    drawer = drawer_of(figure)
    first, second = drawer.draw(figure, drawer.frame(figure, evaluation(pixels))).axes
    np.testing.assert_array_equal(first.images[0].get_array(), [[0, 1, 2], [3, 4, 5]])
    assert (first.get_title(), second.get_title()) == ("MFE", "RFE")
    assert [text.get_text() for text in second.texts] == ["not run: a"]


LOSS = Drawer(
    frame=lambda spec, _: pd.DataFrame({"x": [0.0, 1.0], "y": [spec.options["height"], 0.0]}),
    draw=lambda spec, frame: _drawn(frame),
)
NOT_A_DRAWER = 3


def _drawn(frame: pd.DataFrame) -> Figure:
    figure = Figure()
    figure.subplots().plot(frame["x"], frame["y"])
    return figure


def test_a_drawer_of_ones_own_needs_no_experiment(tmp_path):
    figure = FigureSpec.from_config({"title": "loss", "kind": f"{__name__}:LOSS", "options": {"height": 2.0}}, "")
    frame = drawer_of(figure).frame(figure, pd.DataFrame())
    assert frame["y"].tolist() == [2.0, 0.0]
    text = caption(figure, "1", "p", "quick", frame, 5)
    save(drawer_of(figure).draw(figure, frame), text, tmp_path / "f.pdf", tmp_path / "f.png")
    assert text.endswith("Fidelity quick: drawn")
    assert (tmp_path / "f.png").stat().st_size > 1000


def test_something_else_is_no_drawer():
    with pytest.raises(ConfigError, match="NOT_A_DRAWER names a int"):
        drawer_of(FigureSpec.from_config({"title": "", "kind": f"{__name__}:NOT_A_DRAWER"}, ""))
