"""The comparisons of `make bench` that planas2021 asks for: its own compiled loop, LIBSVM fitted anew, LinearSVC."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from comparison import Comparison, overlap
from numba import njit
from sklearn.datasets import make_classification
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel
from sklearn.svm import SVC, LinearSVC

from marginfs.data.load import SplitData
from marginfs.evaluation.validation_phase import validation_phase
from marginfs.selectors.svm_rfe import svm_rfe
from marginfs.types import FloatArray, IntArray, Selection

RNG = np.random.default_rng(0)
C, CAP = 0.5, 5000
POLYNOMIAL = {"kernel": "polynomial", "degree": 7, "offset": "C", "scaled": True}
GAUSSIAN = {"kernel": "gaussian", "gamma": 0.01}


def madelon_like(n: int, d: int) -> tuple[FloatArray, IntArray]:
    """Standardised columns, the 20 relevant ones first."""
    X, y = make_classification(
        n_samples=n, n_features=d, n_informative=5, n_redundant=15, n_clusters_per_class=16, shuffle=False,
        flip_y=0.01, class_sep=2.0, random_state=1,
    )  # fmt: skip
    rows = np.random.default_rng(1).permutation(n)
    return ((X - X.mean(axis=0)) / X.std(axis=0))[rows], y[rows]


@njit(cache=True)
def form_without(k, X, sums, a, support, degree, scale, offset, gamma):
    """sum_ij a_i a_j K_ij without feature k, its sum taken from the entries of the Gram matrix or the distances."""
    total = 0.0
    for i in support:
        for j in support:
            if degree > 0:
                total += a[i] * a[j] * ((sums[i, j] - X[i, k] * X[j, k]) * scale + offset) ** degree
            else:
                difference = X[i, k] - X[j, k]
                total += a[i] * a[j] * np.exp(-gamma * (sums[i, j] - difference * difference))
    return total


def loop_rfe(X: FloatArray, y: IntArray, step: int, kernel: dict) -> IntArray:
    """LIBSVM at the same cap, and the loop that the thesis compiled: the Hessian updated entry by entry per feature."""
    degree, gamma = kernel.get("degree", 0), kernel.get("gamma", 0.0)
    left, removed = np.arange(X.shape[1]), []
    while left.size:
        Z = np.ascontiguousarray(X[:, left])
        scale = 1.0 / left.size
        if degree:
            K, sums = polynomial_kernel(Z, degree=degree, gamma=scale, coef0=C), Z @ Z.T
        else:
            squares = np.sum(Z**2, axis=1)
            K, sums = rbf_kernel(Z, gamma=gamma), np.add.outer(squares, squares) - 2 * Z @ Z.T
        machine = SVC(C=C, kernel="precomputed", max_iter=CAP).fit(K, y)
        a = np.zeros(y.size)
        a[machine.support_] = np.abs(machine.dual_coef_[0])
        forms = [form_without(k, Z, sums, a, machine.support_, degree, scale, C, gamma) for k in range(left.size)]
        worst = np.argsort(a @ K @ a - np.array(forms), kind="stable")[:step]
        removed += list(left[worst])
        left = np.delete(left, worst)
    return np.array(removed)[::-1]


def kernel_rfe(name: str, kernel: dict, n: int, d: int, target: float) -> Comparison:
    """Elimination of MADELON's size, 20 features at a time, as tables 5.20 and 5.27 have it."""
    X, y = madelon_like(n, d)
    return Comparison(
        "RFE of the thesis",
        f"{name}, {n} x {d}, step 20",
        "LIBSVM and the thesis's compiled loop",
        lambda: svm_rfe(X, y, rng=RNG, step=20, C=C, max_iterations=CAP, criterion="run", **kernel).ranking,
        lambda: loop_rfe(X, y, 20, kernel),
        overlap(20),
        target,
        repeats=1,
    )


def validation(n: int, d: int, step: int) -> Comparison:
    """Training and test accuracy at every other number of features, degree 7."""
    X, y = madelon_like(n, d)
    train = 6 * n // 7
    data, sizes = SplitData(X[:train], y[:train], X[train:], y[train:]), range(1, d + 1, step)

    def ours() -> FloatArray:
        options = {**POLYNOMIAL, "C": C, "max_iterations": CAP}
        measures = validation_phase(Selection(np.arange(d)), data, stride=step, **options)
        return np.array([measure.value for measure in measures if measure.metric == "accuracy"])

    def theirs() -> FloatArray:
        accuracies = []
        for size in sizes:
            machine = SVC(kernel="poly", degree=7, gamma=1 / size, coef0=C, C=C, max_iter=CAP)
            machine.fit(data.X_train[:, :size], data.y_train)
            machine.score(data.X_train[:, :size], data.y_train)
            accuracies.append(machine.score(data.X_test[:, :size], data.y_test))
        return np.array(accuracies)

    return Comparison(
        "RFE of the thesis",
        f"validation at {len(sizes)} sizes, {train} points, degree 7",
        "LIBSVM fitted anew at every size",
        ours,
        theirs,
        lambda own, other: f"test accuracies differ by {100 * np.abs(own - other).max():.1f} points at most",
        3,
        repeats=1,
    )


def linear(n: int, d: int) -> Comparison:
    """Linear elimination of table 5.6's size, both sides in the same loop."""
    X, y = make_classification(
        n_samples=n, n_clusters_per_class=2, n_features=d, n_informative=d // 3, n_redundant=2, n_repeated=0,
        flip_y=0.01, random_state=8, class_sep=1.0,
    )  # fmt: skip

    def theirs() -> list[int]:
        left, removed = np.arange(d), []
        while left.size:
            machine = LinearSVC(C=10.0, dual=False, max_iter=CAP).fit(X[:, left], y)
            worst = np.argsort(machine.coef_[0] ** 2)[:20]
            removed += list(left[worst])
            left = np.delete(left, worst)
        return removed[::-1]

    return Comparison(
        "RFE of the thesis",
        f"linear, {n} x {d}, step 20",
        "LinearSVC(dual=False) in the same loop",
        lambda: svm_rfe(X, y, rng=RNG, C=10.0, step=20).ranking,
        theirs,
        overlap(100),
        1,
        repeats=3,
    )


def thesis_comparisons(quick: bool) -> Iterator[Comparison]:
    """All of them; quick ones are small, to see that everything runs."""
    n, d = (60, 40) if quick else (2000, 500)
    loop_rfe(*madelon_like(40, 40), 20, POLYNOMIAL)
    yield kernel_rfe("polynomial of degree 7", POLYNOMIAL, n, d, 10)
    yield kernel_rfe("Gaussian", GAUSSIAN, n, d, 5)
    yield validation(*((60, 40) if quick else (1200, 500)), 2)
    yield linear(*((200, 60) if quick else (8000, 300)))
