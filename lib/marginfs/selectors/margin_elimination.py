"""Margin-based feature elimination (MFE) and its rivals, from training to ranking (Aksu, Miller and Kesidis, 2008).

All of them train one SVM on all features (hard margin by default) and eliminate from it without retraining, unless
`retrain_every` asks for it. `Selection.trace` holds retained, margin and squared_length per state and soft, differs and
evaluated per step; where its `retained` ends above 1 the margin reached zero there. `Selection.model` is what
`marginfs.evaluation.path_errors.path_errors` needs.
"""

from __future__ import annotations

from typing import Unpack

import numpy as np

from marginfs.errors import ConfigError, DataError, NotSeparableError
from marginfs.labels import signs
from marginfs.searches.kernel_margin import LeavesBy, eliminate_kernel
from marginfs.searches.linear_margin import Candidates, Walk, by_margin, by_weight
from marginfs.searches.margin_path import AtZero
from marginfs.searches.support_gram import CurvedKernel, kernel_of
from marginfs.selectors.guard import guarded
from marginfs.solvers.svm_dual import DualSolution, solve_dual, weights
from marginfs.solvers.svm_options import PenaltyKeys, Svm
from marginfs.types import FloatArray, IntArray, Labels, Selection


@guarded
def mfe(
    X: FloatArray,
    y: Labels,
    *,
    rng: np.random.Generator,
    candidates: Candidates = "exact",
    little_optimisation: bool = False,
    at_zero: AtZero = "stop",
    retrain_every: int = 0,
    **keys: Unpack[PenaltyKeys],
) -> Selection:
    """Linear MFE (section 2.3): every step removes the feature that leaves the largest margin.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : ndarray of shape (n,)
        Their labels, of two classes.
    rng : Generator
        Not used: nothing is drawn.
    candidates : {"exact", "sufficient"}
        All removals that keep the margin positive, or the paper's set S(i).
    little_optimisation : bool
        Re-optimise slope and intercept at every step, and choose by the margin after it (section 3.1).
    at_zero : {"stop", "soft"}
        Stop where no removal keeps the data separated, or go on with the soft-margin objective (`by_margin`).
    retrain_every : int
        Train the SVM again after every so many removals; 0 never does.
    **keys : PenaltyKeys
        C and tol of the trained SVM; the hard margin, the default, needs separable data.

    Returns
    -------
    Selection
        The ranking, with the path's trace and model.
    """
    y = signs(y)
    w, b, walk = _trained(X, y, Svm.of(slack="l1", **keys), little_optimisation, at_zero, retrain_every)
    return by_margin(X, y, w, b, candidates=candidates, walk=walk).selection()


@guarded
def rfe_fixed(
    X: FloatArray,
    y: Labels,
    *,
    rng: np.random.Generator,
    little_optimisation: bool = False,
    at_zero: AtZero = "stop",
    retrain_every: int = 0,
    **keys: Unpack[PenaltyKeys],
) -> Selection:
    """Linear RFE on one trained SVM (section 2.2): every step removes the smallest |w_m|, without retraining.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : ndarray of shape (n,)
        Their labels, of two classes.
    rng : Generator
        Not used: nothing is drawn.
    little_optimisation, at_zero, retrain_every : bool, str, int
        As in `mfe`.
    **keys : PenaltyKeys
        As in `mfe`.

    Returns
    -------
    Selection
        The ranking, with the path's trace and model.
    """
    y = signs(y)
    w, b, walk = _trained(X, y, Svm.of(slack="l1", **keys), little_optimisation, at_zero, retrain_every)
    return by_weight(X, y, w, b, walk=walk).selection()


@guarded
def kernel_elimination(
    X: FloatArray,
    y: Labels,
    *,
    rng: np.random.Generator,
    kernel: CurvedKernel = "gaussian",
    beta: float | None = None,
    degree: int = 2,
    criterion: LeavesBy = "margin",
    little_optimisation: bool = False,
    at_zero: AtZero = "stop",
    **keys: Unpack[PenaltyKeys],
) -> Selection:
    """MFE_kernel, RFE (equation 2) or RFE_abs on one trained kernel SVM (section 3.2).

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : ndarray of shape (n,)
        Their labels, of two classes.
    rng : Generator
        Not used: nothing is drawn.
    kernel : {"gaussian", "polynomial"}
        The kernel exp(-beta ||u - v||^2) or (1 + u.v)^degree.
    beta : float, optional
        Of the Gaussian kernel; one over the number of features by default.
    degree : int
        Of the polynomial kernel.
    criterion : {"margin", "rfe", "rfe_abs"}
        The rule by which features leave: MFE_kernel, RFE or RFE_abs.
    little_optimisation, at_zero : bool, str
        As in `mfe`.
    **keys : PenaltyKeys
        As in `mfe`.

    Returns
    -------
    Selection
        The ranking, with the path's trace and model.
    """
    if kernel not in ("gaussian", "polynomial"):
        raise ConfigError(f"kernel is {kernel!r}; write gaussian or polynomial.")
    parameter = float(degree) if kernel == "polynomial" else (1.0 / X.shape[1] if beta is None else beta)
    if not parameter > 0.0:
        raise ConfigError(f"The {kernel} kernel has parameter {parameter}; write a positive number.")
    y, svm = signs(y), Svm.of(slack="l1", **keys)
    solution = _solve(kernel_of(kernel, parameter).matrix(X), y, svm)
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
        soft_penalty=_soft_penalty(solution, svm.C),
    )
    return path.selection(kernel=np.array(kernel), parameter=np.array(parameter))


def _trained(
    X: FloatArray, y: FloatArray, svm: Svm, little: bool, at_zero: AtZero, retrain_every: int
) -> tuple[FloatArray, float, Walk]:
    """The linear SVM on all features, and how to walk from it."""

    def _train(features: IntArray) -> tuple[FloatArray, float]:
        columns = X[:, features]
        solution = solve_dual(columns @ columns.T, y, svm)
        return weights(columns, y, solution), solution.bias

    solution = _solve(X @ X.T, y, svm)
    w = weights(X, y, solution)
    if not w.any():
        raise DataError(f"The SVM with C = {svm.C:g} gives every feature the weight zero: write a larger C.")
    walk = Walk(little, at_zero, _soft_penalty(solution, svm.C), _train if retrain_every else None, retrain_every)
    return w, solution.bias, walk


def _solve(K: FloatArray, y: FloatArray, svm: Svm) -> DualSolution:
    try:
        return solve_dual(K, y, svm)
    except NotSeparableError as error:
        raise NotSeparableError(
            f"Margin elimination with C = {svm.C:g} needs separable data, and these {y.size} training samples are not; "
            "write a finite C together with at_zero: soft."
        ) from error


def _soft_penalty(solution: DualSolution, C: float) -> float:
    """C itself, or for a hard margin the smallest C that would have trained the same SVM: the largest multiplier."""
    return C if np.isfinite(C) else float(solution.alpha.max())
