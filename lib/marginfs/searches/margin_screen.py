"""Which removals could be the margin-optimal one: bit sets that leave a short list at every step.

Removing feature j leaves N_j = min_n (g_n - delta_nj), and a margin of at least T/sqrt(L) only if N_j^2 L >= T^2 (L -
w_j^2). The square root is concave, so with W the largest w_j^2 and any credit >= T/(L + sqrt(L (L - W))) this takes

    delta_nj - credit w_j^2 <= g_n - T    for every sample n.

The left side does not change from step to step. It is rounded up to one of 32 levels, unit k|k|, which are dense around
zero, and for every sample and level one bit set holds the features up to that level. The short list for T is the
intersection of one set for each of the samples with the smallest g: 64 features to a word, 32 samples. Any samples give
a list that is long enough, so they are chosen anew only every so many steps.

What runs at every step is inlined: a call would pass each of a screen's arrays by all its fields.

With the little optimisation N_j = (P_j + Q_j)/2 is the mean of the minima of the two classes. The short list is then
the union over intervals of P_j, each of which tells how large Q_j must be, with 16 samples of either class.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit
from numba.cpython.unsafe.numbers import trailing_zeros

from marginfs.types import FloatArray, IntArray

Bits = npt.NDArray[np.uint64]

_WORD = 64
_BELOW, _ABOVE = 7, 24
LOWEST_LEVEL = -_BELOW
_LEAST_UNITS, _MOST_UNITS = -_BELOW * _BELOW - 1.0, _ABOVE * _ABOVE + 1.0
_SAMPLES = 32
_EDGES = (-12, -8, -4, 0, 4, 8, 12)
_ROUNDING = 1e-12
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
    per_unit = _ABOVE**2 / middle if middle > 0.0 else 1.0
    words = (p + _WORD - 1) // _WORD
    levels = _levels()
    masks = np.empty((n, _BELOW + _ABOVE + 2, words), dtype=np.uint64)
    alive = np.zeros(words, dtype=np.uint64)
    sets, units = np.empty(masks.shape[:2], dtype=np.uint64), np.empty(n, dtype=np.int32)
    for word in range(words):
        sets[:] = 0
        for j in range(word * _WORD, min((word + 1) * _WORD, p)):
            bit = _bit(j)
            alive[word] |= bit
            less = credit * squared[j]
            for i in range(n):
                units[i] = _units((delta[j, i] - less) * per_unit)
            for i in range(n):
                sets[i, levels[units[i]]] |= bit
        for i in range(n):
            up_to = np.uint64(0)
            for k in range(sets.shape[1]):
                up_to |= sets[i, k]
                masks[i, k, word] = up_to
    rows, lag, level = np.empty(_SAMPLES, dtype=np.int64), np.empty(_SAMPLES), np.empty(_SAMPLES, dtype=np.int64)
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
    screen.alive[j // _WORD] &= ~_bit(j)


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
    half = _SAMPLES // 2
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
    for place in range(_SAMPLES):
        screen.lag[place] = g[screen.rows[place]] - (first if place < _SAMPLES // 2 else second)


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
        _copy(screen.alive, found)
        _intersect(screen, 0, _SAMPLES, loss, found)
        return _positions(found, screen.listed)
    union = np.zeros_like(found)
    for k in range(len(_EDGES) + 1):
        _copy(screen.alive, found)
        if k > 0:
            _intersect(screen, 0, _SAMPLES // 2, loss - _value(_EDGES[k - 1]) / screen.per_unit, found)
        if k < len(_EDGES):
            _intersect(screen, _SAMPLES // 2, _SAMPLES, loss + _value(_EDGES[k]) / screen.per_unit, found)
        for word in range(union.size):
            union[word] |= found[word]
    if screen.highest > mirrored:
        for j in range(screen.top.size):
            if screen.top[j] > mirrored:
                union[j // _WORD] |= _bit(j) & screen.alive[j // _WORD]
    return _positions(union, screen.listed)


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
    return _value(k) / screen.per_unit if k <= _ABOVE else np.inf


@njit(cache=True)
def _bit(j: int) -> np.uint64:
    return np.uint64(1) << np.uint64(j % _WORD)


@njit(cache=True)
def _value(k: int) -> int:
    return k * abs(k)


@njit(cache=True)
def _largest(delta: FloatArray, j: int) -> float:
    """max_n delta_nj, found among the bits: compilers vectorise the maximum of integers, but not that of floats."""
    largest = np.int64(-_NO_SIGN - 1)
    for n in range(delta.shape[1]):
        bits = np.float64(delta[j, n]).view(np.int64)
        largest = max(largest, bits ^ ((bits >> 63) & _NO_SIGN))
    return float(np.int64(largest ^ ((largest >> 63) & _NO_SIGN)).view(np.float64))


@njit(cache=True)
def _units(x: float) -> np.int32:
    """How many whole units x takes, counted from just below the lowest level and cut to just beyond the highest."""
    x = x if x > _LEAST_UNITS else _LEAST_UNITS
    x = x if x < _MOST_UNITS else _MOST_UNITS
    return np.int32(np.ceil(x)) - np.int32(_LEAST_UNITS)


@njit(cache=True)
def _levels() -> IntArray:
    """For every count of units the index of the lowest level at or above it; one index beyond is no level at all."""
    levels = np.empty(_BELOW * _BELOW + _ABOVE * _ABOVE + 3, dtype=np.int64)
    k = -_BELOW
    for count in range(levels.size):
        while _value(k) < count - _BELOW * _BELOW - 1:
            k += 1
        levels[count] = k + _BELOW
    return levels


@njit(cache=True)
def _chord(length: float, largest: float) -> float:
    """(sqrt(L) - sqrt(L - W)) / W."""
    return float(1.0 / (np.sqrt(length) + np.sqrt(max(length - largest, 0.0))))


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


@njit(cache=True)
def _copy(source: Bits, target: Bits) -> None:
    for word in range(source.size):
        target[word] = source[word]


@njit(cache=True, inline="always")
def _intersect(screen: Screen, start: int, end: int, loss: float, found: Bits) -> None:
    """Keep the features whose terms are within lag + loss for the samples rows[start:end], four samples at a time."""
    rows, level = screen.rows, screen.level
    for place in range(start, end):
        level[place] = screen.levels[_units((screen.lag[place] + loss) * screen.per_unit)]
    for k in range(start, end, 4):
        a, b = screen.masks[rows[k], level[k]], screen.masks[rows[k + 1], level[k + 1]]
        c, d = screen.masks[rows[k + 2], level[k + 2]], screen.masks[rows[k + 3], level[k + 3]]
        for word in range(found.size):
            found[word] &= a[word] & b[word] & c[word] & d[word]


@njit(cache=True)
def _positions(found: Bits, listed: IntArray) -> int:
    """Write the positions of the bits that are set, and return how many there are."""
    count = 0
    for word in range(found.size):
        left = found[word]
        while left != 0:
            listed[count] = word * _WORD + trailing_zeros(left)  # type: ignore[call-arg]
            count += 1
            left &= left - np.uint64(1)
    return count
