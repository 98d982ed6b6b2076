"""Normalisation steps: fitted on the training part, applied to both parts (numpy only)."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from marginfs.errors import DataError
from marginfs.types import FloatArray

STEPS: Mapping[str, str] = {
    "standardise": "marginfs.data.normalise:standardise",
    "mean_norm": "marginfs.data.normalise:mean_norm",
    "logarithm": "marginfs.data.normalise:logarithm",
}
"""Step -> its function: (train, test) -> both scaled."""

Scaled = tuple[FloatArray, FloatArray]


@dataclass(frozen=True)
class Standardiser:
    """x -> (x - mean) / scale, column by column; a missing value becomes 0, the training mean.

    Attributes
    ----------
    mean : ndarray of shape (d,)
        What is subtracted.
    scale : ndarray of shape (d,)
        What is divided by.
    """

    mean: FloatArray
    scale: FloatArray

    def __call__(self, X: FloatArray) -> FloatArray:
        scaled = (X - self.mean) / self.scale
        return np.where(np.isnan(scaled), 0.0, scaled)


def fit_standardiser(X: FloatArray, *, ddof: int = 0) -> Standardiser:
    """Take mean and standard deviation of each column, missing values left out.

    A column that is constant gets the scale 1, so that it becomes 0 on these rows and never NaN.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The training part.
    ddof : int
        Delta degrees of freedom of the deviation.

    Returns
    -------
    Standardiser
        To be applied to any part.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        mean = np.nan_to_num(np.nanmean(X, axis=0))
        scale = np.nanstd(X, axis=0, ddof=ddof)
    rounding = 1e-13 * np.maximum(np.abs(mean), np.finfo(np.float64).tiny)
    scale[~(scale > rounding)] = 1.0
    return Standardiser(mean=mean, scale=scale)


def standardise(train: FloatArray, test: FloatArray) -> Scaled:
    """Subtract the training part's mean and divide by its standard deviation, column by column.

    Parameters
    ----------
    train : ndarray of shape (n, d)
        The training part.
    test : ndarray of shape (m, d)
        The test part.

    Returns
    -------
    pair of ndarray
        Both parts, scaled.
    """
    scaler = fit_standardiser(train)
    return scaler(train), scaler(test)


def mean_norm(train: FloatArray, test: FloatArray) -> Scaled:
    """Divide by the mean Euclidean norm of the training vectors (klement2010, section 2.3).

    Parameters
    ----------
    train : ndarray of shape (n, d)
        The training part.
    test : ndarray of shape (m, d)
        The test part.

    Returns
    -------
    pair of ndarray
        Both parts, scaled.
    """
    norm = np.linalg.norm(train, axis=1).mean()
    return train / norm, test / norm


def logarithm(train: FloatArray, test: FloatArray) -> Scaled:
    """Take the natural logarithm of intensities.

    Parameters
    ----------
    train : ndarray of shape (n, d)
        The training part, positive values only.
    test : ndarray of shape (m, d)
        The test part, positive values only.

    Returns
    -------
    pair of ndarray
        Both parts, as logarithms.
    """
    if min(train.min(), test.min(initial=np.inf)) <= 0.0:
        raise DataError("normalise: 'logarithm' needs positive values; leave it out for this data set")
    return np.log(train), np.log(test)
