"""Claims by a paired test, and laws on every split."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from marginfs.results.claims import check_claim, check_claims, overall
from marginfs.study.claim_specs import Claim


def evaluation(sfm_minus_svm: float, trials: int = 30) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    rows = []
    for split in range(trials):
        level = rng.normal(0.3, 0.2)
        for train in (20, 50):
            rows.append(("svm", split, train, "test_error", 0, level))
            rows.append(("sfm", split, train, "test_error", 0, level + sfm_minus_svm + 0.01 * (-1) ** split))
    return pd.DataFrame(rows, columns=["selector", "split", "train", "metric", "step", "value"])


def claim(**changes) -> Claim:
    config = {
        "id": "c",
        "source": "",
        "statement": "",
        "experiment": "toy",
        "metric": "test_error",
        "lower": {"selector": "sfm"},
        "higher": {"selector": "svm"},
        "at": {"train": "all"},
    }
    return Claim.from_config({**config, **changes}, "claims")


@pytest.mark.parametrize(("shift", "expected"), [(-0.05, "holds"), (0.05, "fails"), (0.0, "undecided")])
def test_claim_is_tested_on_pairs_of_the_same_split(shift, expected):
    """The splits differ by far more than the selectors: only a paired test sees the shift."""
    points = check_claim(claim(), evaluation(shift))
    assert points["at"].tolist() == ["train = 20", "train = 50"]
    assert overall(list(points["verdict"])) == expected


def test_factor_scales_a_side():
    halved = claim(lower={"selector": "svm"}, higher={"selector": "sfm", "factor": 0.5})
    assert set(check_claim(halved, evaluation(0.0))["verdict"]) == {"fails"}


def test_a_side_at_a_step_of_its_own():
    rows = [("rfe", split, "length", step, step * (1 + 0.1 * split)) for split in range(5) for step in (10, 20)]
    data = pd.DataFrame(rows, columns=["selector", "split", "metric", "step", "value"])
    rise = claim(metric="length", lower={"selector": "rfe", "step": 10}, higher={"selector": "rfe", "step": 20}, at={})
    assert check_claim(rise, data)[["lower", "higher", "verdict"]].to_numpy().tolist() == [[12.0, 24.0, "holds"]]


def test_equal_values_decide_nothing_and_a_constant_gap_decides():
    same = evaluation(0.0)
    same["value"] = 1.0
    assert set(check_claim(claim(), same)["verdict"]) == {"undecided"}
    same.loc[same["selector"] == "sfm", "value"] = 0.5
    assert set(check_claim(claim(), same)["verdict"]) == {"holds"}


def test_a_claim_that_was_not_run_has_no_points():
    empty = check_claim(claim(at={"train": [500]}), evaluation(0.0))
    assert len(empty) == 0
    assert overall([]) == "not run"


def test_a_point_that_was_not_run_is_named_and_keeps_the_claim_open():
    found = check_claim(claim(at={"train": [20, 500]}), evaluation(-0.05))
    assert list(found["at"]) == ["train = 20", "train = 500"]
    assert list(found["verdict"]) == ["holds", "not run"]
    assert found[["lower", "higher", "p_value"]].dtypes.eq(float).all(), "so that files have nine digits"
    assert overall(list(found["verdict"])) == "undecided"
    assert len(check_claims([], {})) == 0


def test_splits_that_share_data_widen_the_test():
    """Nadeau and Bengio: t = mean / sqrt((1/k + n_test/n_train) s^2)."""
    data = evaluation(-0.004)
    plain, corrected = (check_claim(claim(overlap=overlap), data).iloc[0] for overlap in (0.0, 0.5))
    assert plain["verdict"] == "holds"
    assert corrected["verdict"] == "undecided"
    difference = 0.004 / (0.01 * np.sqrt(30 / 29))
    expected = 2 * stats.t.sf(difference / np.sqrt(1 / 30 + 0.5), 29)
    assert corrected["p_value"] == pytest.approx(expected)


def test_a_law_names_the_splits_that_break_it():
    law = claim(kind="law")
    kept = check_claim(law, evaluation(-0.05))
    assert kept[["at", "splits", "verdict"]].to_numpy().tolist() == [["every split", 60, "holds"]]
    data = evaluation(-0.05)
    data.loc[(data["split"] == 7) & (data["train"] == 50) & (data["selector"] == "sfm"), "value"] = 9.0
    broken = check_claim(law, data)
    assert broken[["at", "splits", "verdict"]].to_numpy().tolist() == [["train = 50, split = 7", 1, "fails"]]


def test_a_law_holds_for_equal_sides_up_to_rounding():
    data = evaluation(0.0)
    data["value"] = 1.0
    data.loc[data["selector"] == "sfm", "value"] += 1e-12
    assert list(check_claim(claim(kind="law"), data)["verdict"]) == ["holds"]


def costs() -> pd.DataFrame:
    """Five splits at the points (C, degree): costs 3, 1 with degree 1 and 2, 4 with degree 2, and times."""
    rows = []
    for split in range(5):
        for C, degree, cost in ((1.0, 1, 3.0), (2.0, 1, 1.0), (1.0, 2, 2.0), (2.0, 2, 4.0)):
            noise = 0.01 * (-1) ** split
            rows.append(("rfe", split, degree, C, "least_cost", 0, cost + noise))
            rows.append(("rfe", split, degree, C, "test_error", 0, 10.0 * cost + degree * noise))
    return pd.DataFrame(rows, columns=["selector", "split", "degree", "C", "metric", "step", "value"])


def test_a_side_at_its_best_point():
    compared = claim(lower={"degree": 1, "best": ["C"]}, higher={"degree": 2, "best": ["C"]}, at={})
    assert check_claim(compared, costs())[["lower", "higher", "verdict"]].round(1).to_numpy().tolist() == [
        [10.0, 20.0, "holds"]
    ]
    second = claim(lower={"best": ["C", "degree"]}, higher={"best": ["C", "degree"], "rank": 2}, at={})
    assert check_claim(second, costs())[["lower", "higher"]].round(1).to_numpy().tolist() == [[10.0, 20.0]]


def test_means_over_a_key_and_over_listed_values():
    over = claim(lower={"degree": 1}, higher={"degree": 2}, at={}, over=["C"])
    assert check_claim(over, costs())[["lower", "higher"]].round(1).to_numpy().tolist() == [[20.0, 30.0]]
    listed = claim(lower={"degree": 1, "C": [1.0, 2.0]}, higher={"degree": 2, "C": 2.0}, at={})
    assert check_claim(listed, costs())[["lower", "higher"]].round(1).to_numpy().tolist() == [[20.0, 40.0]]


def test_a_constant_side():
    below = claim(lower={"degree": 1, "C": 2.0}, higher={"value": 11.0}, at={})
    assert check_claim(below, costs())["verdict"].tolist() == ["holds"]
    assert check_claim(claim(lower={"value": 11.0}, higher=below.lower.where, at={}), costs())["verdict"][0] == "fails"


def test_one_point_is_enough_where_the_claim_says_some():
    somewhere = {"lower": {"degree": 1}, "higher": {"degree": 2}, "at": {"C": "all"}}
    assert overall(list(check_claim(claim(**somewhere), costs())["verdict"])) == "fails"
    points = check_claim(claim(**somewhere, some=True), costs())
    assert points[["at", "verdict"]].to_numpy().tolist() == [["C = 2.0", "holds"]]


def test_sides_from_different_experiments():
    sides = {"lower": {"experiment": "a"}, "higher": {"experiment": "b", "factor": 2.0}, "experiment": ["a", "b"]}
    across = claim(**sides, at={}, over=["C", "degree"])
    data = {"a": costs(), "b": costs()}
    assert check_claims([across], data)[["lower", "higher"]].round(1).to_numpy().tolist() == [[25.0, 50.0]]


def test_relative_measures_let_every_experiment_count_alike():
    """Twice as good on an easy problem and a little worse on a hard one: better relative to each, not in the mean."""
    levels = {"easy": (0.01, 0.02), "hard": (0.44, 0.40)}
    data = {
        name: pd.DataFrame(
            [(who, split, "test_error", 0, value * (1 + 0.01 * split)) for split in range(5) for who, value in found],
            columns=["selector", "split", "metric", "step", "value"],
        )
        for name, found in ((name, list(zip(("sfm", "svm"), both, strict=True))) for name, both in levels.items())
    }
    over = {"experiment": ["easy", "hard"], "over": ["experiment"], "at": {}}
    assert check_claims([claim(**over)], data)["verdict"].tolist() == ["fails"]
    relative = check_claims([claim(**over, relative=True)], data)
    assert relative["verdict"].tolist() == ["holds"]
    assert relative["lower"].iloc[0] == pytest.approx((0.5 + 1.1) / 2)
    bounded = check_claims([claim(**over, relative=True, higher={"selector": "svm", "factor": 0.7})], data)
    assert bounded["verdict"].tolist() == ["fails"]
    assert bounded["higher"].iloc[0] == pytest.approx(0.7)


def test_a_mean_over_experiments_leaves_those_out_that_have_fewer_splits():
    means = claim(experiment=["whole", "begun"], at={"train": [20]}, over=["experiment"])
    parts = {"whole": evaluation(0.0), "begun": evaluation(-0.9, trials=2)}
    alone = check_claim(claim(at={"train": [20]}), parts["whole"])
    pd.testing.assert_frame_equal(check_claims([means], parts), alone)
    equal = check_claims([means], {**parts, "begun": evaluation(-0.9)})
    assert equal["lower"].item() < alone["lower"].item() - 0.4


def test_a_mean_over_steps():
    rows = [
        (who, split, "test_error", step, level + 0.1 * step + 0.01 * split)
        for who, level in (("sfm", 0.1), ("svm", 0.2))
        for split in range(4)
        for step in (1, 2)
    ]
    data = pd.DataFrame(rows, columns=["selector", "split", "metric", "step", "value"])
    found = check_claim(claim(at={}, over=["step"]), data)
    assert found["lower"].tolist() == [pytest.approx(0.265)]
    assert found["verdict"].tolist() == ["holds"]
