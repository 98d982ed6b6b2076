"""Separating hyperplanes with few features: Weston's zero-norm minimisation and the support feature machine.

Both minimise sum_j ln(epsilon + |v_j|) over the hyperplanes (v, b) that separate the training data, and differ only in
how they exclude v = 0 (Klement and Martinetz 2010, equations 4 and 6). The papers' iteration

    z = (1, ..., 1);  repeat: w = argmin |w|_1 subject to the constraints on the data x_i * z;  z = z * w

is a sequence of linear programs. Written for v = w * z it becomes: minimise sum_j |v_j| / |z_j| under constraints that
never change, then z = v. So the last vertex stays feasible, and a feature once at zero stays there and is dropped.
"""

from __future__ import annotations

import numpy as np

from marginfs.errors import NotSeparableError
from marginfs.labels import signs
from marginfs.selectors.guard import guarded
from marginfs.solvers.lp import WeightedNormLP
from marginfs.types import Count, FloatArray, IntArray, Labels, Selection

ZERO = 1e-7
"""A weight below this share of the largest one counts as zero (HiGHS's feasibility tolerance)."""
CONVERGED = 1e-6
"""The iteration stops when no weight changes by more than this share of itself."""


@guarded
def weston(X: FloatArray, y: Labels, *, rng: np.random.Generator, max_iterations: Count = 50) -> Selection:
    """Weston's zero-norm minimisation, equation (4): y_i (v.x_i + b) >= 1 for all i.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points, linearly separable.
    y : ndarray of shape (n,)
        Their labels, of two classes.
    rng : Generator
        Not used: nothing is drawn.
    max_iterations : int
        Most linear programs to solve.

    Returns
    -------
    Selection
        The features of the hyperplane, ranked by |v|; then those that went at zero, tied. The trace holds the features
        left after each iteration, the model weights and bias.
    """
    y, n = signs(y), len(y)
    lp = WeightedNormLP(y[:, None] * X, y, np.ones(n), np.full(n, np.inf))
    return _iterate(lp, X.shape[1], max_iterations)


@guarded
def sfm(X: FloatArray, y: Labels, *, rng: np.random.Generator, max_iterations: Count = 50) -> Selection:
    """The support feature machine, equation (6): y_i (v.x_i + b) >= 0 for all i, and v.u + mean(y) b = 1.

    u is the mean of y_i x_i.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points, linearly separable.
    y : ndarray of shape (n,)
        Their labels, of two classes.
    rng : Generator
        Not used: nothing is drawn.
    max_iterations : int
        Most linear programs to solve.

    Returns
    -------
    Selection
        As of `weston`.
    """
    y = signs(y)
    signed, n = y[:, None] * X, len(y)
    lp = WeightedNormLP(
        np.vstack([signed, signed.mean(axis=0)]),
        np.r_[y, y.mean()],
        np.r_[np.zeros(n), 1.0],
        np.r_[np.full(n, np.inf), 1.0],
    )
    return _iterate(lp, X.shape[1], max_iterations)


def _iterate(lp: WeightedNormLP, d: int, max_iterations: int) -> Selection:
    """The iterative scheme.

    Only the features it ends with are ranked. Those that an iteration drops are zero in its hyperplane, all of them
    alike; they stand behind those that a later iteration dropped.
    """
    alive: IntArray = np.arange(d)
    previous = np.zeros(d)
    dropped: list[IntArray] = []
    history: list[IntArray] = []
    bias = 0.0
    for _ in range(max_iterations):
        solution = lp.solve()
        if solution is None:
            raise NotSeparableError(
                "the training data is not linearly separable, so no hyperplane meets the constraints"
            )
        v, bias = solution
        size = np.abs(v)
        keep = size > ZERO * size.max()
        lp.restrict(keep, 1.0 / size[keep])
        order = np.argsort(-size[~keep], kind="stable")
        dropped.append(alive[~keep][order])
        alive, weights = alive[keep], v[keep]
        history.append(alive)
        if np.all(np.abs(weights - previous[alive]) <= CONVERGED * np.abs(weights)):
            break
        previous[:] = 0.0
        previous[alive] = weights

    order = np.argsort(-np.abs(weights), kind="stable")
    full = np.zeros(d)
    full[alive] = weights
    return Selection(
        ranking=np.concatenate([alive[order], *reversed(dropped)]),
        selected=len(alive),
        ranked=len(alive),
        trace={
            "iteration": np.concatenate([np.full(len(f), i) for i, f in enumerate(history, 1)]),
            "feature": np.concatenate(history),
        },
        model={"weights": full, "bias": np.array(bias)},
    )
