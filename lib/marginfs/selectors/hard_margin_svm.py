"""The hard-margin linear SVM on all features: a classifier without selection, and a ranking by squared weight."""

from __future__ import annotations

import numpy as np

from marginfs.solvers.svm_dual import solve_dual
from marginfs.types import FloatArray, Selection


def hard_margin_svm(X: FloatArray, y: FloatArray, *, rng: np.random.Generator | None = None) -> Selection:
    """Minimise 1/2 |w|^2 subject to y_i (w.x_i + b) >= 1."""
    solution = solve_dual(X @ X.T, y)
    w = X.T @ (solution.alpha * y)
    return Selection(
        ranking=np.argsort(-np.abs(w), kind="stable"),
        selected=X.shape[1],
        model={"weights": w, "bias": np.array(solution.bias)},
    )
