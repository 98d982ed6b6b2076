"""Speed of SVM-RFE with the extensions of planas2021, as ratios of CPU time to the way the thesis or libraries go.

    python tests/benchmarks/bench_planas.py

Everything runs on one thread, on simulated data of the size of MADELON. The thesis's own optimisation, a compiled loop
over the entries of the Hessian for every feature, is timed on a few features at three numbers of features and scaled,
since its cost is the same for each.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable

import numpy as np
from numba import njit
from sklearn.datasets import make_classification
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel
from sklearn.svm import SVC, LinearSVC
from threadpoolctl import threadpool_limits

from marginfs.data.load import SplitData
from marginfs.evaluation.validation_phase import validation_phase
from marginfs.selectors.svm_rfe import svm_rfe
from marginfs.types import FloatArray, IntArray, Selection

RNG = np.random.default_rng(0)
CAP = 5000
TIMED_FEATURES = 12


def cpu_seconds(task: Callable[[], object]) -> float:
    """CPU time of one run."""
    start = time.process_time()
    task()
    return time.process_time() - start


def line(what: str, ours: float, theirs: float, target: float, note: str) -> bool:
    """Print one row of the table."""
    met = theirs / ours >= target
    print(
        f"| {what} | {ours:.3g} s | {theirs:.3g} s | {theirs / ours:.1f} | >= {target:g} | {'yes' if met else 'NO'} | "
        f"{note} |"
    )
    return met


def madelon_like(n: int) -> tuple[FloatArray, IntArray]:
    """500 standardised columns, the 20 relevant ones first."""
    X, y = make_classification(
        n_samples=n, n_features=500, n_informative=5, n_redundant=15, n_clusters_per_class=16, shuffle=False,
        flip_y=0.01, class_sep=2.0, random_state=1,
    )  # fmt: skip
    rows = np.random.default_rng(1).permutation(n)
    return ((X - X.mean(axis=0)) / X.std(axis=0))[rows], y[rows]


@njit(cache=True)
def update_polynomial(K, G, X, k, support, degree, scale, offset):
    """Kernel matrix without feature k, entry by entry."""
    for i in support:
        for j in support:
            K[i, j] = ((G[i, j] - X[i, k] * X[j, k]) * scale + offset) ** degree


@njit(cache=True)
def update_gaussian(K, D, X, k, support, gamma):
    """The same for the Gaussian kernel."""
    for i in support:
        for j in support:
            difference = X[i, k] - X[j, k]
            K[i, j] = np.exp(-gamma * (D[i, j] - difference * difference))


def loop_elimination_seconds(X: FloatArray, y: IntArray, step: int, C: float, kernel: dict[str, float]) -> float:
    """CPU time of an elimination with LIBSVM and the compiled loop, from three numbers of features."""
    counts, polynomial = np.arange(X.shape[1], 0, -step), "degree" in kernel
    training, per_feature = [], []
    for count in (500, 260, 20):
        Z = np.ascontiguousarray(X[:, :count])
        start = time.process_time()
        K = (
            polynomial_kernel(Z, degree=kernel["degree"], coef0=C)
            if polynomial
            else rbf_kernel(Z, gamma=kernel["gamma"])
        )
        machine = SVC(C=C, kernel="precomputed", max_iter=CAP).fit(K, y)
        squares = np.sum(Z**2, axis=1)
        sums = Z @ Z.T if polynomial else np.add.outer(squares, squares) - 2 * Z @ Z.T
        training.append(time.process_time() - start)
        a = np.zeros(y.size)
        a[machine.support_] = np.abs(machine.dual_coef_[0])
        features = range(min(TIMED_FEATURES, count))

        def score(K=K, Z=Z, sums=sums, a=a, used=machine.support_, features=features, count=count) -> None:
            for k in features:
                if polynomial:
                    update_polynomial(K, sums, Z, k, used, kernel["degree"], 1.0 / count, C)
                else:
                    update_gaussian(K, sums, Z, k, used, kernel["gamma"])
                a @ K @ a

        per_feature.append(cpu_seconds(score) / len(features))
    return float(counts.size * np.mean(training) + counts.sum() * np.mean(per_feature))


def bench_kernel(name: str, kernel: dict[str, float], target: float) -> bool:
    """Elimination of 500 features of 2000 points, 20 at a time, as table 5.20 has it."""
    X, y = madelon_like(2000)
    C = 0.5
    options = {
        "kernel": name,
        "C": C,
        "offset": "C",
        "scaled": True,
        "max_iterations": CAP,
        "criterion": "run",
        **kernel,
    }
    own = cpu_seconds(lambda: svm_rfe(X, y, rng=RNG, step=20, **options))
    loop = loop_elimination_seconds(X, y, 20, C, kernel)
    note = f"LIBSVM and the loop, timed on {TIMED_FEATURES} features at 500, 260 and 20"
    return line(f"{name} RFE 2000 x 500, step 20, {kernel}", own, loop, target, note)


def bench_validation() -> bool:
    """250 numbers of features, 1028 training points, degree 7: LIBSVM fitted anew and scored, timed at every tenth."""
    X, y = madelon_like(1200)
    data = SplitData(X[:1028], y[:1028], X[1028:], y[1028:])
    selection = Selection(np.arange(500))
    options = {"kernel": "polynomial", "degree": 7, "C": 0.5, "offset": "C", "scaled": True, "max_iterations": CAP}

    def refit() -> None:
        for size in range(1, 501, 20):
            machine = SVC(kernel="poly", degree=7, gamma=1 / size, coef0=0.5, C=0.5, max_iter=CAP)
            machine.fit(data.X_train[:, :size], data.y_train)
            machine.score(data.X_train[:, :size], data.y_train)
            machine.score(data.X_test[:, :size], data.y_test)

    theirs = 10 * cpu_seconds(refit)
    own = cpu_seconds(lambda: validation_phase(selection, data, stride=2, **options))
    measures: list = []
    short = cpu_seconds(
        lambda: measures.extend(validation_phase(selection, data, stride=2, stop_early=True, **options))
    )
    sizes = sum(measure.metric == "cost" for measure in measures)
    met = line("validation phase, 250 sizes, all of them", own, theirs, 3, "LIBSVM timed at every tenth size")
    line("validation phase, 250 sizes, exact early stop", short, theirs, 3, f"{sizes} sizes were needed")
    return met


def bench_linear() -> bool:
    """Linear elimination of table 5.6's size, both sides in the same loop of 15 iterations."""
    X, y = make_classification(
        n_samples=8000, n_clusters_per_class=2, n_features=300, n_informative=100, n_redundant=2, n_repeated=0,
        flip_y=0.01, random_state=8, class_sep=1.0,
    )  # fmt: skip

    def theirs() -> list[int]:
        left, removed = np.arange(300), []
        while left.size:
            machine = LinearSVC(C=10.0, dual=False, max_iter=CAP).fit(X[:, left], y)
            worst = np.argsort(machine.coef_[0] ** 2)[:20]
            removed += list(left[worst])
            left = np.delete(left, worst)
        return removed[::-1]

    rankings: list = []
    own = cpu_seconds(lambda: rankings.append(svm_rfe(X, y, rng=RNG, C=10.0, step=20).ranking))
    peer = cpu_seconds(lambda: rankings.append(theirs()))
    same = len(set(rankings[0][:100]) & set(rankings[1][:100]))
    return line(
        "linear RFE 8000 x 300, step 20", own, peer, 1, f"LinearSVC(dual=False); {same} of the top 100 the same"
    )


def main() -> int:
    """Run all benchmarks; the exit code says whether every target is met."""
    warnings.simplefilter("ignore")
    warm, labels = np.random.default_rng(0).normal(size=(40, 500)), np.arange(40) % 2
    for kernel in ({"degree": 7}, {"gamma": 0.01}):
        loop_elimination_seconds(warm, labels, 250, 1.0, kernel)
    for name in ("polynomial", "gaussian"):
        svm_rfe(warm, labels, rng=RNG, kernel=name, step="all", criterion="run")
    print("| what | marginfs | the other way | ratio | target | met | note |\n|---|---|---|---|---|---|---|")
    with threadpool_limits(1):
        met = [
            bench_kernel("polynomial", {"degree": 7}, 10),
            bench_kernel("gaussian", {"gamma": 0.01}, 5),
            bench_validation(),
            bench_linear(),
        ]
    return 0 if all(met) else 1


if __name__ == "__main__":
    raise SystemExit(main())
