"""A support vector machine on the features that remain, trained again from its last solution as features leave."""

from __future__ import annotations

import numpy as np

from marginfs.errors import ConfigError
from marginfs.solvers.gram import Gram
from marginfs.solvers.sphere import SphereSolution, enclosing_sphere
from marginfs.solvers.svm_dual import DualSolution, sign_gram, solve_dual
from marginfs.solvers.svm_options import Svm
from marginfs.types import FloatArray, IntArray


class Machine:
    """Trained machine, with what the criteria read from it.

    With quadratic slack the machine is a hard-margin one whose kernel is K + I/C; every criterion uses that kernel, so
    that ||w||^2 = sum alpha and the published gradients are exact.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : ndarray of shape (n,)
        Labels, -1.0 or +1.0.
    svm : Svm
        What to train.

    Attributes
    ----------
    gram : Gram
        Kernel matrix over the features that remain.
    solution : DualSolution
        The optimum over them.
    """

    def __init__(self, X: FloatArray, y: FloatArray, svm: Svm) -> None:
        self.gram = Gram(X, svm.kernel)
        self.y = np.ascontiguousarray(y, dtype=np.float64)
        self.svm = svm
        self._work = np.empty((2, self.y.size, self.y.size))
        self.solution: DualSolution = self._train(None)
        self._sphere: SphereSolution | None = None
        self._sphere_is_current = False

    @property
    def features(self) -> IntArray:
        """Indices of the features that remain, in the order of the criteria's arrays."""
        return self.gram.features

    @property
    def coefficients(self) -> FloatArray:
        """alpha_i y_i."""
        return np.asarray(self.solution.alpha * self.y)

    @property
    def support(self) -> IntArray:
        """Indices of the support vectors."""
        return np.flatnonzero(self.solution.alpha)

    @property
    def dual_matrix(self) -> FloatArray:
        """Matrix of the dual problem."""
        Q = np.empty_like(self.gram.K)
        sign_gram(self.gram.K, self.y, self.svm.ridge, Q)
        return Q

    @property
    def sphere(self) -> SphereSolution:
        """Smallest sphere around the points mapped by the machine's kernel."""
        if self._sphere is None or not self._sphere_is_current:
            K = self.gram.K + self.svm.ridge * np.eye(self.y.size)
            start = None if self._sphere is None else self._sphere.beta
            self._sphere = enclosing_sphere(K, tol=self.svm.tol, beta=start)
            self._sphere_is_current = True
        return self._sphere

    def require_hard_margin_form(self, criterion: str) -> None:
        """Refuse linear slack for a criterion that is defined on a hard margin only.

        Parameters
        ----------
        criterion : str
            Its name.
        """
        if self.svm.upper < np.inf:
            raise ConfigError(f"criterion {criterion!r} has no form for slack 'l1': write slack: l2, or C: inf.")

    def remove(self, positions: IntArray) -> None:
        """Drop features and train again.

        Parameters
        ----------
        positions : ndarray of int
            Places in `features`.
        """
        self.gram.remove(positions)
        self.solution = self._train(self.solution.alpha)
        self._sphere_is_current = False

    def _train(self, alpha: FloatArray | None) -> DualSolution:
        return solve_dual(self.gram.K, self.y, self.svm, alpha=alpha, work=self._work)
