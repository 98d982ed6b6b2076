"""Tables: the tidy cells, what is missing or new, several metrics, optima, ratios, last rows and other draws."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from marginfs.errors import ConfigError, DataError
from marginfs.results.layouts import to_markdown
from marginfs.results.tables import COLUMNS, DRAW_COLUMNS, build_table, caption
from marginfs.study.table_specs import TableSpec

CONFIG = {
    "title": "Test error",
    "experiment": "toy",
    "metric": "test_error",
    "unit": "%",
    "rows": {"by": "train", "title": "n"},
    "columns": {"by": "selector", "labels": {"svm": "SVM", "sfm": "SFM"}},
}
SPEC = TableSpec.from_config(CONFIG, "tables.1")


def spec(**changes) -> TableSpec:
    config = {**CONFIG, **changes}
    return TableSpec.from_config({key: value for key, value in config.items() if value is not None}, "tables.1")


def printed(*cells) -> pd.DataFrame:
    """(row, column, value, spread) or, with the metric, five of them."""
    rows = [cell if len(cell) == 5 else (*cell[:2], "test_error", *cell[2:]) for cell in cells]
    return pd.DataFrame(rows, columns=["row", "column", "metric", "value", "spread"], dtype=object)


def measured(*rows, experiment="toy") -> pd.DataFrame:
    columns = ["selector", "split", "train", "metric", "step", "value"]
    return pd.DataFrame(rows, columns=columns).assign(experiment=experiment)


PUBLISHED = printed(("20", "SVM", "28.8", "2.2"), ("20", "SFM", "17.5", None), ("50", "SVM", "19.0", "1.9"))
EVALUATION = measured(
    ("svm", 0, 20, "test_error", 0, 0.28),
    ("svm", 1, 20, "test_error", 0, 0.30),
    ("sfm", 0, 20, "test_error", 0, 0.30),
    ("sfm", 1, 20, "test_error", 0, 0.31),
    ("sfm", 0, 50, "test_error", 0, 0.05),
    ("sfm", 1, 50, "test_error", 0, 0.07),
    ("other", 0, 20, "test_error", 0, 0.5),
    ("svm", 0, 20, "features", 0, 202.0),
    ("svm", 0, 20, "test_error", 3, 0.9),
)


def test_a_step_that_no_curve_has_is_a_mistake():
    with pytest.raises(ConfigError, match="step is 999, but its metrics have steps 0 to 3"):
        build_table(spec(step=999), EVALUATION, PUBLISHED, trials=2)


def verdicts(table: pd.DataFrame) -> list[tuple]:
    return list(zip(table["row"], table["column"], table["verdict"], strict=True))


@pytest.fixture
def table() -> pd.DataFrame:
    return build_table(SPEC, EVALUATION, PUBLISHED, trials=100)


def test_cells_in_the_papers_order_then_ours(table):
    assert list(table.columns) == COLUMNS
    assert verdicts(table) == [
        ("20", "SVM", "match"),
        ("20", "SFM", "differs"),
        ("50", "SVM", "not run"),
        ("50", "SFM", "unpublished"),
    ]


def test_numbers_are_percentages_with_sample_spread(table):
    cell = table.iloc[0]
    assert (cell["reproduced"], cell["trials"], cell["difference"]) == (pytest.approx(29.0), 2, pytest.approx(0.2))
    assert cell["reproduced_spread"] == pytest.approx(2**0.5)


def test_layouts_mirror_the_paper(table):
    markdown = to_markdown(table, SPEC, caption(SPEC, "1", "p", "quick", table, 100))
    assert "| n | SVM | SFM |" in markdown
    assert "| 20 | 29.0 ± 1.4 [28.8 ± 2.2] = | 30.5 ± 0.7 [17.5] ≠ |" in markdown
    assert "| 50 | [19.0 ± 1.9] – | 6.0 ± 1.4 new |" in markdown
    assert "Test error (%). Fidelity quick: 2 trials; published: 100; 1 cell not run." in markdown
    assert markdown.endswith("; = match, ≠ differs, – not run, new unpublished.\n")


def test_a_table_may_have_its_own_number_of_published_trials(table):
    own = spec(trials=2)
    assert "published: 2;" in caption(own, "1", "p", "quick", table, 100)
    assert "Fidelity quick: 1 trial; published" in caption(own, "1", "p", "quick", table.assign(trials=1), 100)
    wide = printed(("20", "SFM", "40.0", "15"))
    noisy = EVALUATION.assign(value=np.where(EVALUATION["split"] == 0, 0.45, 0.15))
    assert build_table(SPEC, noisy, wide, trials=100)["verdict"][0] == "compatible"
    assert build_table(own, noisy, wide, trials=100)["verdict"][0] == "match"


def test_a_printed_metric_that_the_table_does_not_show_is_refused():
    with pytest.raises(DataError, match="shows no 'accuracy'"):
        build_table(SPEC, EVALUATION, printed(("20", "SVM", "accuracy", "80", None)), trials=100)


def test_other_readings_are_named(table):
    text = caption(SPEC, "1", "p", "quick", table, 100, {"svm_bias": False, "seed": 7})
    assert text.endswith(" Not the default reading: svm_bias = false, seed = 7.")


def test_keys_that_no_axis_shows_are_fixed():
    fixed = spec(rows={"by": "selector"}, columns={"by": "metric"}, at={"train": 50})
    table = build_table(fixed, EVALUATION, printed(), trials=1)
    assert verdicts(table) == [("sfm", "test_error", "unpublished")]


def curve(selector, split, train, costs):
    for step, cost in costs.items():
        yield (selector, split, train, "cost", step, cost)
        yield (selector, split, train, "accuracy", step, 1 - cost)


OPTIMAL = spec(
    metric=None,
    unit=None,
    metrics={
        "features": {"decimals": 0, "label": "Feat."},
        "accuracy": {"unit": "%", "decimals": 2, "label": "Acc."},
        "cost": {"decimals": 3},
    },
    optimum={"of": "cost", "size": "features", "per": 2},
)


def test_several_metrics_side_by_side_at_the_optimum():
    costs = [{5: 0.5, 9: 0.1}, {5: 0.2, 9: 0.3}, {5: 0.1, 9: 0.2}, {5: 0.1, 9: 0.2}]
    data = measured(*(row for split, values in enumerate(costs) for row in curve("svm", split, 20, values)))
    published = printed(
        ("20", "SVM", "features", "9", None),
        ("20", "SVM", "accuracy", "85.00", None),
        ("20", "SVM", "cost", "0.500", None),
    )
    table = build_table(OPTIMAL, data, published, trials=2)
    assert list(table["metric"]) == ["features", "accuracy", "cost"]
    np.testing.assert_allclose(table["reproduced"], [7.0, 85.0, 0.15])
    np.testing.assert_allclose(table["reproduced_spread"], [8**0.5, 50**0.5, 0.005**0.5])
    assert list(table["trials"]) == [2, 2, 2]
    assert list(table["verdict"]) == ["match", "match", "differs"]
    markdown = to_markdown(table, OPTIMAL, "")
    assert "| n | SVM: Feat. | SVM: Acc. (%) | SVM: cost |" in markdown
    assert "| 20 | 7 ± 3 [9] = | 85.00 ± 7.07 [85.00] = | 0.150 ± 0.071 [0.500] ≠ |" in markdown


def test_metrics_along_an_axis_and_cells_that_only_we_have():
    by_metric = spec(
        metric=None,
        unit=None,
        metrics={"test_error": {"unit": "%"}, "features": {"decimals": 0}},
        rows={"by": "selector", "values": ["svm", "sfm"]},
        columns={"by": "metric", "labels": {"test_error": "Error"}},
        at={"train": 20},
    )
    table = build_table(by_metric, EVALUATION, printed(("svm", "features", "features", "202", None)), trials=1)
    assert verdicts(table)[:2] == [("svm", "features", "match"), ("svm", "Error", "unpublished")]
    assert "|  | features | Error |" in to_markdown(table, by_metric, "")


def timings(**seconds) -> pd.DataFrame:
    rows = [
        (name, split, train, "cpu_seconds", 0, value * (1 + 0.1 * split))
        for name, values in seconds.items()
        for train, value in zip((20, 50), values, strict=True)
        for split in (0, 1)
    ]
    return measured(*rows)


TIMING = {"metric": "cpu_seconds", "unit": "", "kind": "timing"}


def test_times_are_ratios_to_a_base_cell():
    ratios = spec(**TIMING, ratio={"row": "20", "column": "SVM"})
    published = printed(("20", "SVM", "cpu_seconds", "10.0", None), ("50", "SVM", "cpu_seconds", "30.0", None),
                        ("50", "SFM", "cpu_seconds", None, None))  # fmt: skip
    table = build_table(ratios, timings(svm=(1.0, 3.0), sfm=(0.5, 0.6)), published, trials=1)
    assert list(table["published"])[:2] == [1.0, 3.0]
    np.testing.assert_allclose(table["reproduced"], [1.0, 3.0, 0.6, 0.5])
    assert verdicts(table)[:3] == [("20", "SVM", "match"), ("50", "SVM", "match"), ("50", "SFM", "unpublished")]
    assert np.isnan(table["reproduced_spread"][0])
    assert "Ratios to 20, SVM." in caption(ratios, "1", "p", "quick", table, 1)


def test_ratios_within_a_row_and_without_a_base():
    ratios = spec(**TIMING, ratio={"column": "SVM"})
    data = timings(svm=(1.0, 3.0), sfm=(0.5, 0.6))
    data = data[(data["selector"] != "svm") | (data["train"] != 50)]
    published = printed(("20", "SFM", "cpu_seconds", "5.0", None), ("50", "SFM", "cpu_seconds", "5.0", None))
    table = build_table(ratios, data, published, trials=1)
    assert verdicts(table) == [("20", "SFM", "unpublished"), ("50", "SFM", "not run"), ("20", "SVM", "unpublished")]
    assert table["published"].isna().all()
    assert table["reproduced"][0] == pytest.approx(0.5)


def test_the_rounding_of_a_ratio_is_that_of_both_printed_numbers():
    """Printed 1 and 3: anything between 2.5/1.5 and 3.5/0.5 prints so; to first order 3 ± 2."""
    ratios = spec(**TIMING, ratio={"row": "20", "column": "SVM"})
    published = printed(("20", "SVM", "cpu_seconds", "1", None), ("50", "SVM", "cpu_seconds", "3", None))
    data = timings(svm=(1.0, 4.9), sfm=(1.0, 1.0))
    data = data[data["split"] == 0]
    assert build_table(ratios, data, published, trials=1)["verdict"][1] == "match"
    assert build_table(ratios, data.assign(value=data["value"] ** 2), published, trials=1)["verdict"][1] == "differs"


@pytest.mark.parametrize(
    ("statistic", "expected"),
    [
        ("mean", {"SVM": 20.0, "SFM": 15.0}),
        ("mean_ratio", {"SFM": 100 * (0.5 + 2 / 3) / 2}),
        ("mean_improvement", {"SFM": 100 * (0.5 + 1 / 3) / 2}),
    ],
)
def test_a_last_row_summarises_the_others(statistic, expected):
    last = spec(summary={"label": "Average", "statistic": statistic, "base": "SVM"})
    values = {("svm", 20): 0.1, ("svm", 50): 0.3, ("sfm", 20): 0.05, ("sfm", 50): 0.2}
    if statistic == "mean":
        values["sfm", 20] = 0.1
    data = measured(*((name, 0, train, "test_error", 0, value) for (name, train), value in values.items()))
    table = build_table(last, data, printed(("Average", "SFM", "41.7", None), ("20", "SVM", "10", None)), trials=1)
    rows = table[table["row"] == "Average"]
    assert list(table["row"])[-len(rows) :] == ["Average"] * len(rows)
    assert dict(zip(rows["column"], rows["reproduced"], strict=True)) == pytest.approx(expected)
    if statistic == "mean_improvement":
        assert rows["verdict"].item() == "match"


def test_a_last_row_needs_all_printed_rows():
    last = spec(summary={"label": "Average"})
    table = build_table(last, EVALUATION, printed(("Average", "SVM", "24", None), *PUBLISHED.to_numpy().tolist()), 1)
    assert verdicts(table[table["row"] == "Average"]) == [
        ("Average", "SVM", "not run"),
        ("Average", "SFM", "unpublished"),
    ]


def test_standard_errors_are_compared_with_standard_errors():
    errors = spec(spread="error")
    data = measured(*(("svm", split, 20, "test_error", 0, 0.3 + 0.1 * (-1) ** split) for split in range(100)))
    table = build_table(errors, data, printed(("20", "SVM", "33.0", "1.0")), trials=100)
    assert table["reproduced_spread"][0] == pytest.approx(10 * (100 / 99) ** 0.5 / 10)
    assert table["verdict"][0] == "match"
    assert "± standard error" in to_markdown(table, errors, "")
    assert build_table(SPEC, data, printed(("20", "SVM", "33.0", "1.0")), trials=100)["verdict"][0] == "close"


def redrawn(count: int) -> pd.DataFrame:
    rows = [("svm", split, 20, "test_error", 0, 0.2 + 0.01 * draw) for draw in range(count) for split in (0, 1)]
    seeds = [draw for draw in range(count) for _ in (0, 1)]
    return measured(*rows, experiment="redrawn").assign(seed=seeds)


@pytest.mark.parametrize(("count", "expected"), [(21, "within draws"), (9, "differs")])
def test_the_range_over_other_draws(count, expected):
    draws = spec(draws={"experiment": "redrawn", "by": "seed"})
    data = pd.concat([EVALUATION, redrawn(count)], ignore_index=True)
    table = build_table(draws, data, printed(("20", "SVM", "22.0", "0.1")), trials=100)
    assert list(table.columns) == [*COLUMNS, *DRAW_COLUMNS]
    assert table["verdict"][0] == expected
    if count == 21:
        assert (table["draws_low"][0], table["draws_high"][0]) == pytest.approx((20.5, 39.5))
        assert "[22.0 ± 0.1] {20.5 to 39.5} ∈ |" in to_markdown(table, draws, "")


def test_a_printed_optimum_is_close_where_the_curve_is_flat():
    """Costs 0.30, 0.205, 0.2 at the steps 10, 20, 90."""
    cost = {10: 0.30, 20: 0.205, 90: 0.2}
    data = measured(*(("svm", split, 20, "cost", step, value) for split in (0, 1) for step, value in cost.items()))
    table_spec = {"metric": None, "unit": None, "metrics": {"features": {}}}
    published = printed(("20", "SVM", "features", "20", None), ("20", "SFM", "features", "20", None))
    for flat, expected in ((0.01, "close"), (0.001, "differs")):
        optimum = {"of": "cost", "size": "features", "flat": flat}
        table = build_table(spec(**table_spec, optimum=optimum), data, published, trials=2)
        assert verdicts(table) == [("20", "SVM", expected), ("20", "SFM", "not run")]
