"""Selectors that are classifiers of two classes as well."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from marginfs.estimators.feature_selector import FeatureSelector
from marginfs.types import FloatArray


class TwoClassClassifier(ClassifierMixin, FeatureSelector):
    """A selector whose machine predicts.

    The machine keeps the features that the method chose, whatever `n_features_to_select` says of `transform`.
    """

    @abstractmethod
    def _decide(self, X: FloatArray) -> FloatArray:
        """The decision values of checked points."""

    def decision_function(self, X: npt.ArrayLike) -> FloatArray:
        """Decision values, positive for the greater label.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Points.

        Returns
        -------
        ndarray of shape (n,)
            The values.
        """
        check_is_fitted(self)
        return self._decide(validate_data(self, X, dtype=np.float64, reset=False))

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Classes of points.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Points.

        Returns
        -------
        ndarray of shape (n,)
            Their classes.
        """
        above = self.decision_function(X) > 0.0
        return np.asarray(self.classes_[above.astype(np.int64)])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
