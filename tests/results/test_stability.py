"""Nogueira's index of stability: its value and variance against direct computations."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

from marginfs.results.stability import chosen_sets, stability


def sets(rng: np.random.Generator, number: int, columns: int, share: float) -> np.ndarray:
    return rng.random((number, columns)) < share


def test_sets_of_one_size_have_the_mean_kuncheva_index():
    rng = np.random.default_rng(1)
    chosen = np.zeros((7, 12), dtype=bool)
    for row in chosen:
        row[rng.permutation(12)[:4]] = True
    chance = 4 * 4 / 12
    pairs = [((a & b).sum() - chance) / (4 - chance) for a, b in itertools.combinations(chosen, 2)]
    assert stability(chosen).value == pytest.approx(np.mean(pairs))


def test_value_and_variance_by_the_loops_of_the_definition():
    chosen = sets(np.random.default_rng(2), 6, 9, 0.4)
    M, d = chosen.shape
    p = [sum(chosen[i, f] for i in range(M)) / M for f in range(d)]
    sizes = [int(row.sum()) for row in chosen]
    k = sum(sizes) / M
    chance = k / d * (1 - k / d)
    value = 1 - sum(M / (M - 1) * p[f] * (1 - p[f]) for f in range(d)) / d / chance
    parts = [
        (
            sum(chosen[i, f] * p[f] for f in range(d)) / d
            - sizes[i] * k / d**2
            + value / 2 * (2 * sizes[i] * k / d**2 - sizes[i] / d - k / d + 1)
        )
        / chance
        for i in range(M)
    ]
    variance = 4 / M**2 * sum((part - sum(parts) / M) ** 2 for part in parts)
    found = stability(chosen)
    assert found == pytest.approx((value, variance))
    assert found.half_width == pytest.approx(1.96 * variance**0.5, rel=1e-4)


def test_the_interval_holds_the_truth_as_often_as_it_says():
    rng, columns = np.random.default_rng(3), 20
    shares = np.r_[np.full(4, 0.9), np.full(16, 0.05)]
    mean = shares.mean()
    truth = 1 - (shares * (1 - shares)).mean() / (mean * (1 - mean))
    drawn = [stability(rng.random((60, columns)) < shares) for _ in range(400)]
    assert np.mean([abs(one.value - truth) < one.half_width for one in drawn]) == pytest.approx(0.95, abs=0.03)


def test_equal_random_and_degenerate_sets():
    same = np.zeros((5, 6), dtype=bool)
    same[:, :2] = True
    assert stability(same) == pytest.approx((1.0, 0.0))
    assert stability(sets(np.random.default_rng(0), 400, 50, 0.2)).value == pytest.approx(0.0, abs=0.02)
    assert np.isnan(stability(same[:1]).value)
    assert np.isnan(stability(same[:, :2]).value)
    assert np.isnan(stability(same[:2]).variance)


def test_chosen_sets_are_those_of_low_rank():
    rows = [(4, "rank", 3, 1.0), (4, "rank", 1, 2.0), (9, "rank", 2, 1.0), (9, "test_error", 1, 0.5)]
    part = pd.DataFrame(rows, columns=["split", "metric", "step", "value"])
    assert chosen_sets(part, 1, 3).tolist() == [[False, False, True], [False, True, False]]
    assert chosen_sets(part, 2, 3).tolist() == [[True, False, True], [False, True, False]]
