"""In which order equal scores leave: the sort decides, and where many are equal that decides the ranking."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numba import njit

from marginfs.errors import ConfigError
from marginfs.types import FloatArray, IntArray

TieOrder = Literal["stable", "introsort"]
_SMALL = 15


def ascending(scores: FloatArray, ties: TieOrder = "stable") -> IntArray:
    """Positions of the scores, the smallest first.

    Parameters
    ----------
    scores : ndarray of shape (f,)
        The scores.
    ties : {"stable", "introsort"}
        Equal scores in the order of their positions, or in the one that numpy's scalar quicksort leaves them in
        (median of three, insertion sort for short blocks), which numpy itself now depends on the machine for.

    Returns
    -------
    ndarray of int
        The positions.
    """
    if ties == "stable":
        return np.argsort(scores, kind="stable")
    if ties == "introsort":
        return _quicksort(scores)
    raise ConfigError(f"tie_order is {ties!r}: write stable or introsort.")


@njit(cache=True)
def _quicksort(scores: FloatArray) -> IntArray:
    """Sort positions block by block, the shorter part of a block first.

    numpy turns to heapsort after 2 log2 n partitions in a row; ties, which halve a block, do not lead there.
    """
    order = np.arange(scores.size)
    waiting = [(0, scores.size - 1)]
    while waiting:
        low, high = waiting.pop()
        while high - low > _SMALL:
            middle = _partition(scores, order, low, high)
            if middle - low < high - middle:
                waiting.append((middle + 1, high))
                high = middle - 1
            else:
                waiting.append((low, middle - 1))
                low = middle + 1
        _insertion_sort(scores, order, low, high)
    return order


@njit(cache=True)
def _swap_if_less(scores: FloatArray, order: IntArray, first: int, second: int) -> None:
    """Exchange two places where the first holds the smaller score."""
    if scores[order[first]] < scores[order[second]]:
        order[first], order[second] = order[second], order[first]


@njit(cache=True)
def _partition(scores: FloatArray, order: IntArray, low: int, high: int) -> int:
    """Bring the median of three to its place, smaller scores to its left, greater to its right; returns the place."""
    middle = low + (high - low) // 2
    _swap_if_less(scores, order, middle, low)
    _swap_if_less(scores, order, high, middle)
    _swap_if_less(scores, order, middle, low)
    pivot = scores[order[middle]]
    order[middle], order[high - 1] = order[high - 1], order[middle]
    left, right = low, high - 1
    while True:
        left += 1
        while scores[order[left]] < pivot:
            left += 1
        right -= 1
        while pivot < scores[order[right]]:
            right -= 1
        if left >= right:
            break
        order[left], order[right] = order[right], order[left]
    order[left], order[high - 1] = order[high - 1], order[left]
    return left


@njit(cache=True)
def _insertion_sort(scores: FloatArray, order: IntArray, low: int, high: int) -> None:
    for start in range(low + 1, high + 1):
        moving = order[start]
        place = start
        while place > low and scores[moving] < scores[order[place - 1]]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = moving
