"""What the machines on the best 1, 2, 3, ... features of a ranking predict, each trained from the last."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from marginfs.estimators.elimination import Elimination
from marginfs.kernels import LINEAR
from marginfs.solvers.growing_linear import growing_decisions
from marginfs.solvers.primal_svm import PrimalSvm
from marginfs.solvers.svm_dual import solve_dual
from marginfs.types import FloatArray, IntArray


def predictions_by_size(
    X: FloatArray, codes: IntArray, Z: FloatArray, ranking: IntArray, sizes: IntArray, options: Elimination
) -> IntArray:
    """Classes of test points by the machines on the first features of a ranking.

    Machines of more than two classes stand one against one and vote; the larger sum of decision values decides ties.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    codes : ndarray of int
        Their classes, 0, 1, 2, ...
    Z : ndarray of shape (t, d)
        Test points.
    ranking : ndarray of int
        The features, best first.
    sizes : ndarray of int
        Numbers of features, ascending.
    options : Elimination
        What to train.

    Returns
    -------
    ndarray of shape (len(sizes), t)
        The classes.
    """
    k = int(codes.max()) + 1
    X, Z = X[:, ranking], Z[:, ranking]
    if k == 2:
        return (_decisions(X, np.where(codes == 1, 1.0, -1.0), Z, sizes, options) > 0.0).astype(np.int64)
    votes, total = np.zeros((2, k, sizes.size, len(Z)))
    for low, high in combinations(range(k), 2):
        rows = np.flatnonzero((codes == low) | (codes == high))
        values = _decisions(X[rows], np.where(codes[rows] == high, 1.0, -1.0), Z, sizes, options)
        votes[low] += values <= 0.0
        votes[high] += values > 0.0
        total[low] -= values
        total[high] += values
    return np.asarray(np.where(votes == votes.max(axis=0), total, -np.inf).argmax(axis=0))


def _decisions(X: FloatArray, y: FloatArray, Z: FloatArray, sizes: IntArray, options: Elimination) -> FloatArray:
    """Decision values of the machines for two classes, one row per size."""
    if options.kernel.code != LINEAR:
        return _by_kernel(X, y, Z, sizes, options)
    if options.is_primal(*X.shape):
        return _by_primal(X, y, Z, sizes, options)
    return growing_decisions(X, y, Z, options.svm, sizes)


def _by_primal(X: FloatArray, y: FloatArray, Z: FloatArray, sizes: IntArray, options: Elimination) -> FloatArray:
    machine, joined, rows = None, 0, []
    for size in sizes:
        if machine is None:
            machine = PrimalSvm(X[:, :size], y, C=options.C, bias="free", tol=options.tol)
        else:
            machine.add(X[:, joined:size])
        joined = size
        rows.append(Z[:, :size] @ machine.weights + machine.bias)
    return np.array(rows)


def _by_kernel(X: FloatArray, y: FloatArray, Z: FloatArray, sizes: IntArray, options: Elimination) -> FloatArray:
    """Inner products grow with the features; the kernel matrices follow from them."""
    inside, across = np.zeros((len(X), len(X))), np.zeros((len(Z), len(X)))
    norms, joined, alpha, rows = np.zeros(len(Z)), 0, None, []
    work = np.empty((2, len(X), len(X)))
    for size in sizes:
        new, test = X[:, joined:size], Z[:, joined:size]
        inside += new @ new.T
        across += test @ new.T
        norms += np.einsum("ij,ij->i", test, test)
        own = np.diag(inside).copy()
        solution = solve_dual(options.kernel.of_products(inside, own, own), y, options.svm, alpha=alpha, work=work)
        rows.append(options.kernel.of_products(across, norms, own) @ (solution.alpha * y) + solution.bias)
        joined, alpha = size, solution.alpha
    return np.array(rows)
