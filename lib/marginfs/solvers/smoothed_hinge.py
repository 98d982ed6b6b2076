"""The smoothed hinge of tayal2014 (equation 8, figure 1) as a function of the margin m = y f(x).

V(m) = 1 - m - epsilon             m < 1 - 2 epsilon           (linear part)
(1 - m)^2 / (4 epsilon)     1 - 2 epsilon <= m < 1      (quadratic part)
0                           m >= 1
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from marginfs.errors import ConfigError
from marginfs.types import FloatArray


def check_epsilon(epsilon: float) -> None:
    """Refuse a width that is not a positive number.

    Parameters
    ----------
    epsilon : float
        Half the width of the quadratic part.
    """
    if not 0.0 < epsilon < np.inf:
        raise ConfigError(f"epsilon is {epsilon}: write a positive number, 0.5 in tayal2014.")


def loss(margin: FloatArray, epsilon: float = 0.5) -> FloatArray:
    """V(m) for every margin.

    Parameters
    ----------
    margin : ndarray
        Margins y f(x).
    epsilon : float
        Half the width of the quadratic part.

    Returns
    -------
    ndarray
        Losses, of the shape of `margin`.
    """
    gap = np.maximum(1.0 - margin, 0.0)
    return np.asarray(np.where(gap > 2.0 * epsilon, gap - epsilon, gap * gap / (4.0 * epsilon)))


def pull(margin: FloatArray, epsilon: float = 0.5) -> FloatArray:
    """-V'(m), from 0 to 1.

    Parameters
    ----------
    margin : ndarray
        Margins y f(x).
    epsilon : float
        Half the width of the quadratic part.

    Returns
    -------
    ndarray
        Negative slopes, of the shape of `margin`.
    """
    return np.clip((1.0 - margin) / (2.0 * epsilon), 0.0, 1.0)


def bends(margin: FloatArray, epsilon: float = 0.5) -> npt.NDArray[np.bool_]:
    """Whether V''(m) is 1 / (2 epsilon) instead of zero.

    Parameters
    ----------
    margin : ndarray
        Margins y f(x).
    epsilon : float
        Half the width of the quadratic part.

    Returns
    -------
    ndarray of bool
        True on the quadratic part.
    """
    gap = 1.0 - margin
    return np.asarray((gap > 0.0) & (gap <= 2.0 * epsilon))


@njit(cache=True)
def best_scale(margin: FloatArray, norm: float, C: float, epsilon: float) -> float:
    """The t >= 0 that minimises norm t^2 / 2 + C sum_i V(t m_i), by safeguarded Newton steps.

    The slope is piecewise linear in t, so that Newton's method ends exactly once it is on the right piece.

    Parameters
    ----------
    margin : ndarray of shape (n,)
        Margins at t = 1.
    norm : float
        Weight of the quadratic term, not negative.
    C : float
        Weight of the losses.
    epsilon : float
        Half the width of the quadratic part.

    Returns
    -------
    float
        The minimiser; 0 where the losses do not fall at t = 0.
    """
    slope, _ = _slope(0.0, margin, norm, C, epsilon)
    if slope >= 0.0:
        return 0.0
    low, high, t = 0.0, np.inf, 1.0
    for _ in range(200):
        slope, bend = _slope(t, margin, norm, C, epsilon)
        if slope == 0.0:
            break
        if slope < 0.0:
            low = t
        else:
            high = t
        step = t - slope / bend if bend > 0.0 else np.inf
        if not low < step < high:
            step = 2.0 * t if high == np.inf else 0.5 * (low + high)
        if abs(step - t) <= 1e-15 * t or step > 1e12:
            break
        t = step
    return t


@njit(cache=True)
def _slope(t: float, margin: FloatArray, norm: float, C: float, epsilon: float) -> tuple[float, float]:
    """First and second derivative with respect to t."""
    slope, bend, width = norm * t, norm, 2.0 * epsilon
    for m in margin:
        gap = 1.0 - t * m
        if gap > width:
            slope -= C * m
        elif gap > 0.0:
            slope -= C * m * gap / width
            bend += C * m * m / width
    return slope, bend
