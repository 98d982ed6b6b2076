"""The smallest sphere that encloses the mapped points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from marginfs.errors import MarginfsError
from marginfs.solvers import qp
from marginfs.types import FloatArray

_NEVER_ACTIVE = 2.0


@dataclass(frozen=True, slots=True)
class SphereSolution:
    """The smallest sphere.

    Attributes
    ----------
    beta : ndarray of float
        Weights of the points whose mean is the centre, >= 0, of sum one.
    squared_radius : float
        R^2.
    """

    beta: FloatArray
    squared_radius: float


def enclosing_sphere(K: FloatArray, *, tol: float = 1e-8, beta: FloatArray | None = None) -> SphereSolution:
    """Maximise sum_i beta_i K_ii - beta'K beta over the simplex (the sphere problem of Rakotomamonjy, 2003).

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix of the points.
    tol : float
        Tolerance, relative to the largest K_ii.
    beta : ndarray of float, optional
        A warm start: the solution of a neighbouring problem.

    Returns
    -------
    SphereSolution
        The sphere.
    """
    weights = _farthest_pair(K) if beta is None else beta.copy()
    squared_radius, status = solve_sphere(K, weights, tol)
    if status != qp.SOLVED:
        raise MarginfsError(f"The enclosing sphere did not reach tol = {tol:g} in {qp.MAX_MOVES} moves: raise tol.")
    return SphereSolution(weights, squared_radius)


@njit(cache=True)
def _farthest_pair(K: FloatArray) -> FloatArray:
    """Starting point: half the weight on the point of largest norm, half on the point farthest from it."""
    diagonal = np.diag(K).copy()
    first = np.argmax(diagonal)
    second = np.argmax(diagonal - 2.0 * K[first])
    beta = np.zeros(diagonal.size)
    beta[first] += 0.5
    beta[second] += 0.5
    return beta


@njit(cache=True)
def solve_sphere(K: FloatArray, beta: FloatArray, tol: float) -> tuple[float, int]:
    """Solve in place from a beta on the simplex.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix of the points.
    beta : ndarray of float
        A point of the simplex, replaced by the solution.
    tol : float
        Tolerance, relative to the largest K_ii.

    Returns
    -------
    tuple of float and int
        R^2 and the solver's status.
    """
    n = beta.size
    q = -np.diag(K)
    gradient = np.empty(n)
    Q = 2.0 * K
    qp.refresh_gradient(Q, q, beta, gradient)
    status, _ = qp.minimise(Q, q, np.ones(n), _NEVER_ACTIVE, beta, gradient, tol * np.abs(q).max(), np.empty_like(Q))
    return max(-0.5 * np.sum(beta * (gradient + q)), 0.0), status
