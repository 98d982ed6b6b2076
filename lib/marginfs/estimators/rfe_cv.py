"""Recursive feature elimination that chooses the number of features by cross-validation."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from sklearn.model_selection import check_cv

from marginfs.criteria.joined_weights import Join
from marginfs.errors import ConfigError
from marginfs.estimators.elimination import Order
from marginfs.estimators.feature_selector import NO_DRAWS
from marginfs.estimators.rfe import SVMRFE
from marginfs.estimators.size_curve import predictions_by_size
from marginfs.kernels import KernelName
from marginfs.searches.step_rules import Word
from marginfs.solvers.large_svm import Loss
from marginfs.types import FloatArray, IntArray, Selection

Rule = Literal["one_standard_error", "best"]


class SVMRFECV(SVMRFE):
    r"""Recursive feature elimination with the number of features chosen by cross-validation.

    Every fold is eliminated once; the machines at all numbers of features along its path are trained each from the
    last. With :math:`\bar a(f)` the mean accuracy over the folds at f features and s its standard error,

    .. math:: f^* = \min \{ f : \bar a(f) \ge \max_{f'} \bar a(f') - s(f'_{\max}) \}

    by the rule of one standard error, or the smallest f of largest accuracy by "best", the rule of scikit-learn's
    RFECV. All data is then ranked once more. The cost is that of k + 1 eliminations, twice.

    Parameters
    ----------
    min_features_to_select : int
        The smallest number of features to choose.
    cv : int, cross-validation generator or iterable
        The folds; a number means stratified ones.
    rule : {"one_standard_error", "best"}
        How the number is chosen.
    kernel, C, loss, criterion, order, step, floor, gamma, degree, offset, join, tol : object
        As of `SVMRFE`.

    Attributes
    ----------
    n_features_ : int
        The number chosen.
    cv_results_ : dict of ndarray
        n_features, mean_test_score, std_test_score and split0_test_score, split1_test_score, ...
    ranking_ : ndarray of int
        The place of every feature, 1 being the best: the reverse order of removal.
    support_ : ndarray of bool
        Which features are kept.
    scores_ : ndarray of float
        What every feature was worth when it was removed.
    n_iter_ : int
        Steps of the last elimination.
    classes_, n_features_in_, feature_names_in_ : object
        As of all selectors.

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen, C. Stone (1984), Classification and regression trees, section 3.4.3 (the rule of
    one standard error).

    Examples
    --------
    >>> import numpy as np
    >>> from marginfs import SVMRFECV
    >>> X = np.random.default_rng(0).standard_normal((100, 200))
    >>> y = X[:, 3] - X[:, 7] + X[:, 20] > 0
    >>> SVMRFECV().fit(X, y).get_support(indices=True).tolist()
    [3, 7, 20]
    """

    def __init__(
        self,
        min_features_to_select: int = 1,
        *,
        cv: Any = 5,
        rule: Rule = "one_standard_error",
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
        join: Join = "sum",
        tol: float = 1e-8,
    ) -> None:
        super().__init__(
            kernel=kernel,
            C=C,
            loss=loss,
            criterion=criterion,
            order=order,
            step=step,
            floor=floor,
            gamma=gamma,
            degree=degree,
            offset=offset,
            join=join,
            tol=tol,
        )
        self.min_features_to_select = min_features_to_select
        self.cv = cv
        self.rule = rule

    def _select(self, X: FloatArray, codes: IntArray) -> Selection:
        if self.rule not in get_args(Rule):
            raise ConfigError(f"rule is {self.rule!r}: write one of {', '.join(get_args(Rule))}.")
        if not 1 <= self.min_features_to_select <= X.shape[1]:
            raise ConfigError(
                f"min_features_to_select is {self.min_features_to_select}: write a number from 1 to {X.shape[1]}."
            )
        found = self._elimination(X).rank(X, codes, NO_DRAWS)
        visited = found.trace["retained"]
        sizes = np.union1d(visited[visited > self.min_features_to_select], self.min_features_to_select)
        folds = check_cv(self.cv, codes, classifier=True).split(X, codes)
        scores = np.array([self._fold_scores(X, codes, train, test, sizes) for train, test in folds])
        mean = scores.mean(axis=0)
        self.cv_results_ = {"n_features": sizes, "mean_test_score": mean, "std_test_score": scores.std(axis=0)}
        self.cv_results_ |= {f"split{fold}_test_score": row for fold, row in enumerate(scores)}
        enough = mean.max()
        if self.rule == "one_standard_error" and len(scores) > 1:
            enough -= scores[:, mean.argmax()].std(ddof=1) / np.sqrt(len(scores))
        size = int(sizes[np.flatnonzero(mean >= enough)[0]])
        return Selection(ranking=found.ranking, selected=size, trace=found.trace)

    def _fold_scores(
        self, X: FloatArray, codes: IntArray, train: IntArray, test: IntArray, sizes: IntArray
    ) -> FloatArray:
        """Accuracy on the test part at every number of features."""
        options = self._elimination(X[train])
        ranking = options.rank(X[train], codes[train], NO_DRAWS).ranking
        predicted = predictions_by_size(X[train], codes[train], X[test], ranking, sizes, options)
        return np.asarray((predicted == codes[test]).mean(axis=1))
