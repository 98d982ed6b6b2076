"""What all estimators share: checked input, a ranking turned into a support, and errors that scikit-learn expects."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from numbers import Integral, Real
from types import NoneType
from typing import Any, Self, get_args, get_type_hints

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import ClassifierTags, check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from marginfs.errors import MarginfsError
from marginfs.types import BoolArray, FloatArray, IntArray, Selection

Share = int | float | None
"""How many features to keep: a number, a share of all, or what the method itself says."""
_NUMBERS: dict[Any, tuple[type, str]] = {
    float: (Real, "a number"),
    int: (Integral, "a whole number"),
    bool: (bool, "True or False"),
}
"""Declared type of a parameter -> what its values must be, and how to say so."""


class FeatureSelector(SelectorMixin, BaseEstimator):
    """A selector of the library behind scikit-learn's interface.

    A method gives `_select`, and may say more of what it found by the methods after it.

    Parameters
    ----------
    n_features_to_select : int, float or None
        How many features to keep.

    Attributes
    ----------
    classes_ : ndarray
        The labels, ascending.
    ranking_ : ndarray of int
        The place of every feature, 1 being the best; features that the method does not order share a place.
    support_ : ndarray of bool
        Which features are kept.
    scores_ : ndarray of float
        What the method found every feature to be worth.
    n_features_ : int
        How many features are kept.
    n_iter_ : int
        Iterations of the method.
    n_features_in_ : int
        Number of features seen by `fit`.
    feature_names_in_ : ndarray of str
        Their names, where `X` had names.
    """

    _two_classes = True

    def __init__(self, n_features_to_select: Share = None) -> None:
        self.n_features_to_select = n_features_to_select

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> Self:
        """Find the features that matter.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Training points.
        y : array_like of shape (n,)
            Their classes.

        Returns
        -------
        self
            The fitted estimator.
        """
        self._check_numbers()
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if self.classes_.size < 2:
            raise ValueError(f"{type(self).__name__} needs points of two classes, and y holds one class.")
        if self._two_classes and self.classes_.size > 2:
            raise ValueError(
                "Only binary classification is supported. The type of the target is multiclass: "
                f"y holds {self.classes_.size} classes."
            )
        try:
            found = self._select(np.asarray(X), codes.astype(np.int64))
        except MarginfsError as error:
            raise ValueError(str(error)) from error
        self._accept(found)
        return self

    def _check_numbers(self) -> None:
        """Refuse a parameter that is declared a number and is none, such as C="1"."""
        for name, declared in get_type_hints(type(self).__init__).items():
            value, kinds = getattr(self, name, None), get_args(declared) or (declared,)
            if value is None and NoneType in kinds:
                continue
            wanted = _NUMBERS.get(kinds[0]) if {*kinds} <= {kinds[0], NoneType} else None
            if wanted and (not isinstance(value, wanted[0]) or (isinstance(value, bool) and kinds[0] is not bool)):
                raise ValueError(f"{name} is {value!r}: write {wanted[1]}.")

    @abstractmethod
    def _select(self, X: FloatArray, codes: IntArray) -> Selection:
        """Run the method on checked points, whose classes are 0, 1, 2, ..."""

    def _accept(self, found: Selection) -> None:
        """Turn what the method found into fitted attributes."""
        ranking, d = found.ranking, found.ranking.size
        self.ranking_ = np.empty(d, dtype=np.int64)
        places = np.arange(1, d + 1)
        self.ranking_[ranking] = places if found.ranked is None else np.minimum(places, found.ranked + 1)
        self.support_: BoolArray = np.zeros(d, dtype=np.bool_)
        self.support_[ranking[: self._number(found, d)]] = True
        self.n_features_ = int(self.support_.sum())
        self.scores_ = self._scores(found)
        self.n_iter_ = self._iterations(found)
        problem = self._unfinished(found)
        if problem:
            warnings.warn(f"{type(self).__name__} {problem}", ConvergenceWarning, stacklevel=3)

    def _number(self, found: Selection, d: int) -> int:
        """How many features are kept; half of them where neither the user nor the method says."""
        wanted = self.n_features_to_select
        if wanted is None:
            return max(1, d // 2) if found.selected is None else found.selected
        if isinstance(wanted, Integral) and not isinstance(wanted, bool) and 1 <= wanted <= d:
            return int(wanted)
        if isinstance(wanted, Real) and not isinstance(wanted, Integral) and 0.0 < wanted <= 1.0:
            return max(1, int(wanted * d))
        raise ValueError(
            f"n_features_to_select is {wanted!r}: write a number from 1 to {d}, a share such as 0.1, or None."
        )

    def _scores(self, found: Selection) -> FloatArray:
        """What the features are worth, in the order of the columns."""
        scores = np.empty(found.ranking.size)
        scores[found.ranking] = found.trace["relevance"]
        return scores

    def _iterations(self, found: Selection) -> int:
        """Iterations of the method."""
        return 1

    def _unfinished(self, found: Selection) -> str:
        """What to warn of where a solver stopped early; nothing where it did not."""
        return ""

    def _get_support_mask(self) -> BoolArray:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        if tags.classifier_tags is None:
            tags.classifier_tags = ClassifierTags()
        tags.classifier_tags.multi_class = not self._two_classes
        return tags


def generator(random_state: int | np.random.RandomState | None) -> np.random.Generator:
    """The library's source of random numbers from scikit-learn's.

    Parameters
    ----------
    random_state : int, RandomState or None
        As scikit-learn takes it.

    Returns
    -------
    numpy.random.Generator
        The same one for the same number.
    """
    return np.random.default_rng(check_random_state(random_state).randint(2**31 - 1))


NO_DRAWS = np.random.default_rng(0)
"""For methods that draw nothing."""
