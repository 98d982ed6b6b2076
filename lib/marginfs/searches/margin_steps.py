"""Elimination steps of a linear hyperplane between two recomputations of delta, g and L: the inner loops of `margin`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from marginfs.searches.little_optimisation import extremes, little_numerator, little_plane
from marginfs.searches.margin_path import MarginPath, margin_of
from marginfs.types import FloatArray, IntArray

STEP = np.dtype(
    [
        ("feature", np.int64),
        ("numerator", np.float64),
        ("length", np.float64),
        ("sign", np.float64),
        ("shift", np.float64),
        ("epoch", np.int64),
        ("evaluated", np.int64),
        ("soft", np.bool_),
        ("differs", np.bool_),
    ]
)
Steps = npt.NDArray[np.void]

_LEAST_LENGTH = 1e-13
_ROUNDING = 1e-14
_TILE = 128


class Block(NamedTuple):
    """The retained features, in ascending order of top = max_n delta_n; the first n_pos samples are the positive ones.

    g: functional margins y_n f(x_n), without the bias where the little optimisation sets it.
    """

    delta: FloatArray
    squared: FloatArray
    names: IntArray
    top: FloatArray
    y: FloatArray
    g: FloatArray
    n_pos: int
    little: bool


def as_path(steps: Steps, remaining: IntArray, coefficients: FloatArray, little: bool) -> MarginPath:
    """The record of all states as a path; where the little optimisation succeeded, A = 1/N scales the hyperplane."""
    numerator = steps["numerator"]
    size = np.where(little & (numerator > 0.0), numerator, 1.0)
    return MarginPath(
        removed=steps["feature"][1:].copy(),
        remaining=remaining,
        margin=margin_of(numerator, steps["length"]),
        squared_length=steps["length"].copy(),
        scale=steps["sign"] / size,
        bias=steps["shift"] / size,
        epoch=steps["epoch"].copy(),
        coefficients=coefficients,
        soft=steps["soft"][1:].copy(),
        differs=steps["differs"][1:].copy(),
        evaluated=steps["evaluated"][1:].copy(),
    )


@njit(cache=True)  # type: ignore[misc, unused-ignore]
def describe(g: FloatArray, n_pos: int, little: bool, step: Steps) -> None:
    """Write the numerator N of a state and, where the little optimisation finds a separating plane, its sign and shift."""
    low_pos, low_neg, high_pos, high_neg = extremes(g, n_pos)
    if not little:
        step["numerator"] = min(low_pos, low_neg)
        return
    step["numerator"] = little_numerator(low_pos, low_neg, high_pos, high_neg)
    if step["numerator"] > 0.0:
        step["sign"], step["shift"] = little_plane(low_pos, low_neg, high_pos, high_neg)


@njit(cache=True)  # type: ignore[misc, unused-ignore]
def follow_block(block: Block, order: IntArray, stop: bool, steps: Steps) -> int:
    """Remove block positions in the given order; with `stop`, halt before the first removal that leaves N <= 0.

    steps[0] is the state at the start, steps[i] the one after i removals. Returns the number of removals.
    """
    for i in range(order.size):
        _remove(block, order[i], steps[i], steps[i + 1])
        if stop and steps[i + 1]["numerator"] <= 0.0:
            return i
        if steps[i + 1]["length"] < 0.5 * steps[0]["length"]:
            return i + 1
    return order.size


@njit(cache=True)  # type: ignore[misc, unused-ignore]
def eliminate_block(block: Block, sufficient: bool, soft_C: float, budget: int, steps: Steps) -> int:
    """Remove up to `budget` features, each the one that leaves the largest margin (soft_C = 0: stop when none does).

    The eight samples that now have the smallest g bound every feature's N from above in one sweep over the features;
    all samples are looked at only for the few features whose bound beats the best margin found so far.
    """
    p = block.names.size
    by_sample = block.delta.T.copy()
    ceiling, rows = np.empty(p), np.empty(8, dtype=np.int64)
    for i in range(budget):
        now = steps[i]
        inside = np.searchsorted(block.top, now["numerator"], side="right")
        _bound(block, by_sample, rows, ceiling)
        end = inside if sufficient else p
        chosen, best, evaluated = _best_removal(block, ceiling, now["length"], 0, end, -1, 0.0)
        differs = chosen >= inside
        if sufficient:
            rival, best, more = _best_removal(block, ceiling, now["length"], end, p, chosen, best)
            differs = rival != chosen
            evaluated += more
        soft = chosen < 0
        if soft:
            if soft_C == 0.0:
                return i
            chosen = _best_soft_removal(block, ceiling, now["sign"], now["shift"], soft_C)
        _remove(block, chosen, now, steps[i + 1])
        by_sample[:, chosen] = np.inf
        steps[i + 1]["evaluated"], steps[i + 1]["soft"], steps[i + 1]["differs"] = evaluated, soft, differs
        if steps[i + 1]["length"] < 0.5 * steps[0]["length"]:
            return i + 1
    return budget


@njit(cache=True)  # type: ignore[misc, unused-ignore]
def numerators_after_removal(block: Block) -> FloatArray:
    """N after the removal of each feature of the block alone, also where it is not positive."""
    result = np.empty(block.names.size)
    for j in range(result.size):
        low_pos, low_neg, high_pos, high_neg = extremes(block.g - block.delta[j], block.n_pos)
        result[j] = little_numerator(low_pos, low_neg, high_pos, high_neg) if block.little else min(low_pos, low_neg)
    return result


@njit(cache=True)  # type: ignore[misc, unused-ignore]
def _remove(block: Block, j: int, before: Steps, after: Steps) -> None:
    """The recursion of section 2.3, step 3."""
    for n in range(block.g.size):
        block.g[n] -= block.delta[j, n]
    after["feature"] = block.names[j]
    after["length"] = before["length"] - block.squared[j]
    after["sign"], after["shift"], after["epoch"] = before["sign"], before["shift"], before["epoch"]
    describe(block.g, block.n_pos, block.little, after)


@njit(cache=True)  # type: ignore[misc, unused-ignore]
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


@njit(cache=True)  # type: ignore[misc, unused-ignore]
def _bound(block: Block, by_sample: FloatArray, rows: IntArray, ceiling: FloatArray) -> None:
    """Upper bounds on N after each removal, from the eight lowest samples, with LO from the four lowest of each class."""
    first, second = rows[:4], rows[4:]
    if block.little:
        _lowest(block.g, 0, block.n_pos, first)
        _lowest(block.g, block.n_pos, block.g.size, second)
    else:
        _lowest(block.g, 0, block.g.size, rows)
    ceiling[:] = np.inf
    _sweep(by_sample, block.g, first, False, ceiling)
    _sweep(by_sample, block.g, second, block.little, ceiling)


@njit(cache=True, fastmath={"nnan", "nsz"})  # type: ignore[misc, unused-ignore]
def _sweep(by_sample: FloatArray, g: FloatArray, rows: IntArray, mean: bool, ceiling: FloatArray) -> None:
    """The smallest g_n - delta_n of four samples for every feature, minimised or averaged into its ceiling.

    Four rows at a time without calls or reductions: the compiler makes vector instructions of it.
    """
    row0, row1, row2, row3 = by_sample[rows[0]], by_sample[rows[1]], by_sample[rows[2]], by_sample[rows[3]]
    g0, g1, g2, g3 = g[rows[0]], g[rows[1]], g[rows[2]], g[rows[3]]
    for j in range(ceiling.size):
        first, second, third, fourth = g0 - row0[j], g1 - row1[j], g2 - row2[j], g3 - row3[j]
        first = first if first < second else second
        third = third if third < fourth else fourth
        first = first if first < third else third
        if mean:
            ceiling[j] = 0.5 * (ceiling[j] + first)
        else:
            ceiling[j] = first if first < ceiling[j] else ceiling[j]


@njit(cache=True)  # type: ignore[misc, unused-ignore]
def _best_removal(
    block: Block, ceiling: FloatArray, length: float, start: int, end: int, chosen: int, best: float
) -> tuple[int, float, int]:
    """Among positions start..end the one with the largest gamma^2, if above `best`; its gamma^2; evaluations done.

    The mirrored cone of the little optimisation has N <= top_j - (c + d)/2, which only the last positions can make
    positive.
    """
    mirrored = end
    if block.little:
        low_pos, low_neg, high_pos, high_neg = extremes(block.g, block.n_pos)
        mirrored = np.searchsorted(block.top, 0.5 * (high_pos + high_neg), side="right")
    evaluated = 0
    for tile in range(start, end, _TILE):
        stop = min(tile + _TILE, end)
        if stop <= mirrored and not _count_above(ceiling[tile:stop], block.squared[tile:stop], length, best):
            continue
        for j in range(tile, stop):
            u, left = ceiling[j], length - block.squared[j]
            hopeless = u <= 0.0 or u * u < (1.0 - _ROUNDING) * best * left
            if (hopeless and j < mirrored) or u == -np.inf or left < _LEAST_LENGTH * length:
                continue
            evaluated += 1
            u = _numerator(block, j, np.sqrt((1.0 - _ROUNDING) * best * left))
            gamma2 = u * u / left
            if u > 0.0 and (gamma2 > best or (gamma2 == best and block.names[j] < block.names[chosen])):
                chosen, best = j, gamma2
    return chosen, best, evaluated


@njit(cache=True)  # type: ignore[misc, unused-ignore]
def _count_above(ceiling: FloatArray, squared: FloatArray, length: float, best: float) -> int:
    """How many ceilings on gamma^2 are not below `best`; a count without exits becomes vector instructions."""
    least, count = (1.0 - _ROUNDING) * best, 0
    for j in range(ceiling.size):
        if ceiling[j] > 0.0 and ceiling[j] * ceiling[j] >= least * (length - squared[j]):
            count += 1
    return count


@njit(cache=True)  # type: ignore[misc, unused-ignore]
def _numerator(block: Block, j: int, floor: float) -> float:
    """N after the removal of position j; without LO, any value below `floor` once N is known to be below it."""
    if block.little:
        low_pos, low_neg, high_pos, high_neg = extremes(block.g - block.delta[j], block.n_pos)
        return little_numerator(low_pos, low_neg, high_pos, high_neg)
    least = np.inf
    for n in range(block.g.size):
        value = block.g[n] - block.delta[j, n]
        if value < least:
            least = value
            if least < floor:
                break
    return least


@njit(cache=True)  # type: ignore[misc, unused-ignore]
def _best_soft_removal(block: Block, ceiling: FloatArray, sign: float, shift: float, soft_C: float) -> int:
    """The removal with the smallest L/2 + C sum_n max(0, 1 - g_n), where g_n = sign * h_n + y_n * shift with LO."""
    chosen, best = -1, np.inf
    for j in range(block.names.size):
        if ceiling[j] == -np.inf:
            continue
        loss = 0.0
        for n in range(block.g.size):
            value = block.g[n] - block.delta[j, n]
            if block.little:
                value = sign * value + block.y[n] * shift
            loss += max(0.0, 1.0 - value)
        objective = soft_C * loss - 0.5 * block.squared[j]
        if chosen < 0 or objective < best or (objective == best and block.names[j] < block.names[chosen]):
            chosen, best = j, objective
    return chosen
