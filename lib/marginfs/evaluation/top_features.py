"""Rankings judged by an SVM that is trained again on the best features only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np

from marginfs.data.load import SplitData
from marginfs.kernels import Kernel
from marginfs.solvers.svm_dual import Slack, solve_dual
from marginfs.types import FloatArray, IntArray, Measure, Selection


def top_features(
    selection: Selection,
    data: SplitData,
    *,
    counts: Iterable[int] | Literal["all"] = (),
    final: int | None = None,
    kernel: Literal["linear", "polynomial", "gaussian"] = "linear",
    sigma: float = 1.0,
    degree: int = 2,
    offset: float = 1.0,
    C: float = np.inf,
    slack: Slack = "l2",
    tol: float = 1e-6,
) -> list[Measure]:
    """Test error of the SVM on the first k features of the ranking, for every k of `counts` ("all": every k).

    Step 0 is the error on as many features as the method keeps by itself or, where it only ranks, on `final`.
    """
    shape = Kernel(kernel, degree, offset, sigma)
    steps = range(1, len(selection.ranking) + 1) if counts == "all" else counts
    measures = []
    for step, count in [*((step, step) for step in steps), (0, selection.selected or final)]:
        if count is not None:
            best = selection.ranking[:count]
            measures.append(Measure("test_error", step, svm_error(data, best, shape, C=C, slack=slack, tol=tol)))
    return measures


def svm_error(data: SplitData, features: IntArray, kernel: Kernel, *, C: float, slack: Slack, tol: float) -> float:
    """Share of test points that the SVM trained on `features` puts on the wrong side, or on the hyperplane."""
    X, y = data.X_train[:, features], data.y_train
    solution = solve_dual(kernel.matrix(X), y, C=C, slack=slack, tol=tol)
    scores = decision(data.X_test[:, features], X, solution.alpha * y, kernel) + solution.bias
    return float(np.mean(data.y_test * scores <= 0.0))


def decision(Z: FloatArray, X: FloatArray, coefficients: FloatArray, kernel: Kernel) -> FloatArray:
    """sum_i c_i k(x_i, z) for every row z of Z, over the support vectors only."""
    used = np.flatnonzero(coefficients)
    if kernel.name == "linear":
        return np.asarray(Z @ (coefficients[used] @ X[used]))
    return np.asarray(kernel.matrix(Z, X[used]) @ coefficients[used])
