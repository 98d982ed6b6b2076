"""Validation curves: means over the trials, and optima by the cost under any weight."""

from __future__ import annotations

import pandas as pd
import pytest

from marginfs.results.figures.validation_curves import VALIDATION_CURVES
from marginfs.study.figure_specs import FigureSpec

TOTAL = 10
ACCURACY = {1: 0.6, 4: 0.8, 10: 0.9}
"""Cost at weight 0.8: 0.34, 0.24, 0.28; at weight 0.5: 0.25, 0.3, 0.55."""
CONFIG = {
    "title": "Accuracy",
    "kind": "validation",
    "experiment": "e",
    "curves": {"by": "selector", "values": ["rfe"]},
    "x": {"label": "Features"},
    "columns": [
        {"metric": "accuracy", "label": "usual", "chance": 0.5},
        {"metric": "accuracy", "label": "even"},
    ],
    "options": {"weights": {"even": 0.5}},
}


def evaluation(**others: dict[int, float]) -> pd.DataFrame:
    rows = []
    for split, shift in enumerate((-0.02, 0.02)):
        for size, accuracy in ACCURACY.items():
            cost = 0.8 * (1.0 - accuracy - shift) + 0.2 * size / TOTAL
            measures = {"accuracy": accuracy + shift, "train_accuracy": 1.0, "cost": cost}
            rows += [("rfe", split, metric, size, value) for metric, value in measures.items()]
        rows.append(("rfe", split, "cost", 0, 0.0))
        rows += [("rfe", split, metric, size, value) for metric in others for size, value in others[metric].items()]
    rows.append(("other", 0, "accuracy", 1, 0.0))
    return pd.DataFrame(rows, columns=["selector", "split", "metric", "step", "value"]).assign(experiment="e")


def made(config=CONFIG, **others) -> tuple[FigureSpec, pd.DataFrame]:
    spec = FigureSpec.from_config(config, "figures.1")
    return spec, VALIDATION_CURVES.frame(spec, evaluation(**others))


def test_curves_are_means_and_optima_follow_the_weight():
    _, frame = made()
    test = frame[(frame["panel"] == "usual") & (frame["curve"] == "test")]
    assert dict(zip(test["x"], test["y"].round(9), strict=True)) == ACCURACY
    best = frame[frame["curve"] == "optimum"].set_index("panel")[["x", "y", "cost"]].round(9)
    assert best.loc["usual"].tolist() == [4, 0.8, 0.24]
    assert best.loc["even"].tolist() == [1, 0.6, 0.25]


def test_an_estimate_and_the_sizes_of_the_elimination_are_drawn_where_they_were_measured():
    estimated = {1: 0.5, 4: 0.7, 10: 1.0}
    cost = {size: 0.8 * (1 - value) + 0.2 * size / TOTAL for size, value in estimated.items()}
    found = {"estimated_accuracy": estimated, "estimated_cost": cost, "elimination_accuracy": {10: 1.0, 5: 0.9}}
    spec, frame = made(**found)
    usual = frame[frame["panel"] == "usual"]
    assert usual.loc[usual["curve"] == "estimated optimum", "x"].tolist() == [10]
    assert sorted(usual.loc[usual["curve"] == "elimination", "x"]) == [5, 10]
    axes = VALIDATION_CURVES.draw(spec, frame).axes
    labels = axes[0].get_legend_handles_labels()[1]
    assert labels == ["test", "training", "estimated", "sizes of the elimination", "chance"]
    texts = [text.get_text() for text in axes[0].texts]
    assert texts == ["optimum (4, 0.8, 0.240)", "estimated optimum (10, 1, 0.200)"]


def test_rows_stand_in_the_heading_of_the_axis():
    config = {**CONFIG, "rows": {"by": "selector", "labels": {"rfe": "RFE"}}}
    spec, frame = made(config)
    assert VALIDATION_CURVES.draw(spec, frame).axes[0].get_ylabel() == "RFE: usual"


@pytest.mark.parametrize("columns", [[{"metric": "accuracy", "label": "x", "at": {"selector": "none"}}]])
def test_what_was_not_run_is_said(columns):
    spec, frame = made({**CONFIG, "columns": columns})
    assert len(frame) == 0
    assert VALIDATION_CURVES.draw(spec, frame).axes[0].texts[0].get_text().startswith("not run: ")
