"""Rankings judged by a Gaussian machine that is tuned for every number of features (tayal2014, figures 5 to 14)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from marginfs.data.load import SplitData
from marginfs.data.splits import kfold
from marginfs.errors import ConfigError
from marginfs.evaluation.declared import produces
from marginfs.evaluation.kernel_machine import error_rate
from marginfs.labels import signs
from marginfs.selectors.gaussian_svm import machines_along
from marginfs.solvers.svm_dual import solve_dual
from marginfs.solvers.svm_options import Svm
from marginfs.types import FloatArray, IntArray, Measure, Selection


@produces("test_error", "tuned_C", "tuned_sigma")
def tuned_curve(
    selection: Selection,
    data: SplitData,
    *,
    sizes: Sequence[int],
    C: Sequence[float],
    sigma: Sequence[float],
    folds: int = 10,
    seed: int = 0,
    tol: float = 1e-4,
) -> list[Measure]:
    """Test error of the machine on the first k features, its C and sigma chosen by cross-validation, for every size k.

    Parameters
    ----------
    selection : Selection
        A ranking.
    data : SplitData
        The split that it was made on.
    sizes : sequence of int
        Numbers of features; those that exceed the ranking are left out.
    C, sigma : sequence of float
        The grid: penalties, and widths of the kernel exp(-||x - x'||^2 / sigma^2).
    folds : int
        Stratified folds of the training part.
    seed : int
        Seed of the folds, which are the same for every size and every method.
    tol : float
        Violation of the dual's optimality conditions.

    Returns
    -------
    list of Measure
        `test_error`, `tuned_C` and `tuned_sigma`, the step being the size. Among equals the smallest C is chosen, then
        the largest sigma.
    """
    if min(sizes, default=1) < 1:
        raise ConfigError(f"sizes is {list(sizes)}: write numbers of features, each 1 or more.")
    y = signs(data.y_train)
    parts = list(kfold(np.random.default_rng(seed), y, folds))
    inside, across = np.zeros((y.size, y.size)), np.zeros((len(data.X_test), y.size))
    penalties, measures, done = sorted(C), [], 0
    for size in sorted(size for size in sizes if size <= selection.ranking.size):
        added = selection.ranking[done:size]
        inside += squared_distances(data.X_train[:, added], data.X_train[:, added])
        across += squared_distances(data.X_test[:, added], data.X_train[:, added])
        done = size
        chosen = min(
            (wrong, penalty, -width)
            for width in sigma
            for penalty, wrong in _errors_along(np.exp(-inside / width**2), y, parts, penalties, tol).items()
        )
        penalty, width = chosen[1], -chosen[2]
        machine = solve_dual(np.exp(-inside / width**2), y, Svm(C=penalty, slack="l1", tol=tol))
        scores = np.exp(-across / width**2) @ (machine.alpha * y) + machine.bias
        measures += [
            Measure("test_error", size, error_rate(scores, data.y_train, data.y_test)),
            Measure("tuned_C", size, penalty),
            Measure("tuned_sigma", size, width),
        ]
    return measures


def squared_distances(A: FloatArray, B: FloatArray) -> FloatArray:
    """||a - b||^2 between the rows of A and of B.

    Parameters
    ----------
    A : ndarray of shape (n, d)
        Points.
    B : ndarray of shape (m, d)
        Points.

    Returns
    -------
    ndarray of shape (n, m)
        Squared distances, not negative.
    """
    squares = np.add.outer(np.einsum("ij,ij->i", A, A), np.einsum("ij,ij->i", B, B))
    return np.asarray(np.maximum(squares - 2.0 * (A @ B.T), 0.0))


def _errors_along(
    K: FloatArray, y: FloatArray, parts: Sequence[tuple[IntArray, IntArray]], penalties: Sequence[float], tol: float
) -> dict[float, int]:
    """Wrongly classified points over all folds, for every C; the machines of a fold are trained each from the last."""
    wrong = dict.fromkeys(penalties, 0)
    for train, test in parts:
        held_out = K[np.ix_(test, train)]
        machines = machines_along(K[np.ix_(train, train)], y[train], penalties, tol)
        for penalty, machine in zip(penalties, machines, strict=True):
            scores = held_out @ (machine.alpha * y[train]) + machine.bias
            wrong[penalty] += int(np.count_nonzero(y[test] * scores <= 0.0))
    return wrong
