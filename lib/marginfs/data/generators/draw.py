"""What a generator returns, and how it draws labels."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from marginfs.errors import ConfigError
from marginfs.types import FloatArray

Labels = Literal["random", "balanced"]


class Draw(NamedTuple):
    """Points drawn from a simulated problem.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        The points; the columns that carry information about the label come first.
    y : ndarray of shape (n,)
        Labels -1.0 and +1.0.
    relevant : int
        How many leading columns carry information about the label.
    """

    X: FloatArray
    y: FloatArray
    relevant: int


def draw_labels(rng: np.random.Generator, n: int, labels: Labels = "random") -> FloatArray:
    """Draw labels of -1.0 and +1.0.

    Parameters
    ----------
    rng : numpy.random.Generator
        Where all randomness comes from.
    n : int
        How many labels.
    labels : {"random", "balanced"}
        Each a fair coin, or half of each in random order.

    Returns
    -------
    ndarray of shape (n,)
        The labels.
    """
    if labels == "random":
        return np.where(rng.random(n) < 0.5, 1.0, -1.0)
    if labels == "balanced":
        return rng.permutation(np.where(np.arange(n) < (n + 1) // 2, 1.0, -1.0))
    raise ConfigError(f"labels: found {labels!r}; write 'random' or 'balanced'.")
