"""The comparisons of `make bench`: scikit-learn, mlxtend, skrebate, and the textbook loops."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import joblib
import numpy as np
from bench_tayal import DirectGMKL, by_fides
from comparison import Comparison, overlap
from mlxtend.feature_selection import SequentialFeatureSelector as MlxtendSelector
from sklearn.feature_selection import RFE, RFECV, SequentialFeatureSelector, mutual_info_classif
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC, LinearSVC
from thesis_peers import thesis_comparisons

from marginfs import MFE, SVMRFE, SVMRFECV, MutualInformation, Relief
from marginfs.searches import alternating
from marginfs.searches.alternating import Alternation, Scheme
from marginfs.searches.first_machines import FirstMachines
from marginfs.searches.linear_margin import Walk, by_margin, by_weight
from marginfs.searches.projected_descent import descend
from marginfs.selectors.gmkl import gmkl
from marginfs.solvers.svm_dual import solve_dual, weights
from marginfs.types import FloatArray, IntArray
from ndcc_draws import ndcc_parts

# skrebate looks for joblib where scikit-learn kept it until version 0.22.
sys.modules.setdefault("sklearn.externals.joblib", joblib)
from skrebate import ReliefF  # noqa: E402

TOL = 1e-6
NO_DRAWS = np.random.default_rng(0)


def expression(
    n: int, d: int, informative: int = 20, seed: int = 0, shift: float = 0.5
) -> tuple[FloatArray, FloatArray]:
    """Standardised features that share ten factors, some of them shifted between the classes, like a microarray."""
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(n) < 0.6, 1.0, -1.0)
    X = rng.standard_normal((n, d)) + 0.7 * rng.standard_normal((n, 10)) @ rng.standard_normal((10, d))
    X[:, :informative] += shift * y[:, None]
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def places(selector) -> IntArray:
    return np.argsort(selector.ranking_)


def linear_rfe(n: int, d: int) -> Iterator[Comparison]:
    X, y = expression(n, d)
    hinge = SVMRFE(1, loss="hinge", tol=TOL)
    yield Comparison(
        "linear RFE",
        f"{n} x {d}, one feature at a time",
        "scikit-learn's RFE over SVC",
        lambda: places(hinge.fit(X, y)),
        lambda: places(RFE(SVC(kernel="linear", tol=TOL), n_features_to_select=1).fit(X, y)),
        overlap(50),
        100,
    )
    Z, z = mirrored(X[: n // 2], y[: n // 2])
    linear = LinearSVC(dual=True, fit_intercept=False, tol=TOL, max_iter=1_000_000)
    yield Comparison(
        "linear RFE",
        f"{n} x {d}, squared hinge",
        "scikit-learn's RFE over LinearSVC",
        lambda: places(SVMRFE(1, tol=TOL).fit(Z, z)),
        lambda: places(RFE(linear, n_features_to_select=1).fit(Z, z)),
        overlap(50),
        100,
    )


def mirrored(X: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Every point, and its mirror image with the other label: the best bias is zero, which LinearSVC would penalise."""
    return np.vstack([X, -X]), np.concatenate([y, -y])


def many_rows() -> Iterator[Comparison]:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((100_000, 50))
    y = X[:, :10] @ rng.standard_normal(10) + 0.5 * rng.standard_normal(100_000) > 0
    yield Comparison(
        "linear RFE",
        "100,000 x 50, one feature at a time",
        "scikit-learn's RFE over LinearSVC(dual=False)",
        lambda: places(SVMRFE(1).fit(X, y)),
        lambda: places(RFE(LinearSVC(dual=False), n_features_to_select=1).fit(X, y)),
        overlap(10),
        1,
        repeats=3,
    )


def cross_validated(n: int, d: int) -> Iterator[Comparison]:
    X, y = expression(n, d)
    yield Comparison(
        "RFE with cross-validation",
        f"{n} x {d}, 5 folds",
        "scikit-learn's RFECV over SVC",
        lambda: SVMRFECV(loss="hinge", rule="best", tol=TOL).fit(X, y).support_,
        lambda: RFECV(SVC(kernel="linear", tol=TOL), cv=5).fit(X, y).support_,
        lambda ours, theirs: f"{ours.sum()} and {theirs.sum()} features, same: {np.array_equal(ours, theirs)}",
        50,
        repeats=3,
    )


def textbook_gaussian_rfe(X: FloatArray, y: FloatArray, gamma: float) -> IntArray:
    """A new machine a step, and a new kernel matrix for every candidate (Guyon et al. 2002)."""
    features, removed = np.arange(X.shape[1]), []
    while features.size > 1:
        machine = SVC(gamma=gamma, tol=TOL).fit(X[:, features], y)
        support, a = machine.support_, machine.dual_coef_[0]
        parts = (np.delete(X[np.ix_(support, features)], k, axis=1) for k in range(features.size))
        worth = [-a @ rbf_kernel(part, gamma=gamma) @ a for part in parts]
        whole = a @ rbf_kernel(X[np.ix_(support, features)], gamma=gamma) @ a
        leaving = int(np.argmin(np.abs(whole + np.array(worth))))
        removed.append(features[leaving])
        features = np.delete(features, leaving)
    return np.array([*removed, *features])[::-1]


def gaussian_rfe(n: int, d: int) -> Iterator[Comparison]:
    X, y = expression(n, d, informative=10)
    selector = SVMRFE(1, kernel="gaussian", gamma=1.0 / d, loss="hinge", order="zero", tol=TOL)
    yield Comparison(
        "Gaussian RFE",
        f"{n} x {d}",
        "LIBSVM and a new kernel matrix per candidate",
        lambda: places(selector.fit(X, y)),
        lambda: textbook_gaussian_rfe(X, y, 1.0 / d),
        overlap(10),
        20,
        repeats=3,
    )


def textbook_gaussian_mfe(X: FloatArray, y: FloatArray, gamma: float) -> IntArray:
    """One machine; every step tries a new kernel matrix without each feature and keeps the largest margin."""
    machine = SVC(C=1e10, gamma=gamma, tol=1e-8).fit(X, y)
    support, a, b = machine.support_, machine.dual_coef_[0], machine.intercept_[0]
    features, removed = np.arange(X.shape[1]), []
    while features.size > 1:
        margins = []
        for k in range(features.size):
            part = np.delete(X[:, features], k, axis=1)
            K = rbf_kernel(part[support], part, gamma=gamma)
            f = a @ K
            margins.append(np.min(y * (f + b)) / np.sqrt(f[support] @ a))
        if max(margins) <= 0:
            break
        removed.append(features[int(np.argmax(margins))])
        features = np.delete(features, int(np.argmax(margins)))
    return np.array(removed)


def gaussian_mfe(n: int, d: int) -> Iterator[Comparison]:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    y = np.where(X[:, :5].sum(axis=1) + 0.3 * rng.standard_normal(n) > 0, 1.0, -1.0)
    selector = MFE(1, kernel="gaussian", C=np.inf, at_zero="stop")
    yield Comparison(
        "MFE",
        f"Gaussian, {n} x {d}",
        "a new kernel matrix per candidate",
        lambda: np.argsort(-selector.fit(X, y).ranking_)[: selector.n_iter_],
        lambda: textbook_gaussian_mfe(X, y, 1.0 / d),
        lambda ours, theirs: f"{np.mean(ours[: len(theirs)] == theirs[: len(ours)]):.0%} of the removals the same",
        20,
        repeats=3,
    )


def linear_mfe(n: int, d: int) -> Iterator[Comparison]:
    X, y = expression(n, d, informative=300)
    solution = solve_dual(X @ X.T, y)
    w, b = weights(X, y, solution), solution.bias
    walk = Walk(at_zero="soft", soft_penalty=float(solution.alpha.max()))
    yield Comparison(
        "MFE",
        f"linear path, {n} x {d}",
        "RFE's path without retraining",
        lambda: by_margin(X, y, w, b, walk=walk),
        lambda: by_weight(X, y, w, b, walk=walk),
        lambda ours, theirs: f"area under the margin curve x {np.nansum(ours.margin) / np.nansum(theirs.margin):.2f}",
        1 / 3,
        repeats=15,
        peer_repeats=15,
    )


def wrappers(n: int, d: int) -> Iterator[Comparison]:
    """Five features are wanted, judged on points that no method has seen."""
    X, y = expression(n + 5000, d, informative=5, shift=2.0)
    X, y, unseen, truth = X[:n], y[:n], X[n:], y[n:]
    svc = SVC(kernel="linear", tol=TOL)

    def quality(ours: IntArray, theirs: IntArray) -> str:
        found = [svc.fit(X[:, chosen], y).score(unseen[:, chosen], truth) for chosen in (ours, theirs)]
        return f"accuracy {found[0]:.3f} and {found[1]:.3f} on unseen points"

    ours = SVMRFE(5, order="retrained")
    backward = SequentialFeatureSelector(svc, n_features_to_select=5, direction="backward", cv=5)
    floating = MlxtendSelector(svc, k_features=5, forward=True, floating=True, cv=5)
    for peer, theirs in (
        ("scikit-learn's backward SequentialFeatureSelector", lambda: backward.fit(X, y).get_support(indices=True)),
        ("mlxtend's floating forward selection", lambda: np.array(floating.fit(X, y).k_feature_idx_)),
    ):
        yield Comparison(
            "wrappers",
            f"5 of {d} features, {n} points, every removal retrained",
            peer,
            lambda: ours.fit(X, y).get_support(indices=True),
            theirs,
            quality,
            1,
        )


def filters(n: int, d: int) -> Iterator[Comparison]:
    """Ten features that tell: Relief and mutual information are estimated otherwise, and all find the same."""
    X, y = expression(n, d, informative=10, shift=3.0)
    relief, information = Relief(1), MutualInformation(1)
    for what, ours, peer, worth in (
        (
            "Relief",
            relief,
            "skrebate's ReliefF with one neighbour",
            lambda: ReliefF(n_neighbors=1).fit(X, y).feature_importances_,
        ),
        (
            "mutual information",
            information,
            "scikit-learn's mutual_info_classif",
            lambda: mutual_info_classif(X, y, random_state=0),
        ),
    ):
        yield Comparison(
            "filters",
            f"{what}, {n} x {d}",
            peer,
            lambda ours=ours: places(ours.fit(X, y)),
            lambda worth=worth: np.argsort(-worth()),
            overlap(10),
            1,
        )


def embedded(n: int, noise: int) -> Iterator[Comparison]:
    """tayal2014's problem (NDCC): the same descent and alternation, by kernels and Hessians that are written out."""
    ((X, y),) = ndcc_parts(0, (n,), noise)
    C, mu = 0.25, 0.0625
    direct = DirectGMKL(X, y, C, mu)
    yield Comparison(
        "weighted kernels",
        f"GMKL, {n} x {X.shape[1]}",
        "LIBSVM, and a gradient feature by feature",
        lambda: gmkl(X, y, rng=NO_DRAWS, C=C, mu=mu, zero_share=0.0).trace["objective"][-1],
        lambda: descend(direct.evaluate, np.ones(X.shape[1])).values[-1],
        lambda ours, theirs: f"objectives {ours:.4f} and {theirs:.4f}",
        10,
    )
    machine, scheme = FirstMachines(X, y).at(C), Scheme(margin="functional", weaker_stop=True, mu=mu)

    def alternated(trust_region) -> Alternation:
        own, alternating.minimise = alternating.minimise, trust_region
        try:
            return alternating.alternate(X, y, machine, scheme, C=C, epsilon=0.5)
        finally:
            alternating.minimise = own

    yield Comparison(
        "weighted kernels",
        f"AO-EFS, {n} x {X.shape[1]}",
        "the trust region of fides with explicit Hessians",
        lambda: alternated(alternating.minimise),
        lambda: alternated(by_fides),
        lambda ours, theirs: f"objectives {ours.objective[-1]:.4f} and {theirs.objective[-1]:.4f}",
        20,
    )


def comparisons(quick: bool) -> Iterator[Comparison]:
    """All of them; quick ones are small, to see that everything runs."""
    hinge, _ = linear_rfe(*((30, 60) if quick else (62, 2000)))
    _, squared = linear_rfe(*((30, 60) if quick else (62, 500)))
    yield hinge
    if not quick:
        yield from many_rows()
    yield from cross_validated(*((30, 40) if quick else (62, 1000)))
    yield from gaussian_rfe(*((40, 8) if quick else (200, 60)))
    yield from linear_mfe(*((30, 400) if quick else (72, 7129)))
    yield from gaussian_mfe(*((30, 8) if quick else (150, 80)))
    yield from wrappers(*((40, 8) if quick else (200, 20)))
    yield from filters(*((60, 20) if quick else (500, 500)))
    yield from embedded(*((40, 5) if quick else (200, 100)))
    yield squared
    yield from thesis_comparisons(quick)
