"""Rankings judged by an SVM that is trained again on the best features only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np

from marginfs.data.load import SplitData
from marginfs.errors import ConfigError
from marginfs.kernels import Kernel
from marginfs.solvers.sphere import enclosing_sphere
from marginfs.solvers.svm_dual import DualSolution, Slack, solve_dual
from marginfs.types import FloatArray, Measure, Selection


def top_features(
    selection: Selection,
    data: SplitData,
    *,
    counts: Iterable[int] | Literal["all"] = (),
    final: int | None = None,
    bound: bool = False,
    ranking_term: bool = False,
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
    bound: also R^2 ||w||^2 / m of every SVM, on m training points.
    ranking_term: also what each feature was worth when it was removed; the step is how many features there were.
    """
    if bound and slack != "l2":
        raise ConfigError("evaluation: 'bound' is defined for slack l2: write slack: l2, or leave bound out")
    shape = Kernel(kernel, degree, offset, sigma)
    steps = range(1, len(selection.ranking) + 1) if counts == "all" else counts
    measures = []
    for step, count in [*((step, step) for step in steps), (0, selection.selected or final)]:
        if count is None:
            continue
        best = selection.ranking[:count]
        X, Z, y = data.X_train[:, best], data.X_test[:, best], data.y_train
        K = shape.matrix(X)
        machine = solve_dual(K, y, C=C, slack=slack, tol=tol)
        scores = decision(Z, X, machine.alpha * y, shape) + machine.bias
        measures.append(Measure("test_error", step, float(np.mean(data.y_test * scores <= 0.0))))
        if bound:
            measures.append(Measure("bound", step, radius_margin_bound(K, machine, 1.0 / C, tol)))
    if ranking_term:
        measures += _ranking_terms(selection)
    return measures


def decision(Z: FloatArray, X: FloatArray, coefficients: FloatArray, kernel: Kernel) -> FloatArray:
    """sum_i c_i k(x_i, z) for every row z of Z, over the support vectors only."""
    used = np.flatnonzero(coefficients)
    if kernel.name == "linear":
        return np.asarray(Z @ (coefficients[used] @ X[used]))
    return np.asarray(kernel.matrix(Z, X[used]) @ coefficients[used])


def radius_margin_bound(K: FloatArray, machine: DualSolution, ridge: float, tol: float) -> float:
    """R^2 ||w||^2 / m for the kernel K + ridge I, in which the machine has a hard margin and ||w||^2 = sum alpha."""
    m = len(K)
    squared_radius = enclosing_sphere(K + ridge * np.eye(m), tol=tol).squared_radius
    return float(squared_radius * machine.alpha.sum() / m)


def _ranking_terms(selection: Selection) -> list[Measure]:
    """What each feature was worth when it was removed, at the number of features there were."""
    remaining, relevance = selection.trace["remaining"], selection.trace["relevance"]
    return [Measure("ranking_term", int(k), float(value)) for k, value in zip(remaining, relevance, strict=True)]
