"""Elimination steps of a hyperplane between two recomputations of delta, g and L: the loops of `linear_margin`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from marginfs.searches.little_optimisation import extremes, little_numerator
from marginfs.searches.margin_levels import LOWEST_LEVEL
from marginfs.searches.margin_screen import Screen, covers, drop, make_screen
from marginfs.searches.margin_shortlist import choose_samples, loss_at, measure_lags, shortlist
from marginfs.searches.margin_states import Steps, describe
from marginfs.types import ZERO, BoolArray, FloatArray, IntArray

_LEAST_LENGTH = 1e-13
_ROUNDING = 1e-14
_LONG_LIST = 16
_STEPS_PER_CHOICE = 16
_INFINITY = 0x7FF0000000000000


class Block(NamedTuple):
    """The features of a state, in ascending order; the first n_pos samples are the positive ones.

    Attributes
    ----------
    delta : ndarray
        y_n x_nm w_m, one row per feature.
    squared : ndarray of float
        w_m^2.
    features : ndarray of int
        The features.
    y : ndarray of float
        Labels.
    g : ndarray of float
        Functional margins y_n f(x_n), without the bias where the little optimisation sets it.
    n_pos : int
        Number of positive samples.
    little : bool
        Whether the little optimisation is applied.
    """

    delta: FloatArray
    squared: FloatArray
    features: IntArray
    y: FloatArray
    g: FloatArray
    n_pos: int
    little: bool


@njit(cache=True)
def follow_block(block: Block, order: IntArray, stop: bool, steps: Steps) -> int:
    """Remove block positions in the given order; with `stop`, halt before the first removal that leaves N <= 0.

    Parameters
    ----------
    block : Block
        The features; its g is changed in place.
    order : ndarray of int
        Positions in the block.
    stop : bool
        Whether to halt there.
    steps : ndarray of STEP
        steps[0] is the state at the start, steps[i] the one after i removals, written here.

    Returns
    -------
    int
        The number of removals.
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

    Parameters
    ----------
    block : Block
        The features; its g is changed in place.
    sufficient : bool
        Whether only the paper's candidate set is considered.
    soft_penalty : float
        Weight C of the hinge losses, where no removal keeps the margin positive.
    budget : int
        Most features to remove.
    steps : ndarray of STEP
        As in `follow_block`.

    Returns
    -------
    int
        The number of removals.
    """
    start = steps[0]["length"]
    screen = make_screen(block.delta, block.squared, steps[0]["numerator"] / np.sqrt(start), start)
    alive = np.ones(block.features.size, dtype=np.bool_)
    level = ZERO
    for i in range(budget):
        if i % _STEPS_PER_CHOICE == 0:
            choose_samples(screen, block.g, block.n_pos, block.little)
        chosen, best, differs, evaluated, level = _best_removal(block, screen, sufficient, steps[i], level)
        soft = chosen < 0
        if soft:
            if soft_penalty == 0.0:
                return i
            chosen = _best_soft_removal(block, alive, steps[i]["sign"], steps[i]["shift"], soft_penalty)
        _remove(block, chosen, steps[i], steps[i + 1])
        alive[chosen] = False
        drop(screen, chosen)
        steps[i + 1]["evaluated"], steps[i + 1]["soft"], steps[i + 1]["differs"] = evaluated, soft, differs
        if steps[i + 1]["length"] < 0.5 * start or not covers(screen, np.sqrt(best), steps[i + 1]["length"]):
            return i + 1
    return budget


@njit(cache=True)
def numerators_after_removal(block: Block) -> FloatArray:
    """N after the removal of each feature alone, also where it is not positive.

    Parameters
    ----------
    block : Block
        The features.

    Returns
    -------
    ndarray of float
        One number per feature of the block.
    """
    result = np.empty(block.features.size)
    for j in range(result.size):
        low_pos, low_neg, high_pos, high_neg = extremes(block.g - block.delta[j], block.n_pos)
        result[j] = little_numerator(low_pos, low_neg, high_pos, high_neg) if block.little else min(low_pos, low_neg)
    return result


@njit(cache=True, inline="always")
def _remove(block: Block, j: int, before: Steps, after: Steps) -> None:
    """The recursion of section 2.3, step 3."""
    for n in range(block.g.size):
        block.g[n] -= block.delta[j, n]
    after["feature"] = block.features[j]
    after["length"] = before["length"] - block.squared[j]
    after["sign"], after["shift"], after["epoch"] = before["sign"], before["shift"], before["epoch"]
    describe(block.g, block.n_pos, block.little, after)


@njit(cache=True, inline="always")
def _best_removal(
    block: Block, screen: Screen, sufficient: bool, state: Steps, level: int
) -> tuple[int, float, bool, int, int]:
    """The removal with the largest gamma^2, -1 if none is positive; its gamma^2; whether the sufficient set misses the
    best one; evaluations done; the level to try at the next step.

    The short list for a guessed loss of N holds the best removal if that loses no more; else greater losses are tried.
    """
    numerator, length = float(state["numerator"]), float(state["length"])
    low_pos, low_neg, high_pos, high_neg = extremes(block.g, block.n_pos)
    base = 0.5 * (low_pos + low_neg) if block.little else numerator
    scale = max(abs(low_pos), abs(low_neg))
    mirrored = 0.5 * (high_pos + high_neg) if block.little else np.inf
    measure_lags(screen, block.g, low_pos if block.little else numerator, low_neg if block.little else numerator)
    while True:
        least = max(base - loss_at(screen, level), 0.0)
        if not covers(screen, least / np.sqrt(length), length):
            least = 0.0
        count = shortlist(screen, base - least, scale, block.little, mirrored)
        floor = (1.0 - _ROUNDING) * least * least / length
        chosen, best, differs = _best_listed(block, screen, count, sufficient, numerator, length, floor)
        if chosen >= 0 or least == 0.0:
            return chosen, best, differs, count, max(level - (count > _LONG_LIST), LOWEST_LEVEL)
        level += 2


@njit(cache=True, inline="always")
def _best_listed(
    block: Block, screen: Screen, count: int, sufficient: bool, numerator: float, length: float, best: float
) -> tuple[int, float, bool]:
    """Among the listed positions the one with the largest gamma^2 above `best`, of the sufficient set only if so asked;
    its gamma^2; whether the sufficient set misses the best of all.
    """
    g, delta, little = block.g, block.delta, block.little
    chosen, differs, best_of_all = -1, False, best
    for i in range(count):
        j = screen.listed[i]
        left = length - block.squared[j]
        if left < _LEAST_LENGTH * length:
            continue
        u = _little_numerator(g, delta, j, block.n_pos) if little else _least_difference(g, delta, j)
        if u <= 0.0 or u * u < (1.0 - _ROUNDING) * best * left:
            continue
        gamma2 = u * u / left
        if gamma2 <= best:
            continue
        outside = screen.top[j] > numerator
        if gamma2 > best_of_all:
            best_of_all, differs = gamma2, outside
        if not (sufficient and outside):
            chosen, best = j, gamma2
    return chosen, best, differs


@njit(cache=True)
def _little_numerator(g: FloatArray, delta: FloatArray, j: int, n_pos: int) -> float:
    """N after the removal of a feature, with the little optimisation."""
    low_pos, low_neg, high_pos, high_neg = extremes(g - delta[j], n_pos)
    return little_numerator(low_pos, low_neg, high_pos, high_neg)


@njit(cache=True)
def _least_difference(g: FloatArray, delta: FloatArray, j: int) -> float:
    """min_n (g_n - delta_jn) where that is positive, else some number that is not.

    Positive floats are ordered as their bits are, and compilers vectorise the minimum of integers, but not that of
    floats: four times as fast.
    """
    least = np.int64(_INFINITY)
    for n in range(g.size):
        least = min(least, np.float64(g[n] - delta[j, n]).view(np.int64))
    return float(np.int64(least).view(np.float64))


@njit(cache=True)
def _best_soft_removal(block: Block, alive: BoolArray, sign: float, shift: float, soft_penalty: float) -> int:
    """The removal with the smallest L/2 + C sum_n max(0, 1 - g_n), where g_n = sign * h_n + y_n * shift with LO."""
    chosen, best = -1, np.inf
    for j in range(block.features.size):
        if not alive[j]:
            continue
        loss = 0.0
        for n in range(block.g.size):
            value = block.g[n] - block.delta[j, n]
            if block.little:
                value = sign * value + block.y[n] * shift
            loss += max(0.0, 1.0 - value)
        objective = soft_penalty * loss - 0.5 * block.squared[j]
        if chosen < 0 or objective < best or (objective == best and block.features[j] < block.features[chosen]):
            chosen, best = j, objective
    return chosen
