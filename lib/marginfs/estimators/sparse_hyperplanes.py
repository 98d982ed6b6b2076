"""Hyperplanes that use few features: zero-norm minimisation and the support feature machine."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from marginfs.estimators.feature_selector import NO_DRAWS, Share
from marginfs.estimators.two_class_classifier import TwoClassClassifier
from marginfs.selectors.soft_zero_norm import soft_sfm, soft_weston
from marginfs.types import FloatArray, IntArray, Selection


class SparseHyperplane(TwoClassClassifier):
    """A hyperplane w.x + b with few weights that are not zero.

    Parameters
    ----------
    n_features_to_select : int, float or None
        How many features to keep.
    C : float
        What a slack costs.
    max_iter : int
        Most linear programs.
    """

    def __init__(self, n_features_to_select: Share = None, *, C: float = 1.0, max_iter: int = 50) -> None:
        super().__init__(n_features_to_select)
        self.C = C
        self.max_iter = max_iter

    @abstractmethod
    def _search(self, X: FloatArray, codes: IntArray) -> Selection:
        """Run the method."""

    def _select(self, X: FloatArray, codes: IntArray) -> Selection:
        found = self._search(X, codes)
        self.coef_: FloatArray = found.model["weights"].reshape(1, -1)
        self.intercept_ = found.model["bias"].reshape(1)
        return found

    def _decide(self, X: FloatArray) -> FloatArray:
        return np.asarray(X @ self.coef_[0] + self.intercept_[0])

    def _scores(self, found: Selection) -> FloatArray:
        return np.asarray(np.abs(self.coef_[0]))

    def _iterations(self, found: Selection) -> int:
        return int(found.trace["iteration"].max(initial=1))

    def _unfinished(self, found: Selection) -> str:
        if self._iterations(found) < self.max_iter:
            return ""
        return f"stopped at max_iter = {self.max_iter} before its weights settled: raise max_iter."


class SupportFeatureMachine(SparseHyperplane):  # numpydoc ignore=PR02
    r"""The support feature machine: the fewest features whose hyperplane separates the classes.

    .. math:: \min_{w, b, \xi \ge 0}\; \|w\|_0 + \|\xi\|_0 \quad\text{subject to}\quad y_i (w \cdot x_i + b) \ge -\xi_i,
        \qquad \frac1n \sum_i y_i (w \cdot x_i + b) = 1

    Unlike a maximum margin, the mean margin leaves points on the hyperplane, which allows fewer features. The zero norm
    is made small by a sequence of linear programs that are weighted by the last solution. The paper's method has no
    slack: C = inf, for separable data. Two classes. Each program takes O(n^2 d) time or a small multiple; memory is
    O(nd), O(n^2 + nd) with slack.

    Parameters
    ----------
    n_features_to_select : int, float or None
        A number of features, a share of them, or None for those of the hyperplane.
    C : float
        What a slack costs in the first program, a weight being 1; inf for none.
    max_iter : int
        Most linear programs.

    Attributes
    ----------
    coef_, intercept_ : ndarray of shape (1, d), ndarray of shape (1,)
        The hyperplane.
    ranking_ : ndarray of int
        The place of every feature by absolute weight, 1 being the best; features of weight zero share a place.
    support_ : ndarray of bool
        Which features are kept.
    scores_ : ndarray of float
        The absolute weights.
    n_iter_ : int
        Linear programs solved.
    classes_, n_features_, n_features_in_, feature_names_in_ : object
        As of all selectors.

    References
    ----------
    S. Klement, T. Martinetz (2010), The support feature machine for classifying with the least number of features,
    ICANN, 88-93.

    Examples
    --------
    >>> import numpy as np
    >>> from marginfs import SupportFeatureMachine
    >>> X = np.random.default_rng(0).standard_normal((60, 100))
    >>> y = np.where(X[:, 3] - X[:, 7] + X[:, 20] > 0, "ill", "healthy")
    >>> model = SupportFeatureMachine().fit(X, y)
    >>> model.get_support(indices=True).tolist()
    [3, 7, 20]
    """

    def _search(self, X: FloatArray, codes: IntArray) -> Selection:
        return soft_sfm(X, codes, rng=NO_DRAWS, C=self.C, max_iterations=self.max_iter)


class ZeroNormSVM(SparseHyperplane):  # numpydoc ignore=PR02
    r"""Zero-norm minimisation: the fewest features with which every point is outside the margin.

    .. math:: \min_{w, b, \xi \ge 0}\; \|w\|_0 + \|\xi\|_0 \quad\text{subject to}\quad y_i (w \cdot x_i + b) \ge 1 -
        \xi_i

    The zero norm is made small by a sequence of linear programs that are weighted by the last solution. C = inf allows
    no slack, for separable data. Two classes. Each program takes O(n^2 d) time or a small multiple; memory is O(nd),
    O(n^2 + nd) with slack.

    Parameters
    ----------
    n_features_to_select : int, float or None
        A number of features, a share of them, or None for those of the hyperplane.
    C : float
        What a slack costs in the first program, a weight being 1; inf for none.
    max_iter : int
        Most linear programs.

    Attributes
    ----------
    coef_, intercept_ : ndarray of shape (1, d), ndarray of shape (1,)
        The hyperplane.
    ranking_ : ndarray of int
        The place of every feature by absolute weight, 1 being the best; features of weight zero share a place.
    support_ : ndarray of bool
        Which features are kept.
    scores_ : ndarray of float
        The absolute weights.
    n_iter_ : int
        Linear programs solved.
    classes_, n_features_, n_features_in_, feature_names_in_ : object
        As of all selectors.

    References
    ----------
    J. Weston, A. Elisseeff, B. Schoelkopf, M. Tipping (2003), Use of the zero-norm with linear models and kernel
    methods, Journal of Machine Learning Research 3, 1439-1461.

    Examples
    --------
    >>> import numpy as np
    >>> from marginfs import ZeroNormSVM
    >>> X = np.random.default_rng(0).standard_normal((60, 100))
    >>> y = np.where(X[:, 3] - X[:, 7] + X[:, 20] > 0, "ill", "healthy")
    >>> ZeroNormSVM().fit(X, y).get_support(indices=True).tolist()
    [3, 7, 20, 71, 89]
    """

    def _search(self, X: FloatArray, codes: IntArray) -> Selection:
        return soft_weston(X, codes, rng=NO_DRAWS, C=self.C, max_iterations=self.max_iter)
