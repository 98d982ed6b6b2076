"""A quadratic in a ball by the generalised Lanczos method (Gould et al. 1999): exact in a growing Krylov space.

The basis is orthogonalised in full, since the spaces are small and negative curvature hides in rounding errors.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from marginfs.solvers.trust_region.ball import minimise_spectral
from marginfs.types import FloatArray

RESIDUAL = 0.01
"""The space grows until the model's gradient outside of it has fallen to this share."""
EVERY = 2
"""Steps of the recurrence between two looks at the minimiser."""
LARGEST = 120
"""Largest dimension of the space."""


def minimise_lanczos(
    product: Callable[[FloatArray], FloatArray], gradient: FloatArray, radius: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Minimise g's + 1/2 s'Ms in the ball, nearly exactly.

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
        The step. Where the gradient is zero it is sought in the space of a vector of ones.
    Ms, Mg : ndarray of shape (d,)
        The products of M with the step and with the gradient, which the iteration has anyway.
    """
    d, norm = gradient.size, float(np.linalg.norm(gradient))
    largest = min(d, LARGEST)
    basis = np.empty((largest, d))
    basis[0] = gradient / norm if norm > 0.0 else np.full(d, 1.0 / np.sqrt(d))
    diagonal, beside = np.zeros(largest), np.zeros(largest)
    for size in range(1, largest + 1):
        w = product(basis[size - 1])
        if size == 1:
            Mg = norm * w
        diagonal[size - 1] = basis[size - 1] @ w
        for _ in range(2):
            w = w - basis[:size].T @ (basis[:size] @ w)
        beside[size - 1] = np.linalg.norm(w)
        ended = size == largest or beside[size - 1] <= 1e-12 * (1.0 + np.abs(diagonal[:size]).max())
        if ended or size % EVERY == 0:
            T = np.diag(diagonal[:size]) + np.diag(beside[: size - 1], 1) + np.diag(beside[: size - 1], -1)
            values, vectors = np.linalg.eigh(T)
            inside = vectors @ minimise_spectral(values, norm * vectors[0], radius)
            if ended or beside[size - 1] * abs(inside[-1]) <= RESIDUAL * norm:
                break
        basis[size] = w / beside[size - 1]
    return inside @ basis[:size], (T @ inside) @ basis[:size] + inside[-1] * w, Mg
