"""A selector that a time limit of minutes ends at its first try."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np

from marginfs.selectors.hard_margin_svm import hard_margin_svm
from marginfs.types import FloatArray, Labels, Selection

SIGN = Path("slow_selector.tried")


def slow_at_first(X: FloatArray, y: Labels, *, rng: np.random.Generator, bias: bool = True) -> Selection:
    if "SLURM_JOB_ID" in os.environ and not SIGN.exists():
        SIGN.touch()
        time.sleep(600)
    return hard_margin_svm(X, y, rng=rng, bias=bias)
