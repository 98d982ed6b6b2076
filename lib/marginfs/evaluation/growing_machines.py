"""Gaussian machines on the first k features of a ranking, for growing k: distances, and errors of cross-validation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from marginfs.data.load import SplitData
from marginfs.selectors.gaussian_svm import machines_along
from marginfs.types import FloatArray, IntArray


def growing_distances(
    ranking: IntArray, data: SplitData, counts: Iterable[int]
) -> Iterator[tuple[int, FloatArray, FloatArray]]:
    """Add features to the squared distances between points, in the order of a ranking.

    Parameters
    ----------
    ranking : ndarray of int
        Features, the best first.
    data : SplitData
        The split.
    counts : iterable of int
        Numbers of features, ascending.

    Yields
    ------
    count : int
        One of `counts`.
    inside : ndarray of shape (n, n)
        Squared distances between training points over so many features; changed by the next step.
    across : ndarray of shape (m, n)
        Those of test points to training points.
    """
    n = len(data.X_train)
    inside, across = np.zeros((n, n)), np.zeros((len(data.X_test), n))
    done = 0
    for count in counts:
        added = ranking[done:count]
        inside += squared_distances(data.X_train[:, added], data.X_train[:, added])
        across += squared_distances(data.X_test[:, added], data.X_train[:, added])
        done = count
        yield count, inside, across


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


def errors_along(
    K: FloatArray, y: FloatArray, parts: Sequence[tuple[IntArray, IntArray]], penalties: Sequence[float], tol: float
) -> dict[float, int]:
    """Count wrongly classified points over all folds, for every C; a fold's machines are trained each from the last.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix.
    y : ndarray of shape (n,)
        Labels -1.0 and +1.0.
    parts : sequence of (ndarray of int, ndarray of int)
        Training and test rows of the folds.
    penalties : sequence of float
        The values of C, ascending.
    tol : float
        Violation of the dual's optimality conditions.

    Returns
    -------
    dict
        C -> number of errors.
    """
    wrong = dict.fromkeys(penalties, 0)
    for train, test in parts:
        held_out = K[np.ix_(test, train)]
        machines = machines_along(K[np.ix_(train, train)], y[train], penalties, tol)
        for penalty, machine in zip(penalties, machines, strict=True):
            scores = held_out @ (machine.alpha * y[train]) + machine.bias
            wrong[penalty] += int(np.count_nonzero(y[test] * scores <= 0.0))
    return wrong
