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

    For each feature the two samples that last bounded its margin are kept as witnesses: N after its removal is at most
    what they give, so a feature is evaluated over all samples only where that bound beats the best one found so far.
    """
    p = block.names.size
    witness = np.zeros((p, 2), dtype=np.int64)
    witness[:, 1] = block.n_pos
    bound = np.empty((p, 2))
    for j in range(p):
        bound[j, 0], bound[j, 1] = block.delta[j, 0], block.delta[j, block.n_pos]
    for i in range(budget):
        now = steps[i]
        inside = np.searchsorted(block.top, now["numerator"], side="right")
        end = inside if sufficient else p
        chosen, best, evaluated = _best_removal(block, witness, bound, now["length"], 0, end, -1, 0.0)
        if sufficient:
            rival, best, more = _best_removal(block, witness, bound, now["length"], end, p, chosen, best)
            differs = rival != chosen
            evaluated += more
        else:
            differs = chosen >= inside
        soft = chosen < 0
        if soft:
            if soft_C == 0.0:
                return i
            chosen = _best_soft_removal(block, bound, now["sign"], now["shift"], soft_C)
        _remove(block, chosen, now, steps[i + 1])
        bound[chosen] = np.inf
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
def _best_removal(
    block: Block, witness: IntArray, bound: FloatArray, length: float, start: int, end: int, chosen: int, best: float
) -> tuple[int, float, int]:
    """Among positions start..end, the one with the largest gamma^2 above `best`, its gamma^2, and the evaluations done.

    The bound of the mirrored cone comes with that of the first: (a + b)/2 <= u implies -(c + d)/2 <= -u.
    """
    g, evaluated = block.g, 0
    for j in range(start, end):
        left = length - block.squared[j]
        first, second = g[witness[j, 0]] - bound[j, 0], g[witness[j, 1]] - bound[j, 1]
        u = abs(0.5 * (first + second)) if block.little else min(first, second)
        if u <= 0.0 or u * u < best * left or left <= _LEAST_LENGTH * length or bound[j, 0] == np.inf:
            continue
        evaluated += 1
        u = _evaluate(block, j, witness, bound)
        if u <= 0.0:
            continue
        gamma2 = u * u / left
        if gamma2 > best or (gamma2 == best and chosen >= 0 and block.names[j] < block.names[chosen]):
            chosen, best = j, gamma2
    return chosen, best, evaluated


@njit(cache=True)  # type: ignore[misc, unused-ignore]
def _evaluate(block: Block, j: int, witness: IntArray, bound: FloatArray) -> float:
    """N after the removal of position j, over all samples; the worst sample of either class becomes its witness."""
    g, delta = block.g, block.delta
    worst_pos, worst_neg = 0, block.n_pos
    low_pos, low_neg = np.inf, np.inf
    for n in range(block.n_pos):
        value = g[n] - delta[j, n]
        if value < low_pos:
            low_pos, worst_pos = value, n
    for n in range(block.n_pos, g.size):
        value = g[n] - delta[j, n]
        if value < low_neg:
            low_neg, worst_neg = value, n
    witness[j, 0], witness[j, 1] = worst_pos, worst_neg
    bound[j, 0], bound[j, 1] = delta[j, worst_pos], delta[j, worst_neg]
    if not block.little:
        return min(low_pos, low_neg)
    if low_pos + low_neg > 0.0:
        return 0.5 * (low_pos + low_neg)
    return little_numerator(*extremes(g - delta[j], block.n_pos))


@njit(cache=True)  # type: ignore[misc, unused-ignore]
def _best_soft_removal(block: Block, bound: FloatArray, sign: float, shift: float, soft_C: float) -> int:
    """The removal with the smallest L/2 + C sum_n max(0, 1 - g_n), where g_n = sign * h_n + y_n * shift with LO."""
    chosen, best = -1, np.inf
    for j in range(block.names.size):
        if bound[j, 0] == np.inf:
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
