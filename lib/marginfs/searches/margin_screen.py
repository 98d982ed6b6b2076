"""Which removals could be the margin-optimal one: a cheap upper bound for every feature at every step.

Removing feature j leaves N_j = min_n (g_n - delta_nj); it beats a margin gamma only if N_j > gamma sqrt(L - w_j^2).
The square root is concave, so with W the largest w_j^2 it is at least sqrt(L) - c w_j^2, c = 1/(sqrt(L) + sqrt(L - W)),
and a winner has for every sample n and any credit >= gamma c

    g_n - (delta_nj - credit w_j^2) > gamma sqrt(L).

The samples with the smallest g decide almost always, so only sixteen of them are looked at. The terms are kept as
16-bit integers in steps of `unit`, rounded so that the bound stays one: sixteen features to a vector instruction, and a
quarter of the memory. Their range is that of the smaller half of max_n delta_nj: large terms are cut to it, and large
negative ones bound nothing. With the little optimisation N_j is the mean of the two classes' minima, and eight samples
of each class bound it in the same way.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from marginfs.types import FloatArray, IntArray

Coarse = npt.NDArray[np.int16]

OUT_OF_REACH = 16000
TILE = 256
_REACH = 8000
_UNBOUNDED = -16000
_HIGHEST_LEVEL = 4000
_HALF = 8


class Screen(NamedTuple):
    """The terms of the bound for one block of features.

    coarse: delta_nj - credit w_j^2 in units, one row per sample.
    ceiling, highest: the bound of every feature in units, and the highest of each tile of features.
    largest: the largest w_j^2.
    """

    coarse: Coarse
    unit: float
    credit: float
    largest: float
    ceiling: Coarse
    highest: Coarse


@njit(cache=True)
def make_screen(delta: FloatArray, squared: FloatArray, top: FloatArray, gamma: float, length: float) -> Screen:
    """The screen for delta as it stands, one row per feature, with some credit in store for a growing gamma c."""
    p, n = delta.shape
    largest = squared.max()
    credit = 1.25 * max(gamma, 0.0) * _chord(length, largest)
    unit = top[p // 2] / _REACH if top[p // 2] > 0.0 else 1.0
    coarse = np.empty((n, p), dtype=np.int16)
    for tile in range(0, p, 16):
        for i in range(n):
            for j in range(tile, min(tile + 16, p)):
                value = np.floor((delta[j, i] - credit * squared[j]) / unit)
                coarse[i, j] = np.int16(min(value, _REACH)) if value >= -_REACH else _UNBOUNDED
    highest = np.empty((p + TILE - 1) // TILE, dtype=np.int16)
    return Screen(coarse, unit, credit, largest, np.empty(p, dtype=np.int16), highest)


@njit(cache=True)
def _chord(length: float, largest: float) -> float:
    return float(1.0 / (np.sqrt(length) + np.sqrt(max(length - largest, 0.0))))


@njit(cache=True)
def covers(screen: Screen, gamma: float, length: float) -> bool:
    """Whether the screen's credit is large enough for this margin."""
    return gamma * _chord(length, screen.largest) <= screen.credit


@njit(cache=True)
def update_ceilings(screen: Screen, g: FloatArray, n_pos: int, little: bool, head: int) -> float:
    """Bound the features from position `head` on, relative to the present N of the first cone, which is returned."""
    rows = np.empty(2 * _HALF, dtype=np.int64)
    if little:
        _lowest(g, 0, n_pos, rows[:_HALF])
        _lowest(g, n_pos, g.size, rows[_HALF:])
    else:
        _lowest(g, 0, g.size, rows)
    first, second = g[rows[0]], g[rows[_HALF]] if little else g[rows[0]]
    lag = np.empty(rows.size, dtype=np.int16)
    for k in range(rows.size):
        behind = np.ceil((g[rows[k]] - (first if k < _HALF else second)) / screen.unit)
        if behind > _REACH:
            rows[k] = rows[0 if k < _HALF or not little else _HALF]
            behind = 0.0
        lag[k] = np.int16(behind)
    ceiling, coarse = screen.ceiling[head:], screen.coarse
    _sweep(coarse, rows[:4], lag[:4], head, True, ceiling)
    _sweep(coarse, rows[4:8], lag[4:8], head, False, ceiling)
    if little:
        negative = np.empty(ceiling.size, dtype=np.int16)
        _sweep(coarse, rows[8:12], lag[8:12], head, True, negative)
        _sweep(coarse, rows[12:], lag[12:], head, False, negative)
        for j in range(ceiling.size):
            ceiling[j] = np.int16((ceiling[j] + negative[j] + 1) >> 1)
    else:
        _sweep(coarse, rows[8:12], lag[8:12], head, False, ceiling)
        _sweep(coarse, rows[12:], lag[12:], head, False, ceiling)
    _summarise(screen.ceiling, head, screen.highest)
    return float(0.5 * (first + second))


@njit(cache=True)
def threshold(screen: Screen, numerator: float, gamma: float, length: float) -> int:
    """The ceiling that a feature needs to beat gamma, in units above `numerator`; one all have if the credit fails."""
    if not covers(screen, gamma, length):
        return _UNBOUNDED
    units = np.floor((gamma * np.sqrt(length) - numerator) / screen.unit) - 1.0
    return int(min(max(units, _UNBOUNDED), _HIGHEST_LEVEL))


@njit(cache=True)
def peak(screen: Screen, start: int, end: int) -> int:
    """Where the ceiling is highest in start..end, as far as whole tiles tell; -1 if that is empty."""
    if start >= end:
        return -1
    tile = start // TILE
    for other in range(tile + 1, (end - 1) // TILE + 1):
        if screen.highest[other] > screen.highest[tile]:
            tile = other
    best = max(start, tile * TILE)
    for j in range(best + 1, min(end, (tile + 1) * TILE)):
        if screen.ceiling[j] > screen.ceiling[best]:
            best = j
    return best


@njit(cache=True)
def _summarise(ceiling: Coarse, head: int, highest: Coarse) -> None:
    """The highest ceiling of every tile from the one of `head` on."""
    for tile in range(head // TILE, highest.size):
        part = ceiling[max(head, tile * TILE) : (tile + 1) * TILE]
        most = np.int16(-32768)
        for j in range(part.size):
            most = part[j] if part[j] > most else most
        highest[tile] = most


@njit(cache=True)
def _lowest(g: FloatArray, start: int, end: int, rows: IntArray) -> None:
    """Write where the smallest g of start..end are; the very smallest is repeated where there are not enough."""
    rows[:] = -1
    last = rows.size - 1
    for n in range(start, end):
        if rows[last] >= 0 and g[n] >= g[rows[last]]:
            continue
        place = last
        while place > 0 and (rows[place - 1] < 0 or g[rows[place - 1]] > g[n]):
            rows[place] = rows[place - 1]
            place -= 1
        rows[place] = n
    for place in range(rows.size):
        if rows[place] < 0:
            rows[place] = rows[0]


@njit(cache=True)
def _sweep(coarse: Coarse, rows: IntArray, lag: Coarse, head: int, fresh: bool, ceiling: Coarse) -> None:
    """The least lag - coarse of four samples for every feature, stored if fresh, else minimised into its ceiling."""
    row0, row1 = coarse[rows[0]][head:], coarse[rows[1]][head:]
    row2, row3 = coarse[rows[2]][head:], coarse[rows[3]][head:]
    lag0, lag1, lag2, lag3 = lag[0], lag[1], lag[2], lag[3]
    for j in range(ceiling.size):
        a, b = np.int16(lag0 - row0[j]), np.int16(lag1 - row1[j])
        c, d = np.int16(lag2 - row2[j]), np.int16(lag3 - row3[j])
        a = a if a < b else b
        c = c if c < d else d
        a = a if a < c else c
        ceiling[j] = a if fresh or a < ceiling[j] else ceiling[j]
