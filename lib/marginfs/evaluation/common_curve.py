"""Rankings of different methods judged by one and the same machine, for comparisons across papers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

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
from marginfs.types import AtLeast, FloatArray, Measure, Selection


@produces("test_error", "mean_error", "features", "columns", "rank")
def common_curve(
    selection: Selection,
    data: SplitData,
    *,
    sizes: Sequence[int],
    C: Sequence[float],
    folds: Annotated[int, AtLeast(2)] = 3,
    seed: int = 0,
    tol: float = 1e-3,
) -> list[Measure]:
    """Test error of a Gaussian SVM on the first k features, its C chosen by cross-validation, for every size k.

    The kernel is exp(-||x - x'||^2 / 2k): two points of standardised data have a mean exponent of -1 at every size. A
    method that keeps fewer than k features, and leaves the others unranked, is judged by those that it keeps.

    Parameters
    ----------
    selection : Selection
        What a selector found on the training part of `data`.
    data : SplitData
        The split.
    sizes : sequence of int
        Numbers of features; those that exceed the number of columns are left out.
    C : sequence of float
        Penalties to choose from; of equally good ones the smallest.
    folds : int
        Stratified folds of the training part.
    seed : int
        Seed of the folds, which are the same for every size and every method.
    tol : float
        Violation of the dual's optimality conditions.

    Returns
    -------
    list of Measure
        test_error by size. At step 0: mean_error, its mean over the sizes; columns, the number of all features; for a
        method that keeps a set by itself features, the size of that set, and test_error, that of the machine on it.
        rank of the features within the largest size, by the feature's column, counted from one.
    """
    if min(sizes, default=0) != 1:
        raise ConfigError(f"sizes is {list(sizes)}: write numbers of features, 1 the smallest of them.")
    d = selection.ranking.size
    ranked = d if selection.ranked is None else selection.ranked
    counts = {size: min(size, ranked) for size in sorted(sizes) if size <= d}
    kept = {} if selection.selected is None else {0: selection.selected}
    needed = sorted({*counts.values(), *kept.values()})
    errors = _errors(selection, data, needed, sorted(C), folds, seed, tol)
    top = selection.ranking[: max(counts.values(), default=0)]
    return [
        *(Measure("test_error", size, errors[count]) for size, count in {**kept, **counts}.items()),
        *(Measure("features", 0, float(count)) for count in kept.values()),
        Measure("mean_error", 0, float(np.mean([errors[count] for count in counts.values()]))),
        Measure("columns", 0, float(d)),
        *(Measure("rank", int(feature) + 1, float(place)) for place, feature in enumerate(top, 1)),
    ]


def _errors(
    selection: Selection,
    data: SplitData,
    counts: Sequence[int],
    penalties: Sequence[float],
    folds: int,
    seed: int,
    tol: float,
) -> dict[int, float]:
    """Number of features -> test error of the machine on so many."""
    y = signs(data.y_train)
    parts = list(kfold(np.random.default_rng(seed), y, folds))
    errors = {}
    for count, inside, across in growing_distances(selection.ranking, data, counts):
        K = _kernel(inside, count)
        wrong = errors_along(K, y, parts, penalties, tol)
        chosen = min(penalties, key=lambda penalty: (wrong[penalty], penalty))
        machine = solve_dual(K, y, Svm(C=chosen, slack="l1", tol=tol))
        scores = _kernel(across, count) @ (machine.alpha * y) + machine.bias
        errors[count] = error_rate(scores, data.y_train, data.y_test)
    return errors


def _kernel(squared: FloatArray, count: int) -> FloatArray:
    return np.asarray(np.exp(-squared / (2.0 * max(count, 1))))
