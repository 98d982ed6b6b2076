"""The best number of features, estimated from an elimination alone (algorithms 4 and 5 of planas2021).

Within a block, the features that left at one iteration, accuracy is taken to fall with the accumulated criterion of
what has left, from the training accuracy before the block to that after it; after the last block there is only chance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from marginfs.errors import ConfigError
from marginfs.types import FloatArray, IntArray, Selection


class StopEstimate(NamedTuple):
    """Estimates for every number of features.

    Attributes
    ----------
    sizes : ndarray of int
        Numbers of features, d down to 1.
    accuracy : ndarray of float
        Estimated accuracy at each.
    cost : ndarray of float
        Estimated cost at each: w (1 - accuracy) + (1 - w) size / d.
    size : int
        The number of features of least cost, the smallest among equals.
    """

    sizes: IntArray
    accuracy: FloatArray
    cost: FloatArray
    size: int


def estimate_size(selection: Selection, *, accuracy_weight: float = 0.8, chance: float = 0.5) -> StopEstimate:
    """Estimate accuracy and cost along a ranking from the trace of its elimination.

    Parameters
    ----------
    selection : Selection
        What `svm_rfe` returned.
    accuracy_weight : float
        Weight w of the error in the cost.
    chance : float
        Accuracy without features.

    Returns
    -------
    StopEstimate
        The curves, and where the cost is least.
    """
    if not 0 <= accuracy_weight <= 1:
        raise ConfigError(f"accuracy_weight is {accuracy_weight}: write a weight between 0 and 1.")
    trace = selection.trace
    if "train_accuracy" not in trace:
        raise ConfigError("the stop condition needs training accuracies along the elimination: use selector svm_rfe.")
    total = selection.ranking.size
    starts = np.unique(trace["retained"])[::-1]
    before = {int(size): float(trace["train_accuracy"][total - size]) for size in starts}
    accuracy = np.empty(total)
    for start, stop in zip(starts, [*starts[1:], 0], strict=True):
        block = slice(total - start, total - stop)
        above, below = before[int(start)], before.get(int(stop), chance)
        accuracy[block] = above - (above - below) * _gone(trace["relevance"][block])
    sizes = np.arange(total, 0, -1)
    cost = accuracy_weight * (1.0 - accuracy) + (1.0 - accuracy_weight) * sizes / total
    best = total - 1 - int(np.argmin(cost[::-1]))
    return StopEstimate(sizes, accuracy, cost, int(sizes[best]))


def _gone(importance: FloatArray) -> FloatArray:
    """Share of the block's importance that has left before each of its features does."""
    lifted = importance - min(float(importance.min()), 0.0)
    total = lifted.sum()
    before = np.concatenate(([0.0], np.cumsum(lifted)[:-1]))
    return np.asarray(before / total) if total > 0 else np.arange(importance.size) / importance.size
