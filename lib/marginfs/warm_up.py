"""Compiles the numba kernels into their cache, by running every registered selector on a tiny problem."""

from __future__ import annotations

import numpy as np

from marginfs.registry import SELECTORS, selector
from marginfs.types import Selection


def run_every_selector() -> dict[str, Selection]:
    """Name -> what the selector, with its default options, finds in eight separable points with four features."""
    rng = np.random.default_rng(0)
    y = np.where(np.arange(8) % 2 == 0, 1.0, -1.0)
    X = rng.standard_normal((8, 4))
    X[:, 1] += 5.0 * y
    return {name: selector(name)(X, y, rng=rng) for name in SELECTORS}


if __name__ == "__main__":
    run_every_selector()
