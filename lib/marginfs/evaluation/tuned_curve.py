"""Rankings judged by a Gaussian machine that is tuned for every number of features (tayal2014, figures 5 to 14)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from marginfs.data.load import SplitData
from marginfs.data.splits import kfold
from marginfs.errors import ConfigError
from marginfs.evaluation.declared import produces
from marginfs.evaluation.growing_machines import errors_along, growing_distances
from marginfs.evaluation.kernel_machine import error_rate
from marginfs.labels import signs
from marginfs.solvers.svm_dual import solve_dual
from marginfs.solvers.svm_options import Svm
from marginfs.types import Measure, Selection


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
    penalties, measures = sorted(C), []
    fitting = sorted(size for size in sizes if size <= selection.ranking.size)
    for size, inside, across in growing_distances(selection.ranking, data, fitting):
        chosen = min(
            (wrong, penalty, -width)
            for width in sigma
            for penalty, wrong in errors_along(np.exp(-inside / width**2), y, parts, penalties, tol).items()
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
