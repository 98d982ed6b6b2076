"""Filters: every feature judged by itself, or by the neighbours of the points."""

from __future__ import annotations

from typing import Literal

from marginfs.estimators.feature_selector import NO_DRAWS, FeatureSelector, Share
from marginfs.selectors.correlation import correlation
from marginfs.selectors.mutual_information import Binning, mutual_information
from marginfs.selectors.relief import relief
from marginfs.types import FloatArray, Labels, Selection


class Correlation(FeatureSelector):
    r"""Rank features by the correlation of each with the class.

    .. math:: |r_j| = \frac{|\sum_i (x_{ij} - \bar x_j)(y_i - \bar y)|}{n \sigma_j \sigma_y}
        \qquad\text{or}\qquad \frac{|\mu_j^+ - \mu_j^-|}{\sigma_j^+ + \sigma_j^-}

    Two classes. Time and memory are O(nd).

    Parameters
    ----------
    n_features_to_select : int, float or None
        A number of features, a share of them, or None for half.
    coefficient : {"pearson", "golub"}
        Pearson's correlation, or the difference of the class means over the sum of the class deviations.

    Attributes
    ----------
    ranking_ : ndarray of int
        The place of every feature, 1 being the best.
    support_ : ndarray of bool
        Which features are kept.
    scores_ : ndarray of float
        The absolute coefficient.
    classes_, n_features_, n_iter_, n_features_in_, feature_names_in_ : object
        As of all selectors.

    References
    ----------
    T. R. Golub et al. (1999), Molecular classification of cancer, Science 286, 531-537.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from marginfs import Correlation
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> Correlation(3).fit(X, y).get_feature_names_out().tolist()
    ['mean concave points', 'worst perimeter', 'worst concave points']
    """

    def __init__(
        self, n_features_to_select: Share = None, *, coefficient: Literal["pearson", "golub"] = "pearson"
    ) -> None:
        super().__init__(n_features_to_select)
        self.coefficient = coefficient

    def _select(self, X: FloatArray, codes: Labels) -> Selection:
        return correlation(X, codes, rng=NO_DRAWS, coefficient=self.coefficient)


class MutualInformation(FeatureSelector):
    r"""Rank features by the mutual information of each, cut into bins, with the class.

    .. math:: I_j = \sum_{b, c} p(b, c) \log \frac{p(b, c)}{p(b)\, p(c)}

    b is a bin of feature j and c a class. Any number of classes. Time is O(nd log n), memory O(nd).

    Parameters
    ----------
    n_features_to_select : int, float or None
        A number of features, a share of them, or None for half.
    bins : int
        Bins of each feature.
    binning : {"width", "quantile"}
        Bins of equal width between the extremes, or of nearly equal numbers of points.

    Attributes
    ----------
    ranking_ : ndarray of int
        The place of every feature, 1 being the best.
    support_ : ndarray of bool
        Which features are kept.
    scores_ : ndarray of float
        The mutual information, in nats.
    classes_, n_features_, n_iter_, n_features_in_, feature_names_in_ : object
        As of all selectors.

    References
    ----------
    A. Tayal, T. F. Coleman, Y. Li (2014), Primal explicit max margin feature selection for nonlinear support vector
    machines, Pattern Recognition 47, 2153-2164, section 5.2.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from marginfs import MutualInformation
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> MutualInformation(2).fit(X, y).get_feature_names_out().tolist()
    ['flavanoids', 'proline']
    """

    _two_classes = False

    def __init__(self, n_features_to_select: Share = None, *, bins: int = 10, binning: Binning = "width") -> None:
        super().__init__(n_features_to_select)
        self.bins = bins
        self.binning = binning

    def _select(self, X: FloatArray, codes: Labels) -> Selection:
        return mutual_information(X, codes, rng=NO_DRAWS, bins=self.bins, binning=self.binning)


class Relief(FeatureSelector):
    r"""Rank features by how much farther the nearest points of other classes are than those of the own class.

    .. math:: \frac{\sum_i |x_{ij} - m(x_i)_j|}{\sum_i |x_{ij} - h(x_i)_j|}

    h(x) is the nearest point of the same class, m(x) that of another one, by the Euclidean distance in all features:
    standardise first. Any number of classes, each of two points or more. Time is O(n^2 d), memory O(n^2 + nd).

    Parameters
    ----------
    n_features_to_select : int, float or None
        A number of features, a share of them, or None for half.

    Attributes
    ----------
    ranking_ : ndarray of int
        The place of every feature, 1 being the best.
    support_ : ndarray of bool
        Which features are kept.
    scores_ : ndarray of float
        The ratio; infinite where the nearest points of the own class agree in a feature and the others do not.
    classes_, n_features_, n_iter_, n_features_in_, feature_names_in_ : object
        As of all selectors.

    References
    ----------
    K. Kira, L. A. Rendell (1992), A practical approach to feature selection, ICML, 249-256.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from marginfs import Relief
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> Relief(2).fit(X, y).get_feature_names_out().tolist()
    ['petal length (cm)', 'petal width (cm)']
    """

    _two_classes = False

    def __init__(self, n_features_to_select: Share = None) -> None:
        super().__init__(n_features_to_select)

    def _select(self, X: FloatArray, codes: Labels) -> Selection:
        return relief(X, codes, rng=NO_DRAWS)
