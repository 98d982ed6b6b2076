"""The sparse hyperplanes of `zero_norm` for data that no hyperplane separates.

Every constraint gets a slack xi_i >= 0, and both weights and slacks are made few:

    minimise  sum_j ln(epsilon + |v_j|) + sum_i ln(epsilon + C xi_i)

In the linear programs a slack is one more feature, with the column y_i e_i / C, so that the iteration is the same. C
says how much dearer a slack is than a weight when the iteration begins; where it is large enough, separable data get
the hyperplane of the method without slack. (Klement, Anders and Martinetz 2013 allow slack in the zero norm this way.)
"""

from __future__ import annotations

import numpy as np

from marginfs.errors import ConfigError
from marginfs.labels import signs
from marginfs.selectors.guard import guarded
from marginfs.selectors.zero_norm import _iterate, sfm, weston
from marginfs.solvers.lp import WeightedNormLP
from marginfs.types import FloatArray, Labels, Selection


@guarded
def soft_weston(
    X: FloatArray, y: Labels, *, rng: np.random.Generator, C: float = 1.0, max_iterations: int = 50
) -> Selection:
    """Weston's zero-norm minimisation with slack: y_i (v.x_i + b) >= 1 - xi_i for all i.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : ndarray of shape (n,)
        Their labels, of two classes.
    rng : Generator
        Not used: nothing is drawn.
    C : float
        What a slack costs at first; infinite for no slack.
    max_iterations : int
        Most linear programs to solve.

    Returns
    -------
    Selection
        As of `weston`; the features of the trace and the ranking are those of X alone.
    """
    _check(C)
    if np.isinf(C):
        return weston(X, y, rng=rng, max_iterations=max_iterations)
    slack = np.diag(signs(y) / C)
    return _without_slack(weston(np.hstack([X, slack]), y, rng=rng, max_iterations=max_iterations), X.shape[1])


@guarded
def soft_sfm(
    X: FloatArray, y: Labels, *, rng: np.random.Generator, C: float = 1.0, max_iterations: int = 50
) -> Selection:
    """The support feature machine with slack: y_i (v.x_i + b) >= -xi_i for all i, and v.u + mean(y) b = 1.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : ndarray of shape (n,)
        Their labels, of two classes.
    rng : Generator
        Not used: nothing is drawn.
    C : float
        What a slack costs at first; infinite for no slack.
    max_iterations : int
        Most linear programs to solve.

    Returns
    -------
    Selection
        As of `sfm`; the features of the trace and the ranking are those of X alone.
    """
    _check(C)
    if np.isinf(C):
        return sfm(X, y, rng=rng, max_iterations=max_iterations)
    labels, (n, d) = signs(y), X.shape
    signed = labels[:, None] * X
    lp = WeightedNormLP(
        np.block([[signed, np.eye(n) / C], [signed.mean(axis=0), np.zeros(n)]]),
        np.r_[labels, labels.mean()],
        np.r_[np.zeros(n), 1.0],
        np.r_[np.full(n, np.inf), 1.0],
    )
    return _without_slack(_iterate(lp, d + n, max_iterations), d)


def _check(C: float) -> None:
    if not C > 0:
        raise ConfigError(f"C is {C}: write a positive number, or inf for no slack.")


def _without_slack(found: Selection, d: int) -> Selection:
    """The hyperplane, without the features that stand for slacks."""
    assert found.selected is not None
    used = int(np.count_nonzero(found.ranking[: found.selected] < d))
    real = found.trace["feature"] < d
    return Selection(
        ranking=found.ranking[found.ranking < d],
        selected=used,
        ranked=used,
        trace={name: values[real] for name, values in found.trace.items()},
        model={"weights": found.model["weights"][:d], "bias": found.model["bias"]},
    )
