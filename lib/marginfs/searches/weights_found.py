"""The end of every search for feature weights: small ones become zero, the machine is trained once more, and ranked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from marginfs.criteria.feature_weights import GONE, gaussian
from marginfs.solvers.smoothed_svm import SmoothedSolution, solve_smoothed
from marginfs.types import FloatArray, Selection

ZERO_SHARE = 0.01
"""A weight below this share of the largest one is zero (tayal2014, footnote 4)."""
COLLAPSED = 2e-3
"""Where no weight reaches this, nothing was learnt and all are zero."""


def nonzero(z: FloatArray, zero_share: float = ZERO_SHARE) -> FloatArray:
    """The weights with the small ones set to zero.

    Parameters
    ----------
    z : ndarray of shape (d,)
        Weights, not negative.
    zero_share : float
        A weight below this share of the largest one is zero.

    Returns
    -------
    ndarray of shape (d,)
        The weights; all zero where none reaches 0.002.
    """
    largest = z.max()
    return np.where((z >= zero_share * largest) & (largest >= COLLAPSED), z, 0.0)


def alive(z: FloatArray) -> FloatArray:
    """The weights without those that no longer take part in the kernel; all zero where none reaches 0.002.

    Parameters
    ----------
    z : ndarray of shape (d,)
        Weights, not negative.

    Returns
    -------
    ndarray of shape (d,)
        The weights.
    """
    return nonzero(z, GONE)


def retrained(
    X: FloatArray, y: FloatArray, z: FloatArray, *, C: float, epsilon: float, start: SmoothedSolution | None = None
) -> SmoothedSolution:
    """The smoothed machine at given weights.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : ndarray of shape (n,)
        Labels -1.0 and +1.0.
    z : ndarray of shape (d,)
        Weights; features of weight zero are not read.
    C : float
        Penalty of the losses.
    epsilon : float
        Half the width of the loss's quadratic part.
    start : SmoothedSolution, optional
        A neighbouring machine.

    Returns
    -------
    SmoothedSolution
        The machine.
    """
    used = np.flatnonzero(z)
    scaled = X[:, used] * z[used]
    return solve_smoothed(gaussian(scaled, scaled), y, C=C, epsilon=epsilon, start=start)


def retrained_selection(
    X: FloatArray,
    y: FloatArray,
    z: FloatArray,
    machine: SmoothedSolution,
    trace: Mapping[str, npt.NDArray[Any]],
    *,
    C: float,
    epsilon: float,
    mu: float,
    zero_share: float = ZERO_SHARE,
) -> Selection:
    """Set the small weights to zero, train on the others, and rank.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : ndarray of shape (n,)
        Labels -1.0 and +1.0.
    z : ndarray of shape (d,)
        Weights as the search left them.
    machine : SmoothedSolution
        The machine at z.
    trace : mapping
        Numbers along the search.
    C : float
        Penalty of the losses.
    epsilon : float
        Half the width of the loss's quadratic part.
    mu : float
        Penalty of the weights.
    zero_share : float
        A weight below this share of the largest one is zero.

    Returns
    -------
    Selection
        The last entry of the trace's `objective` is that of the model.
    """
    kept = nonzero(z, zero_share)
    if not np.array_equal(kept, z):
        machine = retrained(X, y, kept, C=C, epsilon=epsilon, start=machine)
    objective = np.append(trace["objective"], machine.objective + mu * kept.sum())
    return as_selection(z, kept, machine.coefficients, machine.bias, {**trace, "objective": objective})


def zero_selection(X: FloatArray, y: FloatArray, *, C: float, epsilon: float) -> Selection:
    """The answer where weights of zero are proven to be optimal: no feature, and the machine of a constant kernel.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : ndarray of shape (n,)
        Labels -1.0 and +1.0.
    C : float
        Penalty of the losses.
    epsilon : float
        Half the width of the loss's quadratic part.

    Returns
    -------
    Selection
        Its exit is `proven_zero`.
    """
    zero = np.zeros(X.shape[1])
    machine = retrained(X, y, zero, C=C, epsilon=epsilon)
    trace = {"objective": np.array([machine.objective]), "exit": np.array("proven_zero"), "iterations": np.array(0)}
    return as_selection(zero, zero, machine.coefficients, machine.bias, trace)


def as_selection(
    z: FloatArray, kept: FloatArray, coefficients: FloatArray, bias: float, trace: Mapping[str, npt.NDArray[Any]]
) -> Selection:
    """What a selector returns.

    Parameters
    ----------
    z : ndarray of shape (d,)
        Weights as the search left them; they order the features.
    kept : ndarray of shape (d,)
        The weights of the machine, zero where a feature is out.
    coefficients, bias : ndarray of shape (n,), float
        Signed coefficients of the training points, and the offset.
    trace : mapping
        Numbers along the search.

    Returns
    -------
    Selection
        The model predicts the sign of sum_i coefficients_i exp(-||weights (x - x_i)||^2) + bias.
    """
    return Selection(
        ranking=np.argsort(-z, kind="stable"),
        selected=int(np.count_nonzero(kept)),
        ranked=int(np.count_nonzero(z)) if np.ptp(z) > 0.0 else 0,
        trace=trace,
        model={"weights": kept, "coefficients": coefficients, "bias": np.array(bias)},
    )
