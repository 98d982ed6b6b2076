"""Standardisation, always fitted on the training part only (numpy only)."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from marginfs.types import FloatArray


@dataclass(frozen=True)
class Standardiser:
    """x -> (x - mean) / scale, column by column; a missing value becomes 0, the training mean."""

    mean: FloatArray
    scale: FloatArray

    def __call__(self, X: FloatArray) -> FloatArray:
        scaled = (X - self.mean) / self.scale
        return np.where(np.isnan(scaled), 0.0, scaled)


def fit_standardiser(X: FloatArray, *, ddof: int = 0) -> Standardiser:
    """Take mean and standard deviation of each column of the training part, missing values left out.

    A column that is constant there gets the scale 1, so that it becomes 0 on the training part and never NaN.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        mean = np.nan_to_num(np.nanmean(X, axis=0))
        scale = np.nanstd(X, axis=0, ddof=ddof)
    rounding = 1e-13 * np.maximum(np.abs(mean), np.finfo(np.float64).tiny)
    scale[~(scale > rounding)] = 1.0
    return Standardiser(mean=mean, scale=scale)


def standardise(X_train: FloatArray, *others: FloatArray, ddof: int = 0) -> tuple[FloatArray, ...]:
    """Return the training part and any other parts, all scaled by the training part's mean and deviation."""
    scaler = fit_standardiser(X_train, ddof=ddof)
    return tuple(scaler(part) for part in (X_train, *others))
