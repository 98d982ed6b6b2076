"""Margin-based feature elimination (MFE) and its rivals, from training to ranking (Aksu, Miller and Kesidis, 2008).

All of them train one SVM on all features (hard margin by default) and eliminate from it without retraining, unless
`retrain_every` asks for it. `Selection.trace` holds retained, margin and squared_length per state and soft, differs and
evaluated per step; where its `retained` ends above 1 the margin reached zero there. `Selection.model` is what
`marginfs.evaluation.margin_path.path_errors` needs.
"""

from __future__ import annotations

import numpy as np

from marginfs.errors import ConfigError, DataError, NotSeparableError
from marginfs.searches.margin import Candidates, Walk, by_margin, by_weight
from marginfs.searches.margin_kernel import Criterion, Family, eliminate_kernel, kernel_of
from marginfs.searches.margin_path import AtZero
from marginfs.solvers.svm_dual import DualSolution, solve_dual, weights
from marginfs.types import FloatArray, IntArray, Selection


def mfe(
    X: FloatArray,
    y: FloatArray,
    *,
    rng: np.random.Generator,
    C: float = np.inf,
    candidates: Candidates = "exact",
    little_optimisation: bool = False,
    at_zero: AtZero = "stop",
    retrain_every: int = 0,
    tol: float = 1e-8,
) -> Selection:
    """Linear MFE (section 2.3): every step removes the feature that leaves the largest margin.

    C: penalty of the trained SVM; inf is the hard margin, which needs separable data.
    candidates: "exact", or the paper's "sufficient" set S(i).
    little_optimisation: re-optimise slope and intercept at every step, and choose by the margin after it (section 3.1).
    at_zero: "stop" where no removal keeps the data separated, or go on with the "soft" objective (`by_margin`).
    retrain_every: train the SVM again after every so many removals; 0 never does.
    """
    w, b, walk = _trained(X, y, C, tol, little_optimisation, at_zero, retrain_every)
    return by_margin(X, y, w, b, candidates=candidates, walk=walk).selection()


def rfe_fixed(
    X: FloatArray,
    y: FloatArray,
    *,
    rng: np.random.Generator,
    C: float = np.inf,
    little_optimisation: bool = False,
    at_zero: AtZero = "stop",
    retrain_every: int = 0,
    tol: float = 1e-8,
) -> Selection:
    """Linear RFE on one trained SVM (section 2.2): every step removes the smallest |w_m|, without retraining."""
    w, b, walk = _trained(X, y, C, tol, little_optimisation, at_zero, retrain_every)
    return by_weight(X, y, w, b, walk=walk).selection()


def kernel_elimination(
    X: FloatArray,
    y: FloatArray,
    *,
    rng: np.random.Generator,
    kernel: Family = "gaussian",
    beta: float | None = None,
    degree: int = 2,
    criterion: Criterion = "margin",
    C: float = np.inf,
    little_optimisation: bool = False,
    at_zero: AtZero = "stop",
    tol: float = 1e-8,
) -> Selection:
    """MFE_kernel, RFE (equation 2) or RFE_abs on one trained kernel SVM (section 3.2).

    beta: of exp(-beta ||u - v||^2); one over the number of features by default.
    degree: of (1 + u.v)^degree.
    criterion: "margin" (MFE_kernel), "rfe" or "rfe_abs".
    """
    if kernel not in ("gaussian", "polynomial"):
        raise ConfigError(f"kernel is {kernel!r}; write gaussian or polynomial.")
    parameter = float(degree) if kernel == "polynomial" else (1.0 / X.shape[1] if beta is None else beta)
    if not parameter > 0.0:
        raise ConfigError(f"The {kernel} kernel has parameter {parameter}; write a positive number.")
    solution = _solve(kernel_of(kernel, parameter).matrix(X), y, C, tol)
    path = eliminate_kernel(
        X,
        y,
        solution.alpha,
        solution.bias,
        kernel=kernel,
        parameter=parameter,
        criterion=criterion,
        little=little_optimisation,
        at_zero=at_zero,
        soft_penalty=_soft_penalty(solution, C),
    )
    return path.selection(kernel=np.array(kernel), parameter=np.array(parameter))


def _trained(
    X: FloatArray, y: FloatArray, C: float, tol: float, little: bool, at_zero: AtZero, retrain_every: int
) -> tuple[FloatArray, float, Walk]:
    """The linear SVM on all features, and how to walk from it."""

    def train(features: IntArray) -> tuple[FloatArray, float]:
        columns = X[:, features]
        solution = solve_dual(columns @ columns.T, y, C=C, tol=tol)
        return weights(columns, y, solution), solution.bias

    solution = _solve(X @ X.T, y, C, tol)
    w = weights(X, y, solution)
    if not w.any():
        raise DataError(f"The SVM with C = {C:g} gives every feature the weight zero: write a larger C.")
    walk = Walk(little, at_zero, _soft_penalty(solution, C), train if retrain_every else None, retrain_every)
    return w, solution.bias, walk


def _solve(K: FloatArray, y: FloatArray, C: float, tol: float) -> DualSolution:
    try:
        return solve_dual(K, y, C=C, tol=tol)
    except NotSeparableError as error:
        raise NotSeparableError(
            f"Margin elimination with C = {C:g} needs separable data, and these {y.size} training samples are not; "
            "write a finite C together with at_zero: soft."
        ) from error


def _soft_penalty(solution: DualSolution, C: float) -> float:
    """C itself, or for a hard margin the smallest C that would have trained the same SVM: the largest multiplier."""
    return C if np.isfinite(C) else float(solution.alpha.max())
