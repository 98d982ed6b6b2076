"""Recursive feature elimination as an estimator."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from marginfs.criteria.joined_weights import Join
from marginfs.errors import ConfigError
from marginfs.estimators.elimination import Elimination, Order
from marginfs.estimators.feature_selector import FeatureSelector, Share, generator
from marginfs.kernels import Kernel, KernelName
from marginfs.searches.resampling import Sampling, When
from marginfs.searches.step_rules import Word
from marginfs.searches.stop_condition import estimate_size
from marginfs.solvers.large_svm import Loss
from marginfs.types import FloatArray, IntArray, Selection


class SVMRFE(FeatureSelector):
    r"""Recursive feature elimination: train an SVM, drop the features it needs least, until all are ranked.

    .. math:: \min_{w, b, \xi \ge 0}\; \tfrac12 \|w\|^2 + C \sum_i \xi_i^p \quad\text{subject to}\quad
        y_i (w \cdot \phi(x_i) + b) \ge 1 - \xi_i

    p is 2 with the squared hinge loss and 1 with the hinge loss. With the linear kernel and the criterion "w2" the
    feature of smallest :math:`w_k^2` goes (Guyon et al. 2002); with other kernels and criteria, the one whose removal
    or scaling changes the criterion least (Rakotomamonjy 2003).

    The solver follows the shape of the data, the ranking does not: for n >= 3 d the linear machine with squared hinge
    loss is solved in the primal, in O(nd + d^2) memory and O(nd^2) time for a whole elimination one at a time; for
    fewer points in the dual, in O(n^2 + nd) memory and O(n^2 d) time. Kernel machines take O(n^2) memory and O(n^2 d)
    time for a step; "retrained" trains d machines a step.

    Parameters
    ----------
    n_features_to_select : int, float or None
        A number of features, a share of them, or None for half (or for what `stop` says).
    kernel : {"linear", "polynomial", "gaussian"}
        x.z, (x.z + offset)^degree or exp(-gamma ||x - z||^2). More than two classes need the linear one with "w2".
    C : float
        Penalty of the slack; inf for a hard margin.
    loss : {"squared_hinge", "hinge"}
        The slack's power, as of scikit-learn's LinearSVC and SVC; "r2w2" and "span" need the squared hinge.
    criterion : {"w2", "r2w2", "span"}
        :math:`\|w\|^2`, the radius-margin bound :math:`R^2 \|w\|^2`, or the span estimate.
    order : {"first", "zero", "retrained"}
        A feature's worth: the derivative of the criterion with respect to its scale; the change of the criterion
        without it, the multipliers kept; or the change after training again.
    step : int, float or str
        Features dropped at once: a number, a share of those left, or "all", "annealing", "entropy", "halving" or
        "square_root".
    floor : int
        Number of features from which on "halving" and "entropy" drop one at a time.
    gamma : float or None
        Of the Gaussian; one over the number of features times the variance of X where it is left out.
    degree : int
        Of the polynomial.
    offset : float
        Of the polynomial.
    sampling : {"never", "beforehand", "internal"}
        Train on one sample of the points, or on a new one at every step (Planas 2021).
    share : float
        Share of the points in a sample.
    dstop : int
        Number of features from which on "internal" uses all points.
    join : {"sum", "maximum", "mean_over_deviation", "deviation_over_mean"}
        For more than two classes: how the squared weights of the machines one against one are joined.
    stop : float or None
        Choose the number of features by the least estimated cost, stop (1 - training accuracy) + (1 - stop) f/d, where
        `n_features_to_select` is None.
    tol : float
        Tolerance of the solvers.
    random_state : int, RandomState or None
        Source of the samples.

    Attributes
    ----------
    ranking_ : ndarray of int
        The place of every feature, 1 being the best: the reverse order of removal.
    support_ : ndarray of bool
        Which features are kept.
    scores_ : ndarray of float
        What every feature was worth when it was removed.
    n_iter_ : int
        Steps of the elimination.
    classes_, n_features_, n_features_in_, feature_names_in_ : object
        As of all selectors.

    References
    ----------
    I. Guyon, J. Weston, S. Barnhill, V. Vapnik (2002), Gene selection for cancer classification using support vector
    machines, Machine Learning 46, 389-422.

    A. Rakotomamonjy (2003), Variable selection using SVM-based criteria, Journal of Machine Learning Research 3,
    1357-1370.

    R. Planas (2021), Analysis of the SVM-RFE algorithm for feature selection, Universitat Politecnica de Catalunya.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn.svm import SVC
    >>> from marginfs import SVMRFE
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = make_pipeline(StandardScaler(), SVMRFE(3), SVC()).fit(X, y)
    >>> model[:-1].get_feature_names_out().tolist()
    ['mean radius', 'worst radius', 'worst area']
    """

    _two_classes = False

    def __init__(
        self,
        n_features_to_select: Share = None,
        *,
        kernel: KernelName = "linear",
        C: float = 1.0,
        loss: Loss = "squared_hinge",
        criterion: Literal["w2", "r2w2", "span"] = "w2",
        order: Order = "first",
        step: int | float | Word = 1,
        floor: int = 100,
        gamma: float | None = None,
        degree: int = 2,
        offset: float = 1.0,
        sampling: When = "never",
        share: float = 0.5,
        dstop: int = 0,
        join: Join = "sum",
        stop: float | None = None,
        tol: float = 1e-8,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        super().__init__(n_features_to_select)
        self.kernel = kernel
        self.C = C
        self.loss = loss
        self.criterion = criterion
        self.order = order
        self.step = step
        self.floor = floor
        self.gamma = gamma
        self.degree = degree
        self.offset = offset
        self.sampling = sampling
        self.share = share
        self.dstop = dstop
        self.join = join
        self.stop = stop
        self.tol = tol
        self.random_state = random_state

    def _select(self, X: FloatArray, codes: IntArray) -> Selection:
        options = self._elimination(X)
        rng = generator(self.random_state)
        if self.stop is None or self.n_features_to_select is not None:
            return options.rank(X, codes, rng)
        found = options.rank(X, codes, rng, with_accuracy=True)
        chance = float(np.bincount(codes).max() / codes.size)
        size = estimate_size(found, accuracy_weight=self.stop, chance=chance).size
        return Selection(ranking=found.ranking, selected=size, trace=found.trace)

    def _elimination(self, X: FloatArray) -> Elimination:
        """The parameters as the search takes them."""
        variance = float(X.var())
        gamma = 1.0 / (X.shape[1] * (variance if variance > 0.0 else 1.0)) if self.gamma is None else self.gamma
        if not gamma > 0.0:
            raise ConfigError(f"gamma is {gamma}: write a positive number, or None.")
        return Elimination(
            kernel=Kernel(self.kernel, self.degree, self.offset, float(np.sqrt(0.5 / gamma))),
            C=float(self.C),
            loss=self.loss,
            criterion=self.criterion,
            order=self.order,
            step=self.step,
            floor=self.floor,
            sampling=Sampling(self.sampling, self.share, dstop=self.dstop),
            join=self.join,
            tol=self.tol,
        )

    def _scores(self, found: Selection) -> FloatArray:
        scores = np.empty(found.ranking.size)
        scores[found.trace["removed"]] = found.trace["relevance"]
        return scores

    def _iterations(self, found: Selection) -> int:
        return int(np.unique(found.trace["retained"]).size)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        linear = self.kernel == "linear" and self.criterion == "w2" and self.order != "retrained"
        tags.classifier_tags.multi_class = linear
        return tags
