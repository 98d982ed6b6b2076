"""The states of a margin-based elimination as they are written down on the way: one record each."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from marginfs.searches.little_optimisation import extremes, little_numerator, little_plane
from marginfs.searches.margin_path import MarginPath, margin_of
from marginfs.types import FloatArray, IntArray

STEP = np.dtype(
    [
        ("feature", np.int64),
        ("numerator", np.float64),
        ("length", np.float64),
        ("sign", np.float64),
        ("shift", np.float64),
        ("epoch", np.int64),
        ("evaluated", np.int64),
        ("soft", np.bool_),
        ("differs", np.bool_),
    ]
)
Steps = npt.NDArray[np.void]


def as_path(steps: Steps, survivors: IntArray, coefficients: FloatArray, little: bool) -> MarginPath:
    """The record of all states as a path; where the little optimisation succeeded, A = 1/N scales the hyperplane.

    Parameters
    ----------
    steps : ndarray of STEP
        One record per state.
    survivors : ndarray of int
        The features left at the end, the most relevant first.
    coefficients : ndarray of float
        One row per training: w, or alpha * y of a kernel SVM.
    little : bool
        Whether the little optimisation was applied.

    Returns
    -------
    MarginPath
        The path.
    """
    numerator = steps["numerator"]
    size = np.where(little & (numerator > 0.0), numerator, 1.0)
    return MarginPath(
        removed=steps["feature"][1:].copy(),
        survivors=survivors,
        margin=margin_of(numerator, steps["length"]),
        squared_length=steps["length"].copy(),
        scale=steps["sign"] / size,
        bias=steps["shift"] / size,
        epoch=steps["epoch"].copy(),
        coefficients=coefficients,
        soft=steps["soft"][1:].copy(),
        differs=steps["differs"][1:].copy(),
        evaluated=steps["evaluated"][1:].copy(),
    )


@njit(cache=True)
def describe(g: FloatArray, n_pos: int, little: bool, step: Steps) -> None:
    """Write the numerator N of a state and, where the little optimisation separates, its plane's sign and shift.

    Parameters
    ----------
    g : ndarray of float
        Functional margins.
    n_pos : int
        Number of positive samples, which stand first.
    little : bool
        Whether the little optimisation is applied.
    step : record of STEP
        The state, changed in place.
    """
    low_pos, low_neg, high_pos, high_neg = extremes(g, n_pos)
    if not little:
        step["numerator"] = min(low_pos, low_neg)
        return
    step["numerator"] = little_numerator(low_pos, low_neg, high_pos, high_neg)
    if step["numerator"] > 0.0:
        step["sign"], step["shift"] = little_plane(low_pos, low_neg, high_pos, high_neg)
