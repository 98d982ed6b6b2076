"""The margin-elimination selectors, the test errors along their paths, and the counterexample to RFE."""

from __future__ import annotations

import doctest

import numpy as np
import pytest

import margin_counterexample
from margin_problems import separable, trained
from marginfs.errors import ConfigError, DataError, NotSeparableError
from marginfs.evaluation.path_errors import path_errors
from marginfs.searches.linear_margin import Walk, by_margin, by_weight
from marginfs.selectors.margin_elimination import kernel_elimination, mfe, rfe_fixed

RNG = np.random.default_rng(0)
SELECTORS = [
    (mfe, {}),
    (mfe, {"candidates": "sufficient"}),
    (mfe, {"at_zero": "soft"}),
    (mfe, {"little_optimisation": True}),
    (mfe, {"little_optimisation": True, "at_zero": "soft", "retrain_every": 5}),
    (mfe, {"C": 0.5, "at_zero": "soft"}),
    (rfe_fixed, {}),
    (rfe_fixed, {"at_zero": "soft", "retrain_every": 4}),
    (kernel_elimination, {}),
    (kernel_elimination, {"criterion": "rfe", "at_zero": "soft"}),
    (kernel_elimination, {"criterion": "rfe_abs", "at_zero": "soft", "beta": 0.02}),
    (kernel_elimination, {"kernel": "polynomial", "degree": 2, "little_optimisation": True, "at_zero": "soft"}),
]


@pytest.mark.parametrize(("selector", "options"), SELECTORS)
def test_path_errors_equal_naive_predictions(selector, options):
    X, y = separable(21, 24, 30)
    Z, t = separable(22, 40, 30)
    selection = selector(X, y, rng=RNG, **options)
    assert sorted(selection.ranking) == list(range(30))
    model, trace = selection.model, selection.trace
    errors = path_errors(model, X, y, Z, t)
    assert errors.shape == trace["retained"].shape == trace["margin"].shape
    for i, retained in enumerate(trace["retained"]):
        features = selection.ranking[:retained]
        coefficients = model["coefficients"][model["epoch"][i]]
        if "kernel" not in model:
            response = Z[:, features] @ coefficients[features]
        elif model["kernel"] == "gaussian":
            squares = np.square(X[:, None, features] - Z[None, :, features]).sum(axis=2)
            response = coefficients @ np.exp(-model["parameter"] * squares)
        else:
            response = coefficients @ (1.0 + X[:, features] @ Z[:, features].T) ** int(model["parameter"])
        f = model["scale"][i] * response + model["bias"][i]
        assert errors[i] == pytest.approx(np.mean(np.where(f >= 0, 1.0, -1.0) != t))


@pytest.mark.parametrize(("selector", "options"), SELECTORS)
def test_training_error_is_zero_while_the_margin_is_positive(selector, options):
    X, y = separable(21, 24, 30)
    selection = selector(X, y, rng=RNG, **options)
    errors = path_errors(selection.model, X, y, X, y)
    margin = selection.trace["margin"]
    assert np.all(errors[margin > 1e-9] == 0)
    assert np.all(errors[margin < -1e-9] > 0)


@pytest.mark.parametrize("selector", [mfe, rfe_fixed, kernel_elimination])
def test_selectors_need_separable_data_or_a_finite_penalty(selector):
    X, y = separable(5, 30, 6)
    X[:2] = X[2]
    y[:2] = 1.0, -1.0
    with pytest.raises(NotSeparableError, match="finite C together with at_zero: soft"):
        selector(X, y, rng=RNG)
    with pytest.raises(NotSeparableError, match="at_zero: soft"):
        selector(X, y, rng=RNG, C=1.0)
    selection = selector(X, y, rng=RNG, C=1.0, at_zero="soft")
    assert selection.trace["retained"][-1] == 1
    assert selection.trace["margin"][0] < 0


def test_hard_margin_paths_start_at_the_largest_margin():
    X, y = separable(9, 20, 50)
    w, _ = trained(X, y)
    for selector, options in SELECTORS[:4] + SELECTORS[6:7]:
        assert selector(X, y, rng=RNG, **options).trace["margin"][0] == pytest.approx(1 / np.linalg.norm(w), rel=1e-6)


def test_kernel_options_are_checked():
    X, y = separable(9, 20, 50)
    with pytest.raises(ConfigError, match="kernel"):
        kernel_elimination(X, y, rng=RNG, kernel="linear")
    with pytest.raises(ConfigError, match="positive"):
        kernel_elimination(X, y, rng=RNG, beta=0.0)


def test_rfe_is_not_margin_optimal_in_two_dimensions():
    X, y, w, b = margin_counterexample.rfe_counterexample()
    v, c = trained(X, y)
    np.testing.assert_allclose(v, w, atol=1e-7)
    assert c == pytest.approx(b, abs=1e-7)
    assert abs(w[0]) < abs(w[1]), "RFE removes the first feature"
    margin_after = [(y * X[:, 1]).min(), (y * X[:, 0]).min()]
    assert margin_after[0] < margin_after[1], "removing the second one leaves the larger margin"
    rfe, best = by_weight(X, y, w, b), by_margin(X, y, w, b)
    assert (rfe.removed[0], best.removed[0]) == (0, 1)
    np.testing.assert_allclose([rfe.margin[1], best.margin[1]], margin_after)


def test_the_counterexample_runs_as_printed():
    result = doctest.testmod(margin_counterexample)
    assert (result.attempted, result.failed) == (3, 0)


def test_nothing_to_eliminate_is_said():
    y = np.array([1.0, 1.0, 1.0, -1.0])
    with pytest.raises(DataError, match="every feature the weight zero: write a larger C"):
        mfe(np.zeros((4, 3)), y, rng=RNG, C=1.0, at_zero="soft")


def test_a_path_ends_where_the_hyperplane_does():
    y = np.array([1.0, -1.0, 1.0, -1.0])
    X = np.column_stack([y, np.ones(4), 2.0 * np.ones(4)])
    path = by_margin(X, y, np.array([-1.0, 0.0, 0.0]), 0.0, walk=Walk(at_zero="soft"))
    assert path.removed.tolist() == [0]
    assert sorted(path.survivors) == [1, 2]
