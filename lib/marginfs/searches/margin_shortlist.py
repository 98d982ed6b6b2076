"""The short list of a step: the features whose removal could lose no more of N than a guess.

It is the intersection of one of the screen's bit sets for each of the samples with the smallest g. Any samples give a
list that is long enough, so they are chosen anew only every so many steps.

With the little optimisation N_j = (P_j + Q_j)/2 is the mean of the minima of the two classes. The short list is then
the union over intervals of P_j, each of which tells how large Q_j must be, with half of the samples from either class.

What runs at every step is inlined: a call would pass each of a screen's arrays by all its fields.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from marginfs.searches.bit_sets import WORD, Bits, bit, copy_bits, positions
from marginfs.searches.margin_levels import HIGHEST_LEVEL, count_units, value_of
from marginfs.searches.margin_screen import SAMPLES, Screen
from marginfs.types import FloatArray, IntArray

_EDGES = (-12, -8, -4, 0, 4, 8, 12)
_ROUNDING = 1e-12


@njit(cache=True)
def choose_samples(screen: Screen, g: FloatArray, n_pos: int, little: bool) -> None:
    """Point the screen at the samples with the smallest g: half from each class with the little optimisation.

    Parameters
    ----------
    screen : Screen
        The bit sets.
    g : ndarray of float
        Functional margins, those of the positive samples first.
    n_pos : int
        Number of positive samples.
    little : bool
        Whether the little optimisation is applied.
    """
    half = SAMPLES // 2
    if little:
        _lowest(g, screen.order[:n_pos], screen.rows[:half])
        _lowest(g, screen.order[n_pos:], screen.rows[half:])
    else:
        _lowest(g, screen.order, screen.rows)


@njit(cache=True, inline="always")
def measure_lags(screen: Screen, g: FloatArray, first: float, second: float) -> None:
    """How far the chosen samples lie above the lowest of their kind.

    Parameters
    ----------
    screen : Screen
        The bit sets.
    g : ndarray of float
        Functional margins.
    first, second : float
        The lowest g of the first and of the second half of the chosen samples' kinds.
    """
    for place in range(SAMPLES):
        screen.lag[place] = g[screen.rows[place]] - (first if place < SAMPLES // 2 else second)


@njit(cache=True, inline="always")
def shortlist(screen: Screen, loss: float, scale: float, little: bool, mirrored: float) -> int:
    """List the features whose removal could lower N by no more than `loss`.

    The mirrored cone of the little optimisation has N <= top_j - (c + d)/2, so that all features with a top above
    (c + d)/2 are listed as well.

    Parameters
    ----------
    screen : Screen
        The bit sets.
    loss : float
        The loss of N.
    scale : float
        The size of g, for rounding.
    little : bool
        Whether the little optimisation is applied.
    mirrored : float
        (c + d)/2.

    Returns
    -------
    int
        How many features are listed.
    """
    loss += _ROUNDING * scale
    found = screen.found
    if not little:
        copy_bits(screen.alive, found)
        _intersect(screen, 0, SAMPLES, loss, found)
        return positions(found, screen.listed)
    union = np.zeros_like(found)
    for k in range(len(_EDGES) + 1):
        copy_bits(screen.alive, found)
        if k > 0:
            _intersect(screen, 0, SAMPLES // 2, loss - value_of(_EDGES[k - 1]) / screen.per_unit, found)
        if k < len(_EDGES):
            _intersect(screen, SAMPLES // 2, SAMPLES, loss + value_of(_EDGES[k]) / screen.per_unit, found)
        for word in range(union.size):
            union[word] |= found[word]
    if screen.highest > mirrored:
        for j in range(screen.top.size):
            if screen.top[j] > mirrored:
                union[j // WORD] |= bit(j) & screen.alive[j // WORD]
    return positions(union, screen.listed)


@njit(cache=True, inline="always")
def loss_at(screen: Screen, k: int) -> float:
    """The loss of N that level k stands for; infinite beyond the last level.

    Parameters
    ----------
    screen : Screen
        The bit sets.
    k : int
        The level.

    Returns
    -------
    float
        The loss.
    """
    return value_of(k) / screen.per_unit if k <= HIGHEST_LEVEL else np.inf


@njit(cache=True)
def _lowest(g: FloatArray, order: IntArray, rows: IntArray) -> None:
    """Sort the samples of `order`, nearly sorted from the time before, and copy the first ones; repeat the very first
    where there are not enough.
    """
    for last in range(1, order.size):
        n, place = order[last], last
        while place > 0 and g[order[place - 1]] > g[n]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = n
    for place in range(rows.size):
        rows[place] = order[place if place < order.size else 0]


@njit(cache=True, inline="always")
def _intersect(screen: Screen, start: int, end: int, loss: float, found: Bits) -> None:
    """Keep the features whose terms are within lag + loss for the samples rows[start:end], four samples at a time."""
    rows, level = screen.rows, screen.level
    for place in range(start, end):
        level[place] = screen.levels[count_units((screen.lag[place] + loss) * screen.per_unit)]
    for k in range(start, end, 4):
        a, b = screen.masks[rows[k], level[k]], screen.masks[rows[k + 1], level[k + 1]]
        c, d = screen.masks[rows[k + 2], level[k + 2]], screen.masks[rows[k + 3], level[k + 3]]
        for word in range(found.size):
            found[word] &= a[word] & b[word] & c[word] & d[word]
