"""Elimination steps of a linear hyperplane between two recomputations of delta, g and L: the loops of `margin`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from marginfs.searches.little_optimisation import extremes, little_numerator, little_plane
from marginfs.searches.margin_path import MarginPath, margin_of
from marginfs.searches.margin_screen import (
    OUT_OF_REACH,
    TILE,
    Screen,
    covers,
    make_screen,
    peak,
    threshold,
    update_ceilings,
)
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


@njit(cache=True)
def describe(g: FloatArray, n_pos: int, little: bool, step: Steps) -> None:
    """Write the numerator N of a state and, where the little optimisation separates, its plane's sign and shift."""
    low_pos, low_neg, high_pos, high_neg = extremes(g, n_pos)
    if not little:
        step["numerator"] = min(low_pos, low_neg)
        return
    step["numerator"] = little_numerator(low_pos, low_neg, high_pos, high_neg)
    if step["numerator"] > 0.0:
        step["sign"], step["shift"] = little_plane(low_pos, low_neg, high_pos, high_neg)


@njit(cache=True)
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


@njit(cache=True)
def eliminate_block(block: Block, sufficient: bool, soft_penalty: float, budget: int, steps: Steps) -> int:
    """Remove up to `budget` features, each leaving the largest margin (soft_penalty = 0: stop when none does).

    The block also ends where its screen has become too coarse, or half of the length is gone.
    """
    p = block.names.size
    start = steps[0]["length"]
    screen = make_screen(block.delta, block.squared, block.top, steps[0]["numerator"] / np.sqrt(start), start)
    alive = np.ones(p, dtype=np.bool_)
    head = 0
    for i in range(budget):
        numerator, length = steps[i]["numerator"], steps[i]["length"]
        while not alive[head]:
            head += 1
        inside = np.searchsorted(block.top, numerator, side="right")
        base = update_ceilings(screen, block.g, block.n_pos, block.little, head)
        end = inside if sufficient else p
        chosen, best, evaluated = _best_removal(block, screen, alive, base, length, head, end, -1, 0.0)
        differs = chosen >= inside
        if sufficient:
            rival, best, more = _best_removal(block, screen, alive, base, length, max(head, end), p, chosen, best)
            differs = rival != chosen
            evaluated += more
        soft = chosen < 0
        if soft:
            if soft_penalty == 0.0:
                return i
            chosen = _best_soft_removal(block, alive, steps[i]["sign"], steps[i]["shift"], soft_penalty)
        _remove(block, chosen, steps[i], steps[i + 1])
        alive[chosen] = False
        screen.coarse[:, chosen] = OUT_OF_REACH
        steps[i + 1]["evaluated"], steps[i + 1]["soft"], steps[i + 1]["differs"] = evaluated, soft, differs
        if steps[i + 1]["length"] < 0.5 * start or not covers(screen, np.sqrt(best), length):
            return i + 1
    return budget


@njit(cache=True)
def numerators_after_removal(block: Block) -> FloatArray:
    """N after the removal of each feature of the block alone, also where it is not positive."""
    result = np.empty(block.names.size)
    for j in range(result.size):
        low_pos, low_neg, high_pos, high_neg = extremes(block.g - block.delta[j], block.n_pos)
        result[j] = little_numerator(low_pos, low_neg, high_pos, high_neg) if block.little else min(low_pos, low_neg)
    return result


@njit(cache=True)
def _remove(block: Block, j: int, before: Steps, after: Steps) -> None:
    """The recursion of section 2.3, step 3."""
    for n in range(block.g.size):
        block.g[n] -= block.delta[j, n]
    after["feature"] = block.names[j]
    after["length"] = before["length"] - block.squared[j]
    after["sign"], after["shift"], after["epoch"] = before["sign"], before["shift"], before["epoch"]
    describe(block.g, block.n_pos, block.little, after)


@njit(cache=True)
def _best_removal(
    block: Block,
    screen: Screen,
    alive: npt.NDArray[np.bool_],
    base: float,
    length: float,
    start: int,
    end: int,
    chosen: int,
    best: float,
) -> tuple[int, float, int]:
    """Among positions start..end the one with the largest gamma^2, if above `best`; its gamma^2; evaluations done.

    A first evaluation where the ceiling is highest sets the level that the others must reach. The mirrored cone of the
    little optimisation has N <= top_j - (c + d)/2, which only the last positions can make positive.
    """
    delta, squared, names, g, ceiling = block.delta, block.squared, block.names, block.g, screen.ceiling
    mirrored = end
    if block.little:
        _, _, high_pos, high_neg = extremes(g, block.n_pos)
        mirrored = int(np.searchsorted(block.top, 0.5 * (high_pos + high_neg), side="right"))
    first, level, evaluated = peak(screen, start, end), 32767, 0
    if first < 0:
        return chosen, best, evaluated
    for tile in range(start // TILE - 1, (end - 1) // TILE + 1):
        sweeping = tile >= start // TILE
        low, high = (max(start, tile * TILE), min(end, (tile + 1) * TILE)) if sweeping else (first, first + 1)
        if tile == start // TILE:
            level = threshold(screen, base, np.sqrt(best), length)
        if sweeping and high <= mirrored and screen.highest[tile] < level:
            continue
        for j in range(low, high):
            left = length - squared[j]
            hopeless = sweeping and ceiling[j] < level and j < mirrored
            if hopeless or not alive[j] or left < _LEAST_LENGTH * length:
                continue
            evaluated += 1
            u = _numerator(g, delta[j], block.n_pos, block.little, np.sqrt((1.0 - _ROUNDING) * best * left))
            gamma2 = u * u / left
            if u > 0.0 and (gamma2 > best or (gamma2 == best and names[j] < names[chosen])):
                chosen, best = j, gamma2
                level = threshold(screen, base, np.sqrt(best), length)
    return chosen, best, evaluated


@njit(cache=True)
def _numerator(g: FloatArray, delta: FloatArray, n_pos: int, little: bool, floor: float) -> float:
    """N after the removal of a feature; without LO, any value below `floor` once N is known to be below it."""
    if little:
        low_pos, low_neg, high_pos, high_neg = extremes(g - delta, n_pos)
        return little_numerator(low_pos, low_neg, high_pos, high_neg)
    least = np.inf
    for n in range(g.size):
        value = g[n] - delta[n]
        if value < least:
            least = value
            if least < floor:
                break
    return least


@njit(cache=True)
def _best_soft_removal(
    block: Block, alive: npt.NDArray[np.bool_], sign: float, shift: float, soft_penalty: float
) -> int:
    """The removal with the smallest L/2 + C sum_n max(0, 1 - g_n), where g_n = sign * h_n + y_n * shift with LO."""
    chosen, best = -1, np.inf
    for j in range(block.names.size):
        if not alive[j]:
            continue
        loss = 0.0
        for n in range(block.g.size):
            value = block.g[n] - block.delta[j, n]
            if block.little:
                value = sign * value + block.y[n] * shift
            loss += max(0.0, 1.0 - value)
        objective = soft_penalty * loss - 0.5 * block.squared[j]
        if chosen < 0 or objective < best or (objective == best and block.names[j] < block.names[chosen]):
            chosen, best = j, objective
    return chosen
