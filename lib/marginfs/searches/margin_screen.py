"""Which removals could be the margin-optimal one: bit sets that exclude most of them.

Removing feature j leaves N_j = min_n (g_n - delta_nj), and a margin of at least T/sqrt(L) only if N_j^2 L >= T^2 (L -
w_j^2). The square root is concave, so with W the largest w_j^2 and any credit >= T/(L + sqrt(L (L - W))) this takes

    delta_nj - credit w_j^2 <= g_n - T    for every sample n.

The left side does not change from step to step. It is rounded up to a level, and for every sample and level one bit set
holds the features up to that level. `margin_shortlist` intersects them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from marginfs.searches.bit_sets import WORD, Bits, bit
from marginfs.searches.margin_levels import HIGHEST_LEVEL, N_LEVELS, count_units, level_indices
from marginfs.types import FloatArray, IntArray

SAMPLES = 32
"""How many samples decide a step."""
_NO_SIGN = 0x7FFFFFFFFFFFFFFF


class Screen(NamedTuple):
    """The bit sets of one block of features, and the samples that decide the present step.

    Attributes
    ----------
    masks : ndarray of uint64
        By sample, level and word, the features whose term is at most that level.
    levels : ndarray of int
        For every count of units the lowest level at or above it.
    alive : ndarray of uint64
        The features not yet removed.
    per_unit : float
        Units to a loss of one.
    credit : float
        The factor of w_j^2 in the terms.
    largest : float
        The largest w_j^2.
    top : ndarray of float
        max_n delta_nj of every feature.
    highest : float
        The largest of them.
    order : ndarray of int
        All samples by g (within the classes with the little optimisation).
    rows : ndarray of int
        The samples with the smallest g, as they were last chosen.
    lag : ndarray of float
        How far their g lies above the lowest of their kind.
    level : ndarray of int
        Which of their bit sets make the present short list.
    found : ndarray of uint64
        The short list as a bit set.
    listed : ndarray of int
        The short list as positions.
    """

    masks: Bits
    levels: IntArray
    alive: Bits
    per_unit: float
    credit: float
    largest: float
    top: FloatArray
    highest: float
    order: IntArray
    rows: IntArray
    lag: FloatArray
    level: IntArray
    found: Bits
    listed: IntArray


@njit(cache=True)
def make_screen(delta: FloatArray, squared: FloatArray, gamma: float, length: float) -> Screen:
    """The bit sets for delta as it stands.

    Parameters
    ----------
    delta : ndarray
        delta_nj, one row per feature.
    squared : ndarray of float
        w_j^2.
    gamma : float
        The present margin.
    length : float
        The present L.

    Returns
    -------
    Screen
        The bit sets, with some credit in store for a growing gamma.
    """
    p, n = delta.shape
    top = np.empty(p)
    for j in range(p):
        top[j] = _largest(delta, j)
    largest = squared.max()
    credit = 1.25 * max(gamma, 0.0) * _chord(length, largest)
    middle = np.median(top)
    per_unit = HIGHEST_LEVEL**2 / middle if middle > 0.0 else 1.0
    words = (p + WORD - 1) // WORD
    levels = level_indices()
    masks = np.empty((n, N_LEVELS, words), dtype=np.uint64)
    alive = np.zeros(words, dtype=np.uint64)
    sets, units = np.empty(masks.shape[:2], dtype=np.uint64), np.empty(n, dtype=np.int32)
    for word in range(words):
        sets[:] = 0
        for j in range(word * WORD, min((word + 1) * WORD, p)):
            mark = bit(j)
            alive[word] |= mark
            less = credit * squared[j]
            for i in range(n):
                units[i] = count_units((delta[j, i] - less) * per_unit)
            for i in range(n):
                sets[i, levels[units[i]]] |= mark
        for i in range(n):
            up_to = np.uint64(0)
            for k in range(sets.shape[1]):
                up_to |= sets[i, k]
                masks[i, k, word] = up_to
    rows, lag, level = np.empty(SAMPLES, dtype=np.int64), np.empty(SAMPLES), np.empty(SAMPLES, dtype=np.int64)
    return Screen(
        masks,
        levels,
        alive,
        per_unit,
        credit,
        largest,
        top,
        top.max(),
        np.arange(n),
        rows,
        lag,
        level,
        alive.copy(),
        np.empty(p, dtype=np.int64),
    )


@njit(cache=True, inline="always")
def drop(screen: Screen, j: int) -> None:
    """Take a feature off all future lists.

    Parameters
    ----------
    screen : Screen
        The bit sets.
    j : int
        The position of the feature.
    """
    screen.alive[j // WORD] &= ~bit(j)


@njit(cache=True, inline="always")
def covers(screen: Screen, gamma: float, length: float) -> bool:
    """Whether the screen's credit is large enough for this margin.

    Parameters
    ----------
    screen : Screen
        The bit sets.
    gamma : float
        A margin.
    length : float
        L of the state.

    Returns
    -------
    bool
        Whether it is.
    """
    return gamma * _chord(length, screen.largest) <= screen.credit


@njit(cache=True)
def _largest(delta: FloatArray, j: int) -> float:
    """max_n delta_nj, found among the bits: compilers vectorise the maximum of integers, but not that of floats."""
    largest = np.int64(-_NO_SIGN - 1)
    for n in range(delta.shape[1]):
        bits = np.float64(delta[j, n]).view(np.int64)
        largest = max(largest, bits ^ ((bits >> 63) & _NO_SIGN))
    return float(np.int64(largest ^ ((largest >> 63) & _NO_SIGN)).view(np.float64))


@njit(cache=True)
def _chord(length: float, largest: float) -> float:
    """(sqrt(L) - sqrt(L - W)) / W."""
    return float(1.0 / (np.sqrt(length) + np.sqrt(max(length - largest, 0.0))))
