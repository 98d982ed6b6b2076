"""Small separable problems and hyperplanes for the tests of margin-based elimination, and their brute-force margins."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from marginfs.searches.linear_margin import Walk, _fixed, _Walker
from marginfs.searches.margin_path import MarginPath
from marginfs.solvers.svm_dual import solve_dual, weights

Floats = NDArray[np.float64]


def separable(seed: int, n: int, d: int, *, values: int = 0) -> tuple[Floats, Floats]:
    """Samples of both classes, separable once d >= n; with `values`, features take so many distinct values."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    if values:
        X = rng.integers(0, values, (n, d)).astype(float)
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    X[:, : max(1, d // 4)] += 0.8 * y[:, None]
    return X, y


def trained(X: Floats, y: Floats) -> tuple[Floats, float]:
    solution = solve_dual(X @ X.T, y)
    return weights(X, y, solution), solution.bias


def follow(
    X: Floats, y: Floats, w: Floats, b: float, sequence: NDArray[np.int64], *, walk: Walk | None = None
) -> MarginPath:
    """Remove the features in the given order (all but its last), and record the margins along it."""
    walk = walk or Walk()
    position = np.argsort(sequence, kind="stable")
    return _Walker(X, y, w, b, walk).run(_fixed(lambda block: np.argsort(position[block.features]), walk))


def brute_margin(X: Floats, y: Floats, w: Floats, b: float, features: NDArray[np.int64], little: bool = False) -> float:
    """The margin of the hyperplane restricted to `features`, from its definition."""
    s = X[:, features] @ w[features]
    length = np.linalg.norm(w[features])
    if not little:
        return float((y * (s + b)).min() / length)
    positive, negative = s[y > 0], s[y < 0]
    mirrored = negative.min() - positive.max()
    return float((mirrored if mirrored > 0 else positive.min() - negative.max()) / 2 / length)


def grid_little_margin(s: Floats, y: Floats, length: float) -> float:
    """The best margin of y (A s + w_0) over bias and sign by search over all candidate biases: an oracle for LO."""
    ordered = np.sort(s)
    biases = -(ordered[:, None] + ordered[None, :]).ravel() / 2
    best = [(y * (sign * s + sign * bias)).min() for sign in (1.0, -1.0) for bias in biases]
    return float(max(best) / length)
