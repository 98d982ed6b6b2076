"""Normalisation steps: fitted on the training part, applied to both parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from marginfs.data.scaling import standardise
from marginfs.errors import DataError
from marginfs.types import FloatArray

Scaled = tuple[FloatArray, ...]


def mean_norm(train: FloatArray, test: FloatArray) -> Scaled:
    """Divide by the mean Euclidean norm of the training vectors (Klement and Martinetz 2010, section 2.3)."""
    norm = np.linalg.norm(train, axis=1).mean()
    return train / norm, test / norm


def logarithm(train: FloatArray, test: FloatArray) -> Scaled:
    """Natural logarithm of intensities."""
    if min(train.min(), test.min(initial=np.inf)) <= 0.0:
        raise DataError("normalise: 'logarithm' needs positive values; leave it out for this data set")
    return np.log(train), np.log(test)


STEPS: Mapping[str, Callable[[FloatArray, FloatArray], Scaled]] = {
    "standardise": standardise,
    "mean_norm": mean_norm,
    "logarithm": logarithm,
}
