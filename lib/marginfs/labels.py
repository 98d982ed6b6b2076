"""Labels are classes: any values that can be told apart and sorted. Methods for two classes see them as -1 and +1."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from marginfs.errors import DataError
from marginfs.types import FloatArray, IntArray

SHOWN = 5
"""At most so many classes are named in a message."""


def encode(y: npt.ArrayLike) -> tuple[npt.NDArray[Any], IntArray]:
    """Number the classes of `y` in sorted order.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of any kind: numbers, truth values or text.

    Returns
    -------
    classes : ndarray
        The distinct labels, ascending.
    codes : ndarray of int
        For every point the position of its class in `classes`.
    """
    labels = np.asarray(y)
    if labels.ndim != 1:
        raise DataError(f"the labels have shape {labels.shape}: give one label for each point.")
    classes, codes = np.unique(labels, return_inverse=True)
    if classes.size < 2:
        raise DataError("the labels hold a single class: a classifier needs points of both.")
    return classes, codes.astype(np.int64)


def signs(y: npt.ArrayLike, like: npt.ArrayLike | None = None) -> FloatArray:
    """Two classes as -1.0 and +1.0, the greater label being +1.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes.
    like : array_like, optional
        Labels whose two classes are meant, such as those of the training points; then `y` may lack one of them.

    Returns
    -------
    ndarray of float
        -1.0 or +1.0 for every point.
    """
    classes, _ = encode(y if like is None else like)
    if classes.size > 2:
        raise DataError(f"the labels hold {classes.size} classes ({_named(classes)}), and this method is for two.")
    labels = np.asarray(y)
    strange = np.unique(labels[~np.isin(labels, classes)])
    if strange.size:
        raise DataError(f"the labels hold {_named(strange)}, and the training points only {_named(classes)}.")
    return np.where(labels == classes[1], 1.0, -1.0)


def _named(classes: npt.NDArray[Any]) -> str:
    return ", ".join(map(str, classes[:SHOWN])) + (", ..." if classes.size > SHOWN else "")
