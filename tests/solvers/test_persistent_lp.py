"""Linear programs that HiGHS gives up on at first: another setting solves them, or the data is named."""

from __future__ import annotations

import numpy as np
import pytest

from marginfs.errors import DataError, NotSeparableError
from marginfs.lookup import look_up
from marginfs.solvers import lp
from marginfs.study.registry import SELECTORS

SEEDS = (72, 192)
"""Draws on which the primal simplex ends with 'Not Set'."""


def nearly_singular(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Columns that repeat one another up to rounding."""
    rng = np.random.default_rng(seed)
    n, d = rng.integers(3, 40), rng.integers(2, 30)
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    rng.standard_normal((n, d)), rng.integers(-9, 10, d)
    X = np.outer(rng.standard_normal(n), np.ones(d)) + 10.0 ** -rng.integers(6, 16) * rng.standard_normal((n, d))
    return X, y


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", ["sfm", "weston"])
def test_nearly_singular_data_is_found_not_separable(seed, name):
    with pytest.raises(NotSeparableError):
        look_up(SELECTORS[name])(*nearly_singular(seed), rng=np.random.default_rng(0))


@pytest.mark.parametrize("seed", SEEDS)
def test_without_other_settings_the_data_is_named(seed, monkeypatch):
    monkeypatch.setattr(lp, "OTHER_SETTINGS", ())
    with pytest.raises(DataError, match=r"'Not Set'.*standardise the data"):
        look_up(SELECTORS["sfm"])(*nearly_singular(seed), rng=np.random.default_rng(0))
