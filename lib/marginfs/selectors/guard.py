"""One check in front of every selector: what the methods cannot work on is refused before they touch it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Literal, TypeVar, cast

import numpy as np
import numpy.typing as npt

from marginfs.errors import DataError
from marginfs.types import FloatArray

LARGEST, SMALLEST = 1e70, 1e-70
"""Beyond these, the fourth powers in second derivatives leave the range of floating-point numbers."""

Method = TypeVar("Method", bound=Callable[..., Any])


class InputError(DataError, ValueError):
    """Points or labels that no method can work on."""


def guarded(method: Method) -> Method:
    """Decorate a selector: it sees sound arrays, or its caller an InputError.

    Valid input passes unchanged, so the hash of a job's source (`marginfs.study.reach`) looks through this decorator.

    Parameters
    ----------
    method : callable
        The selector, (X, y, options) -> Selection.

    Returns
    -------
    callable
        The same, for anything that can be made an array.
    """

    @functools.wraps(method)
    def _guard(X: npt.ArrayLike, y: npt.ArrayLike, **options: Any) -> Any:
        points = sound_points(X)
        labels = sound_labels(y, len(points))
        try:
            return method(points, labels, **options)
        except (np.linalg.LinAlgError, ArithmeticError) as error:
            raise InputError(f"the arithmetic of the method fails on these points ({error}): rescale them.") from error

    return cast(Method, _guard)


def sound_points(X: npt.ArrayLike) -> FloatArray:
    """Make an array of the points.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Finite numbers.

    Returns
    -------
    ndarray of float
        `X` itself where it is one already.
    """
    try:
        given = np.asarray(X)
        casting: Literal["unsafe", "same_kind"] = "unsafe" if given.dtype == object else "same_kind"
        points: FloatArray = given.astype(np.float64, casting=casting, copy=False)
    except (TypeError, ValueError):
        raise InputError("X holds something that is not a real number: encode text and categories first.") from None
    if points.ndim != 2 or 0 in points.shape:
        raise InputError(f"X has shape {points.shape}: give a row for each point and a column for each feature.")
    if not np.isfinite(points).all():
        row, column = np.argwhere(~np.isfinite(points))[0]
        raise InputError(f"X[{row}, {column}] is {points[row, column]}: fill or drop missing and infinite values.")
    highest = np.abs(points).max()
    if highest > LARGEST or 0.0 < highest < SMALLEST:
        raise InputError(f"the largest value of X is {highest:g}, too extreme to compute with: rescale the features.")
    return points


def sound_labels(y: npt.ArrayLike, points: int) -> npt.NDArray[Any]:
    """Make an array of the labels.

    Parameters
    ----------
    y : array_like of shape (n,)
        Numbers, truth values or text.
    points : int
        How many there must be.

    Returns
    -------
    ndarray
        `y` itself where it is one already.
    """
    labels = np.asarray(y)
    if labels.shape != (points,):
        raise InputError(f"y has shape {labels.shape}, and X {points} rows: give one label for each.")
    if labels.dtype == object and len({type(label) for label in labels.tolist()}) > 1:
        raise InputError("y mixes types: give labels of one type, all numbers or all text.")
    if any(label is None or label != label for label in labels.tolist()):
        raise InputError("y has missing labels: drop these points.")
    if np.unique(labels).size < 2:
        raise InputError("y holds a single class: a classifier needs points of both.")
    return labels
