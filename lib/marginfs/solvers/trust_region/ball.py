"""A quadratic in a ball, solved exactly: minimise g's + 1/2 s'Ms subject to ||s|| <= radius (tayal2014, problem 9).

With the eigenvalues e and the coordinates h of g along the eigenvectors the minimiser is -h / (e + m), where m >= 0 is
the least number that makes e + m >= 0 and the step short enough. There may be none (the hard case: g has no part along
the lowest eigenvector); then a multiple of that eigenvector fills the step up.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from marginfs.types import FloatArray


@njit(cache=True)
def minimise_spectral(e: FloatArray, h: FloatArray, radius: float) -> FloatArray:
    """Coordinates of the minimiser.

    Parameters
    ----------
    e : ndarray of shape (d,)
        Eigenvalues, in any order.
    h : ndarray of shape (d,)
        Coordinates of the gradient along the eigenvectors.
    radius : float
        Radius of the ball.

    Returns
    -------
    ndarray of shape (d,)
        Coordinates of the step along the eigenvectors.
    """
    lowest = int(np.argmin(e))
    scale = np.abs(e).max() + np.sqrt(np.sum(h * h)) / radius + 1e-300
    floor = max(0.0, -e[lowest])
    if e[lowest] > 1e-14 * scale and _length(e, h, 0.0) <= radius:
        return -h / e
    low, high = floor, floor + np.sqrt(np.sum(h * h)) / radius
    shift = floor + 1e-13 * scale
    if _length(e, h, shift) <= radius:
        step = _step(e, h, shift)
        if e[lowest] >= 0.0:
            return step
        rest = radius * radius - np.sum(step * step)
        step[lowest] += np.sqrt(max(rest, 0.0)) * (-1.0 if h[lowest] > 0.0 else 1.0)
        return step
    for _ in range(100):
        length = _length(e, h, shift)
        if abs(length - radius) <= 1e-10 * radius or high - low <= 1e-15 * high:
            break
        if length > radius:
            low = shift
        else:
            high = shift
        slope = 0.0
        for k in range(e.size):
            if e[k] + shift > 0.0:
                slope += h[k] * h[k] / (e[k] + shift) ** 3
        shift += (length - radius) / radius * length * length / slope
        if not low < shift < high:
            shift = 0.5 * (low + high)
    return _step(e, h, shift)


@njit(cache=True)
def _step(e: FloatArray, h: FloatArray, shift: float) -> FloatArray:
    """-h / (e + shift), zero where both vanish."""
    step = np.zeros(e.size)
    for k in range(e.size):
        if e[k] + shift > 0.0:
            step[k] = -h[k] / (e[k] + shift)
    return step


@njit(cache=True)
def _length(e: FloatArray, h: FloatArray, shift: float) -> float:
    """Norm of that step."""
    step = _step(e, h, shift)
    return float(np.sqrt(np.sum(step * step)))


def minimise_block(
    block: FloatArray, rest: FloatArray, gradient: FloatArray, rest_gradient: FloatArray, radius: float
) -> tuple[FloatArray, FloatArray]:
    """Minimise where M consists of a full block and a diagonal.

    Parameters
    ----------
    block : ndarray of shape (a, a)
        The full part of M.
    rest : ndarray of shape (d - a,)
        The diagonal part of M.
    gradient, rest_gradient : ndarray
        The gradient over the two parts.
    radius : float
        Radius of the ball.

    Returns
    -------
    step, rest_step : ndarray
        The minimiser over the two parts.
    """
    values, vectors = np.linalg.eigh(block)
    a = values.size
    step = minimise_spectral(np.r_[values, rest], np.r_[vectors.T @ gradient, rest_gradient], radius)
    return vectors @ step[:a], step[a:]
