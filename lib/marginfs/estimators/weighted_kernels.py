"""Gaussian machines with a weight per feature: selection and classification as one problem."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from marginfs.criteria.feature_weights import gaussian
from marginfs.criteria.hinge_machine import Variable
from marginfs.estimators.feature_selector import NO_DRAWS, Share
from marginfs.estimators.two_class_classifier import TwoClassClassifier
from marginfs.selectors.ao_efs import ao_efs
from marginfs.selectors.full_fs import full_fs
from marginfs.selectors.gmkl import gmkl
from marginfs.types import FloatArray, Labels, Selection

_CUT_SHORT = {"iteration_limit", "evaluation_limit", "round_limit"}


class WeightedKernel(TwoClassClassifier):
    """A machine f(x) = sum_i b_i exp(-||z (x - x_i)||^2) + b with weights z >= 0, many of them zero.

    Parameters
    ----------
    n_features_to_select : int, float or None
        How many features to keep.
    C, mu : float
        Penalties of the losses and of the weights.
    max_iter : int
        Most iterations.
    """

    def __init__(
        self, n_features_to_select: Share = None, *, C: float = 1.0, mu: float = 1.0, max_iter: int = 300
    ) -> None:
        super().__init__(n_features_to_select)
        self.C = C
        self.mu = mu
        self.max_iter = max_iter

    _method: ClassVar[Callable[..., Selection]]
    """The function behind it."""

    @abstractmethod
    def _further(self) -> dict[str, Any]:
        """What it is called with beside C, mu and max_iter."""

    def _select(self, X: FloatArray, codes: Labels) -> Selection:
        C, mu = float(self.C), float(self.mu)
        found = self._method(X, codes, rng=NO_DRAWS, C=C, mu=mu, max_iterations=self.max_iter, **self._further())
        self.feature_weights_: FloatArray = found.model["weights"]
        support = np.flatnonzero(found.model["coefficients"])
        self.support_vectors_: FloatArray = X[support]
        self.dual_coef_: FloatArray = found.model["coefficients"][support]
        self.intercept_ = float(found.model["bias"])
        return found

    def _decide(self, X: FloatArray) -> FloatArray:
        used = np.flatnonzero(self.feature_weights_)
        z = self.feature_weights_[used]
        return gaussian(X[:, used] * z, self.support_vectors_[:, used] * z) @ self.dual_coef_ + self.intercept_

    def _scores(self, found: Selection) -> FloatArray:
        return self.feature_weights_

    def _iterations(self, found: Selection) -> int:
        return max(1, int(found.trace["iterations"]))

    def _unfinished(self, found: Selection) -> str:
        if str(found.trace["exit"]) not in _CUT_SHORT and not found.trace.get("unfinished", 0):
            return ""
        return f"stopped at max_iter = {self.max_iter} before its objective settled: raise max_iter."


class AOEFS(WeightedKernel):
    r"""AO-EFS: alternate between the machine and the weights that maximise its explicit functional margin.

    .. math:: \min_{z \ge 0,\, \beta,\, b}\; \tfrac12 \beta^T K_z \beta + C \sum_i V_\epsilon(y_i f(x_i)) +
        \mu \sum_j z_j, \qquad K_z(x, x') = \exp(-\|z \circ (x - x')\|^2)

    V is a smoothed hinge loss. Given z the machine is trained; given the machine, z follows from equation 12 of the
    paper, which keeps the functional margin. Both alternate until the same weights are zero as before. The selection is
    local: weights start at one, so standardise the features first. Two classes. A round costs O(n^3 + n^2 d) time;
    memory is O(n^2 + nd).

    Parameters
    ----------
    n_features_to_select : int, float or None
        A number of features, a share of them, or None for all whose weight is not zero.
    C : float
        Penalty of the losses.
    mu : float
        Penalty of the weights: the larger, the fewer features.
    epsilon : float
        Half the width of the quadratic part of the loss.
    max_iter : int
        Most iterations of each trust region.

    Attributes
    ----------
    feature_weights_ : ndarray of shape (d,)
        The weights z.
    support_vectors_, dual_coef_, intercept_ : ndarray, ndarray, float
        The machine.
    ranking_ : ndarray of int
        The place of every feature by weight, 1 being the best; features of weight zero share a place.
    support_ : ndarray of bool
        Which features are kept.
    scores_ : ndarray of float
        The weights.
    n_iter_ : int
        Iterations of all trust regions.
    classes_, n_features_, n_features_in_, feature_names_in_ : object
        As of all selectors.

    References
    ----------
    A. Tayal, T. F. Coleman, Y. Li (2014), Primal explicit max margin feature selection for nonlinear support vector
    machines, Pattern Recognition 47, 2153-2164, algorithm 3.

    Examples
    --------
    The class is whether a point lies inside a circle in the first two of ten features:

    >>> import numpy as np
    >>> from marginfs import AOEFS
    >>> X = np.random.default_rng(0).standard_normal((200, 10))
    >>> y = X[:, 0] ** 2 + X[:, 1] ** 2 < 1.5
    >>> model = AOEFS(2, mu=5.0).fit(X, y)
    >>> model.get_support(indices=True).tolist()
    [0, 1]
    >>> bool(model.score(X, y) > 0.95)
    True
    """

    _method = staticmethod(ao_efs)

    def __init__(
        self,
        n_features_to_select: Share = None,
        *,
        C: float = 1.0,
        mu: float = 1.0,
        epsilon: float = 0.5,
        max_iter: int = 300,
    ) -> None:
        super().__init__(n_features_to_select, C=C, mu=mu, max_iter=max_iter)
        self.epsilon = epsilon

    def _further(self) -> dict[str, Any]:
        return {"epsilon": self.epsilon}


class FullFS(WeightedKernel):
    r"""FULL-FS: optimise the machine and the weights of the features together, by a trust region.

    .. math:: \min_{z \ge 0,\, \beta,\, b}\; \tfrac12 \beta^T K_z \beta + C \sum_i V_\epsilon(y_i f(x_i)) +
        \mu \sum_j z_j, \qquad K_z(x, x') = \exp(-\|z \circ (x - x')\|^2)

    V is a smoothed hinge loss. The machine is eliminated: at every z it is the optimum, which leaves d variables.
    Weights start at one, so standardise the features first. Two classes. An iteration costs O(n^3 + n^2 d) time; memory
    is O(n^2 + nd).

    Parameters
    ----------
    n_features_to_select : int, float or None
        A number of features, a share of them, or None for all whose weight is not zero.
    C : float
        Penalty of the losses.
    mu : float
        Penalty of the weights: the larger, the fewer features.
    epsilon : float
        Half the width of the quadratic part of the loss.
    tol : float
        The search ends when a step lowers the objective by less than tol (1 + |objective|).
    max_iter : int
        Most iterations of the trust region.

    Attributes
    ----------
    feature_weights_ : ndarray of shape (d,)
        The weights z.
    support_vectors_, dual_coef_, intercept_ : ndarray, ndarray, float
        The machine.
    ranking_ : ndarray of int
        The place of every feature by weight, 1 being the best; features of weight zero share a place.
    support_ : ndarray of bool
        Which features are kept.
    scores_ : ndarray of float
        The weights.
    n_iter_ : int
        Iterations of the trust region.
    classes_, n_features_, n_features_in_, feature_names_in_ : object
        As of all selectors.

    References
    ----------
    A. Tayal, T. F. Coleman, Y. Li (2014), Primal explicit max margin feature selection for nonlinear support vector
    machines, Pattern Recognition 47, 2153-2164, section 3.

    Examples
    --------
    >>> import numpy as np
    >>> from marginfs import FullFS
    >>> X = np.random.default_rng(0).standard_normal((200, 10))
    >>> y = X[:, 0] ** 2 + X[:, 1] ** 2 < 1.5
    >>> FullFS(mu=5.0).fit(X, y).get_support(indices=True).tolist()
    [0, 1]
    """

    _method = staticmethod(full_fs)

    def __init__(
        self,
        n_features_to_select: Share = None,
        *,
        C: float = 1.0,
        mu: float = 1.0,
        epsilon: float = 0.5,
        tol: float = 1e-6,
        max_iter: int = 300,
    ) -> None:
        super().__init__(n_features_to_select, C=C, mu=mu, max_iter=max_iter)
        self.epsilon = epsilon
        self.tol = tol

    def _further(self) -> dict[str, Any]:
        return {"epsilon": self.epsilon, "tol": self.tol}


class GMKL(WeightedKernel):
    r"""Generalised multiple kernel learning with a weight per feature and a 1-norm penalty.

    .. math:: \min_{z \ge 0}\; \mu \sum_j z_j + \max_\alpha \sum_i \alpha_i - \tfrac12 \sum_{ik} \alpha_i \alpha_k y_i
        y_k \exp(-\|z \circ (x_i - x_k)\|^2), \qquad 0 \le \alpha \le C,\; y^T \alpha = 0

    Projected gradient steps over z, an SVM trained at each. Weights start at one, so standardise the features first.
    Two classes. An SVM costs O(n^2) to O(n^3) and its gradient O(n_sv^2 d) time; memory is O(n^2 + nd).

    Parameters
    ----------
    n_features_to_select : int, float or None
        A number of features, a share of them, or None for all whose weight is not zero.
    C : float
        Penalty of the losses.
    mu : float
        Penalty of the weights: the larger, the fewer features.
    variable : {"z", "d"}
        Whether the kernel squares the weights, as above, or not, as in the authors' code.
    max_iter : int
        Most gradient steps; at most five times as many SVMs are trained.

    Attributes
    ----------
    feature_weights_ : ndarray of shape (d,)
        The weights z, the square roots of the variables with "d".
    support_vectors_, dual_coef_, intercept_ : ndarray, ndarray, float
        The machine.
    ranking_ : ndarray of int
        The place of every feature by weight, 1 being the best; features of weight zero share a place.
    support_ : ndarray of bool
        Which features are kept.
    scores_ : ndarray of float
        The weights.
    n_iter_ : int
        Gradient steps.
    classes_, n_features_, n_features_in_, feature_names_in_ : object
        As of all selectors.

    References
    ----------
    M. Varma, B. R. Babu (2009), More generality in efficient multiple kernel learning, ICML, 1065-1072.

    Examples
    --------
    >>> import numpy as np
    >>> from marginfs import GMKL
    >>> X = np.random.default_rng(0).standard_normal((200, 10))
    >>> y = X[:, 0] ** 2 + X[:, 1] ** 2 < 1.5
    >>> GMKL(mu=5.0).fit(X, y).get_support(indices=True).tolist()
    [0, 1]
    """

    _method = staticmethod(gmkl)

    def __init__(
        self,
        n_features_to_select: Share = None,
        *,
        C: float = 1.0,
        mu: float = 1.0,
        variable: Variable = "z",
        max_iter: int = 200,
    ) -> None:
        super().__init__(n_features_to_select, C=C, mu=mu, max_iter=max_iter)
        self.variable = variable

    def _further(self) -> dict[str, Any]:
        return {"variable": self.variable, "max_evaluations": 5 * self.max_iter}
