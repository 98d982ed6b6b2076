"""Order of equal scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marginfs.errors import ConfigError
from marginfs.searches.tie_order import ascending


@settings(deadline=None)
@given(st.lists(st.integers(0, 6), min_size=1, max_size=400))
def test_introsort_is_numpys_scalar_quicksort(values):
    """Numpy has no vector instructions for long doubles, so there the old order is still to be seen."""
    scores = np.array(values, dtype=np.float64)
    np.testing.assert_array_equal(ascending(scores, "introsort"), np.argsort(scores.astype(np.longdouble)))


@pytest.mark.parametrize("size", [16, 17, 300, 500])
def test_equal_scores_change_places(size):
    order = ascending(np.zeros(size), "introsort")
    np.testing.assert_array_equal(order, np.argsort(np.zeros(size, dtype=np.longdouble)))
    assert (order.tolist() == list(range(size))) == (size <= 16)


def test_stable_keeps_positions():
    assert ascending(np.array([2.0, 1.0, 2.0, 1.0])).tolist() == [1, 3, 0, 2]


def test_unknown_order_is_named():
    with pytest.raises(ConfigError, match="tie_order is 'heap'"):
        ascending(np.zeros(2), "heap")
