"""Simulated problems of the papers. Every function draws only from the generator that it is given."""

from __future__ import annotations

from typing import Literal

import numpy as np

from marginfs.errors import ConfigError
from marginfs.types import FloatArray

Labels = Literal["random", "balanced"]


def draw_labels(rng: np.random.Generator, n: int, labels: Labels = "random") -> FloatArray:
    """Return n labels of +-1: each a fair coin (`random`), or half of each in random order (`balanced`)."""
    if labels == "random":
        return np.where(rng.random(n) < 0.5, 1.0, -1.0)
    if labels == "balanced":
        return rng.permutation(np.where(np.arange(n) < (n + 1) // 2, 1.0, -1.0))
    raise ConfigError(f"labels: found {labels!r}; write 'random' or 'balanced'.")


def linear_toy(
    rng: np.random.Generator,
    n: int,
    *,
    labels: Labels = "random",
    noise: int = 196,
    noise_std: float = 20.0,
) -> tuple[FloatArray, FloatArray]:
    """Draw the linear problem of Weston et al. that papers C (section 4) and E (section 3.1) use.

    With probability 0.7 a point has x_i = y * N(i, 1) for i = 1..3 and x_4..x_6 ~ N(0, 1); otherwise x_1..x_3 ~ N(0, 1)
    and x_i = y * N(i-3, 1) for i = 4..6. The relevant six columns come first, then `noise` columns N(0, noise_std^2).
    """
    y = draw_labels(rng, n, labels)
    first = rng.random(n) < 0.7
    carries_label = np.column_stack([first, first, first, ~first, ~first, ~first])
    normal = rng.standard_normal((n, 6))
    means = np.array([1.0, 2.0, 3.0, 1.0, 2.0, 3.0])
    relevant = np.where(carries_label, y[:, None] * (normal + means), normal)
    return np.hstack([relevant, noise_std * rng.standard_normal((n, noise))]), y


def nonlinear_toy(
    rng: np.random.Generator,
    n: int,
    *,
    labels: Labels = "random",
    noise: int = 50,
    noise_std: float = 20.0,
) -> tuple[FloatArray, FloatArray]:
    """Draw the nonlinear problem of Weston et al. that paper E (section 3.1) uses.

    The first two columns are N(s * c, I) with a fair sign s and the centre c = (3/4, 3) for class -1, (3, -3) for
    class +1; `noise` columns N(0, noise_std^2) follow.
    """
    y = draw_labels(rng, n, labels)
    sign = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    centres = np.where(y[:, None] > 0, np.array([3.0, -3.0]), np.array([0.75, 3.0]))
    relevant = sign[:, None] * centres + rng.standard_normal((n, 2))
    return np.hstack([relevant, noise_std * rng.standard_normal((n, noise))]), y
