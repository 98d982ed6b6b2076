"""The levels to which terms of a screen are rounded up: k|k| units for k = -7, ..., 24, dense around zero."""

from __future__ import annotations

import numpy as np
from numba import njit

from marginfs.types import IntArray

_BELOW = 7
HIGHEST_LEVEL = 24
LOWEST_LEVEL = -_BELOW
N_LEVELS = _BELOW + HIGHEST_LEVEL + 2
"""With one for what lies beyond the highest."""
_LEAST_UNITS, _MOST_UNITS = -_BELOW * _BELOW - 1.0, HIGHEST_LEVEL * HIGHEST_LEVEL + 1.0


@njit(cache=True)
def value_of(k: int) -> int:
    """The value of a level.

    Parameters
    ----------
    k : int
        The level.

    Returns
    -------
    int
        Its value in units.
    """
    return k * abs(k)


@njit(cache=True)
def count_units(x: float) -> np.int32:
    """How many whole units x takes, counted from just below the lowest level and cut to just beyond the highest.

    Parameters
    ----------
    x : float
        A number of units.

    Returns
    -------
    int32
        The count, an index of `level_indices`.
    """
    x = x if x > _LEAST_UNITS else _LEAST_UNITS
    x = x if x < _MOST_UNITS else _MOST_UNITS
    return np.int32(np.ceil(x)) - np.int32(_LEAST_UNITS)


@njit(cache=True)
def level_indices() -> IntArray:
    """For every count of units the index of the lowest level at or above it; one index beyond is no level at all.

    Returns
    -------
    ndarray of int
        The indices, 0 for the lowest level.
    """
    levels = np.empty(_BELOW * _BELOW + HIGHEST_LEVEL * HIGHEST_LEVEL + 3, dtype=np.int64)
    k = -_BELOW
    for count in range(levels.size):
        while value_of(k) < count - _BELOW * _BELOW - 1:
            k += 1
        levels[count] = k + _BELOW
    return levels
