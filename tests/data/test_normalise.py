"""Standardisation: fitted on the training part, safe with constant columns and missing values."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from marginfs.data.normalise import fit_standardiser, standardise


def test_only_the_training_part_decides() -> None:
    rng = np.random.default_rng(0)
    train, test = rng.normal(3, 5, (40, 6)), rng.normal(-2, 9, (10, 6))
    scaled, scaled_test = standardise(train, test)
    assert_allclose(scaled.mean(axis=0), 0, atol=1e-12)
    assert_allclose(scaled.std(axis=0), 1)
    assert_allclose(scaled_test, (test - train.mean(axis=0)) / train.std(axis=0))
    assert_array_equal(standardise(train, test * 100)[0], scaled)


def test_constant_column_becomes_zero_without_warning() -> None:
    train = np.column_stack([np.full(7, 0.1), np.arange(7.0)])
    scaled, other = standardise(train, np.array([[0.6, 3.0]]))
    assert_allclose(scaled[:, 0], 0, atol=1e-15)
    assert_allclose(other[0], [0.5, 0.0], atol=1e-15)


def test_tiny_deviations_survive() -> None:
    train = np.arange(5.0)[:, None] * 1e-100
    assert_allclose(standardise(train, train)[0].std(), 1)


def test_missing_values_become_the_training_mean() -> None:
    train = np.array([[1.0, np.nan], [3.0, np.nan], [np.nan, np.nan]])
    scaler = fit_standardiser(train)
    assert_allclose(scaler(train), [[-1, 0], [1, 0], [0, 0]])
    assert_allclose(scaler(np.array([[np.nan, 4.0]])), [[0, 4.0]])


def test_ddof() -> None:
    train = np.array([[1.0], [2.0], [4.0]])
    assert_allclose(fit_standardiser(train, ddof=1).scale, np.std(train, ddof=1))
