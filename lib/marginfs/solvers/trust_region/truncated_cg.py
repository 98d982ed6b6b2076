"""A quadratic in a ball by conjugate gradients (Steihaug 1983), which need products with M only.

The iteration ends at the boundary when it leaves the ball or meets negative curvature, which it follows there.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from marginfs.types import FloatArray

RESIDUAL = 0.1
"""The iteration stops when the gradient of the model has fallen to this share."""


def minimise_cg(
    product: Callable[[FloatArray], FloatArray], gradient: FloatArray, radius: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Minimise g's + 1/2 s'Ms in the ball, approximately.

    Parameters
    ----------
    product : callable
        s -> Ms.
    gradient : ndarray of shape (d,)
        g.
    radius : float
        Radius of the ball.

    Returns
    -------
    s : ndarray of shape (d,)
        A step at least as good as the best one along the gradient.
    Ms, Mg : ndarray of shape (d,)
        The products of M with the step and with the gradient, which the iteration has anyway.
    """
    s, r, Mg = np.zeros(gradient.size), gradient, np.zeros(gradient.size)
    p, squared = -r, float(r @ r)
    goal = RESIDUAL**2 * squared
    for iteration in range(gradient.size):
        if squared <= goal or squared == 0.0:
            break
        Mp = product(p)
        if iteration == 0:
            Mg = -Mp
        curvature = float(p @ Mp)
        length = squared / curvature if curvature > 0.0 else np.inf
        to_boundary = boundary_distance(s, p, radius)
        if length >= to_boundary:
            return s + to_boundary * p, r + to_boundary * Mp - gradient, Mg
        s, r = s + length * p, r + length * Mp
        previous, squared = squared, float(r @ r)
        p = squared / previous * p - r
    return s, r - gradient, Mg


def boundary_distance(s: FloatArray, p: FloatArray, radius: float) -> float:
    """The t >= 0 with ||s + t p|| = radius.

    Parameters
    ----------
    s : ndarray of shape (d,)
        A point in the ball.
    p : ndarray of shape (d,)
        A direction.
    radius : float
        Radius of the ball.

    Returns
    -------
    float
        The distance in units of p; infinite where p is zero.
    """
    a, b, c = float(p @ p), float(s @ p), min(float(s @ s) - radius * radius, 0.0)
    if a == 0.0:
        return np.inf
    root = np.sqrt(b * b - a * c)
    return float(-c / (b + root)) if b > 0.0 else float((root - b) / a)
