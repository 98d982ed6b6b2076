"""A selector that takes longer than a minute."""

from __future__ import annotations

import time

import numpy as np

from marginfs.selectors.hard_margin_svm import hard_margin_svm
from marginfs.types import FloatArray, Labels, Selection

SECONDS = 15.0
"""For each of the six units of a chunk."""


def slow_hard_margin_svm(X: FloatArray, y: Labels, *, rng: np.random.Generator) -> Selection:
    time.sleep(SECONDS)
    return hard_margin_svm(X, y, rng=rng)
