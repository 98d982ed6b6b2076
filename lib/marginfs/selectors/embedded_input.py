"""What all selectors of tayal2014 ask of their input."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from marginfs.errors import DataError
from marginfs.labels import signs
from marginfs.solvers.smoothed_svm import check_penalty
from marginfs.types import FloatArray


def checked(X: FloatArray, y: npt.ArrayLike, **positive: float | Sequence[float]) -> tuple[FloatArray, FloatArray]:
    """Points and signs, after data and options have been found sound.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : array_like of shape (n,)
        Labels of two classes.
    **positive : float or sequence of float
        Options that must be positive finite numbers, by name.

    Returns
    -------
    X : ndarray of shape (n, d)
        The points.
    y : ndarray of shape (n,)
        Labels -1.0 and +1.0.
    """
    for name, option in positive.items():
        for value in np.atleast_1d(option):
            check_penalty(name, float(value))
    X = np.asarray(X, dtype=np.float64)
    if X.ndim != 2 or X.shape[1] == 0:
        raise DataError(f"the data has shape {X.shape}: give a row per point and at least one column.")
    if not np.isfinite(X).all():
        raise DataError("the data holds missing or infinite values: fill or drop them first.")
    return X, signs(y)
