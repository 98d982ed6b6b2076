"""The hard-margin linear SVM on all features: a classifier without selection, and a ranking by squared weight."""

from __future__ import annotations

import numpy as np

from marginfs.labels import signs
from marginfs.selectors.guard import guarded
from marginfs.solvers.svm_dual import solve_dual
from marginfs.types import FloatArray, Labels, Selection


@guarded
def hard_margin_svm(X: FloatArray, y: Labels, *, rng: np.random.Generator, bias: bool = True) -> Selection:
    """Minimise 1/2 |w|^2 subject to y_i (w.x_i + b) >= 1.

    Every point's mirror image (-x_i, -y_i) asks the same of w and the opposite of b, so adding them all gives b = 0.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : ndarray of shape (n,)
        Their labels, of two classes.
    rng : Generator
        Not used: nothing is drawn.
    bias : bool
        Whether b is free; otherwise it is zero.

    Returns
    -------
    Selection
        All features, ranked by |w|; the model holds weights and bias.
    """
    y = signs(y)
    if not bias:
        X, y = np.vstack([X, -X]), np.concatenate([y, -y])
    solution = solve_dual(X @ X.T, y)
    w = X.T @ (solution.alpha * y)
    return Selection(
        ranking=np.argsort(-np.abs(w), kind="stable"),
        selected=X.shape[1],
        model={"weights": w, "bias": np.array(solution.bias if bias else 0.0)},
    )
