"""Own data: the chosen number of features, intervals, stability and comparisons against their definitions."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.metrics import balanced_accuracy_score, roc_auc_score
from sklearn.svm import SVC

from marginfs.data.load import SplitData
from marginfs.evaluation.ranking_curve import area_under_curve, ranking_curve
from marginfs.results.own_summary import chosen_size, comparison_table, summary_markdown, summary_table
from marginfs.types import Selection

OVERLAP = 0.5


def evaluation(**errors) -> pd.DataFrame:
    """Selector -> errors, a row per split and a column per number of features 1, 2, 5."""
    rows = []
    for selector, table in errors.items():
        for split, line in enumerate(table):
            rows += [(selector, split, "test_error", step, value) for step, value in zip((1, 2, 5), line, strict=True)]
            rows += [(selector, split, "balanced_error", step, 0.25) for step in (1, 2, 5)]
            rows += [(selector, split, "majority_error", 0, 0.4)]
            rows += [
                (selector, split, "rank", column, float(place)) for place, column in enumerate((3, 1 + split, 6), 1)
            ]
    return pd.DataFrame(rows, columns=["selector", "split", "metric", "step", "value"])


ERRORS = [[0.30, 0.12, 0.10], [0.28, 0.16, 0.14], [0.35, 0.10, 0.12]]


def test_one_standard_error_with_shared_points():
    curve = pd.DataFrame(ERRORS, columns=[1, 2, 5])
    error = np.sqrt((1 / 3 + OVERLAP) * curve[5].var(ddof=1))
    assert curve[2].mean() <= curve[5].mean() + error < curve[1].mean()
    assert chosen_size(curve, OVERLAP) == 2
    assert chosen_size(pd.DataFrame([[0.3, 0.1, 0.2]], columns=[1, 2, 5]), OVERLAP) == 2


def test_the_interval_is_the_corrected_one():
    line = summary_table(evaluation(rfe=ERRORS), 6, OVERLAP).iloc[0]
    values = np.array(ERRORS)[:, 1]
    half = stats.t.ppf(0.975, 2) * np.sqrt((1 / 3 + OVERLAP) * values.var(ddof=1))
    assert line["features"] == 2
    assert line["test_error"] == pytest.approx(values.mean(), abs=1e-6)
    assert line["high"] == pytest.approx(values.mean() + half, abs=1e-6)
    assert line["low"] == pytest.approx(max(values.mean() - half, 0.0), abs=1e-6)
    assert (line["balanced_error"], line["majority_error"], line["trials"]) == (0.25, 0.4, 3)


def test_comparisons_are_paired():
    worse = [[a + 0.1, b + 0.1 + 0.01 * k, c + 0.1] for k, (a, b, c) in enumerate(ERRORS)]
    table = comparison_table(evaluation(rfe=ERRORS, other=worse), OVERLAP)
    gap = np.array([-0.10, -0.11, -0.12])
    t = abs(gap.mean()) / np.sqrt((1 / 3 + OVERLAP) * gap.var(ddof=1))
    assert table.loc[0, ["selector", "against"]].tolist() == ["rfe", "other"]
    assert table.loc[0, "difference"] == pytest.approx(-0.11)
    assert table.loc[0, "p_value"] == pytest.approx(2 * stats.t.sf(t, 2), abs=1e-6)
    same = comparison_table(evaluation(rfe=ERRORS, twin=ERRORS), OVERLAP)
    assert same.loc[0, "p_value"] == 1.0


def test_the_page_names_baseline_and_interval():
    made = evaluation(rfe=ERRORS, other=ERRORS)
    text = summary_markdown(summary_table(made, 6, OVERLAP), comparison_table(made, OVERLAP), "tumours")
    assert "Always the most frequent class: 40.0 %" in text
    assert "| rfe | 2 | 12.7 (" in text
    assert "| rfe | other | +0.0 | 1.000 |" in text


def test_errors_and_area_are_those_of_scikit_learn():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((90, 5))
    y = np.where(X[:, 0] + rng.standard_normal(90) > 0.5, "ill", "healthy")
    data = SplitData(X[:60], y[:60], X[60:], y[60:])
    found = ranking_curve(Selection(np.arange(5)), data, C=1.0, slack="l1", tol=1e-8)
    measured = {(measure.metric, measure.step): measure.value for measure in found}
    for size in (1, 2, 5):
        machine = SVC(kernel="linear", tol=1e-8).fit(X[:60, :size], y[:60])
        predicted, scores = machine.predict(X[60:, :size]), machine.decision_function(X[60:, :size])
        assert measured["test_error", size] == pytest.approx(np.mean(predicted != y[60:]))
        assert measured["balanced_error", size] == pytest.approx(1 - balanced_accuracy_score(y[60:], predicted))
        assert measured["auc", size] == pytest.approx(roc_auc_score(y[60:] == "ill", scores))
    assert measured["majority_error", 0] == pytest.approx(np.mean(y[60:] == "ill"))
    assert np.isnan(area_under_curve(np.array([1.0]), np.array([True])))
