"""Margin-based feature elimination as an estimator."""

from __future__ import annotations

import numpy as np

from marginfs.errors import ConfigError
from marginfs.estimators.feature_selector import NO_DRAWS, FeatureSelector, Share
from marginfs.kernels import KernelName
from marginfs.searches.margin_path import AtZero
from marginfs.selectors.margin_elimination import kernel_elimination, mfe
from marginfs.types import FloatArray, IntArray, Selection


class MFE(FeatureSelector):
    r"""Margin-based feature elimination: every step removes the feature that leaves the largest margin.

    .. math:: m^* = \arg\max_m \min_n \frac{y_n (w^{(-m)} \cdot x_n + b)}{\|w^{(-m)}\|}

    One SVM is trained on all features, with hinge loss and C; w without feature m is the same w with that weight at
    zero. With a kernel, the margin is that of the same multipliers on the kernel without feature m. Two classes.

    Training takes O(n^3 + n^2 d) time; a linear step O(nd) at most, and O(n + d) where a bound leaves few candidates; a
    step with a kernel O(n_sv n d), times ten for the Gaussian. Memory is O(n^2 + nd).

    Parameters
    ----------
    n_features_to_select : int, float or None
        A number of features, a share of them, or None for half.
    kernel : {"linear", "polynomial", "gaussian"}
        x.z, (x.z + 1)^degree or exp(-gamma ||x - z||^2).
    C : float
        Penalty of the slack; inf is the hard margin of the paper, for separable data.
    gamma : float or None
        Of the Gaussian; one over the number of features where it is left out.
    degree : int
        Of the polynomial.
    little_optimization : bool
        Re-optimise slope and intercept at every step (section 3.1 of the paper).
    retrain_every : int
        Train the linear SVM again after every so many removals; 0 never does, as in the paper.
    at_zero : {"soft", "stop"}
        Where no removal leaves a positive margin: go on with the soft-margin objective, or stop. The features that are
        left then come first.
    tol : float
        Violation of the SVM's optimality conditions.

    Attributes
    ----------
    ranking_ : ndarray of int
        The place of every feature, 1 being the best: the reverse order of removal.
    support_ : ndarray of bool
        Which features are kept.
    scores_ : ndarray of float
        By how much the margin fell when the feature went; infinite for those that were left.
    margins_ : ndarray of float
        The margin on d, d - 1, d - 2, ... features.
    n_iter_ : int
        Removals.
    classes_, n_features_, n_features_in_, feature_names_in_ : object
        As of all selectors.

    References
    ----------
    Y. Aksu, D. J. Miller, G. Kesidis (2008), Margin-based feature selection techniques for support vector machine
    classification.

    Examples
    --------
    >>> import numpy as np
    >>> from marginfs import MFE
    >>> X = np.random.default_rng(0).standard_normal((60, 50))
    >>> y = X[:, 3] - X[:, 7] + X[:, 20] > 0
    >>> MFE(3).fit(X, y).get_support(indices=True).tolist()
    [3, 7, 20]
    """

    def __init__(
        self,
        n_features_to_select: Share = None,
        *,
        kernel: KernelName = "linear",
        C: float = 1.0,
        gamma: float | None = None,
        degree: int = 2,
        little_optimization: bool = False,
        retrain_every: int = 0,
        at_zero: AtZero = "soft",
        tol: float = 1e-8,
    ) -> None:
        super().__init__(n_features_to_select)
        self.kernel = kernel
        self.C = C
        self.gamma = gamma
        self.degree = degree
        self.little_optimization = little_optimization
        self.retrain_every = retrain_every
        self.at_zero = at_zero
        self.tol = tol

    def _select(self, X: FloatArray, codes: IntArray) -> Selection:
        if self.kernel == "linear":
            found = mfe(
                X,
                codes,
                rng=NO_DRAWS,
                little_optimisation=self.little_optimization,
                at_zero=self.at_zero,
                retrain_every=self.retrain_every,
                C=self.C,
                tol=self.tol,
            )
        elif self.retrain_every:
            raise ConfigError(f"retrain_every is {self.retrain_every} with kernel {self.kernel!r}: write 0, or linear.")
        else:
            found = kernel_elimination(
                X,
                codes,
                rng=NO_DRAWS,
                kernel=self.kernel,
                beta=self.gamma,
                degree=self.degree,
                little_optimisation=self.little_optimization,
                at_zero=self.at_zero,
                C=self.C,
                tol=self.tol,
            )
        self.margins_: FloatArray = found.trace["margin"]
        return found

    def _scores(self, found: Selection) -> FloatArray:
        scores = np.full(found.ranking.size, np.inf)
        scores[found.trace["removed"]] = -np.diff(found.trace["margin"])
        return scores

    def _iterations(self, found: Selection) -> int:
        return max(1, found.trace["removed"].size)
