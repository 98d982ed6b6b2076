"""The support vector machine on all features with a Gaussian kernel, the baseline of tayal2014 (section 5.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from marginfs.criteria.feature_weights import gaussian
from marginfs.searches.weights_found import as_selection
from marginfs.selectors.embedded_input import checked
from marginfs.selectors.guard import guarded
from marginfs.solvers.svm_dual import DualSolution, solve_dual
from marginfs.solvers.svm_options import Svm
from marginfs.types import FloatArray, Selection


@guarded
def gaussian_svm(
    X: FloatArray, y: FloatArray, *, rng: np.random.Generator, C: float, sigma: float, tol: float = 1e-6
) -> Selection:
    """Train with the kernel exp(-||x - x'||^2 / sigma^2) and the exact hinge; keep every feature.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points, standardised.
    y : array_like of shape (n,)
        Labels of two classes.
    rng : numpy.random.Generator
        Not drawn from.
    C : float
        Penalty of the losses.
    sigma : float
        Width of the kernel; it is squared without a factor of two.
    tol : float
        Violation of the dual's optimality conditions.

    Returns
    -------
    Selection
        As of `gaussian_svm_sweep`.
    """
    return next(gaussian_svm_sweep(X, y, rng=rng, C=[C], sigma=sigma, tol=tol))


def gaussian_svm_sweep(
    X: FloatArray, y: FloatArray, *, rng: np.random.Generator, C: Sequence[float], sigma: float, tol: float = 1e-6
) -> Iterator[Selection]:
    """The machine for every C in turn, each trained from the last.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points, standardised.
    y : array_like of shape (n,)
        Labels of two classes.
    rng : numpy.random.Generator
        Not drawn from.
    C : sequence of float
        Penalties of the losses.
    sigma : float
        Width of the kernel.
    tol : float
        Violation of the dual's optimality conditions.

    Yields
    ------
    Selection
        All features, in the order of their columns; model, the machine; trace: `objective`. Decision values agree with
        those of a call for one C to `tol`.
    """
    points, labels = checked(X, y, C=C, sigma=sigma)
    factors = np.full(points.shape[1], 1.0 / sigma)
    K = gaussian(points * factors, points * factors)
    for machine in machines_along(K, labels, C, tol):
        trace = {"objective": np.array([machine.objective])}
        yield as_selection(factors, factors, machine.alpha * labels, machine.bias, trace)


def machines_along(K: FloatArray, y: FloatArray, penalties: Sequence[float], tol: float) -> Iterator[DualSolution]:
    """Machines with the exact hinge along C, each from the last.

    Multipliers at the old C would all be free at a larger one. So the start is t alpha, where the dual
    t 1'alpha - t^2/2 alpha'Q alpha is largest, with t at most the ratio of the two. A machine without a multiplier at C
    is the one of the hard margin and of every larger C: it is given again.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix.
    y : ndarray of shape (n,)
        Labels -1.0 and +1.0.
    penalties : sequence of float
        Values of C, ascending.
    tol : float
        Violation of the dual's optimality conditions.

    Yields
    ------
    DualSolution
        The machine for each C.
    """
    work = np.empty((2, y.size, y.size))
    machine, free = None, np.inf
    for C in penalties:
        if machine is None or free > C:
            start = None if machine is None else _stretched(machine, C)
            machine = solve_dual(K, y, Svm(C=C, slack="l1", tol=tol), alpha=start, work=work)
            free = C if machine.alpha.max() < C else np.inf
        yield machine


def _stretched(machine: DualSolution, C: float) -> FloatArray:
    alpha = machine.alpha
    peak = float(alpha.sum()) / max(float(alpha @ (machine.gradient + 1.0)), 1e-300)
    return alpha * min(max(peak, 1.0), C / float(alpha.max()))
