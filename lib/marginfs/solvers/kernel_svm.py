"""The machine with hinge loss and a kernel, trained in the dual, and trained again as features come and go."""

from __future__ import annotations

import numpy as np

from marginfs.kernels import LINEAR, Kernel
from marginfs.solvers.moving_gram import MovingGram
from marginfs.solvers.smo import SmoSolution, check_soft_margin, solve_smo
from marginfs.solvers.svm_dual import solve_dual
from marginfs.solvers.svm_options import Svm
from marginfs.types import FloatArray, IntArray

_TIGHT = 1e-8
"""Tolerance of Newton steps, where none smaller is asked for: they meet it at no further cost."""


class KernelSvm:
    """A trained machine.

    With a cap on the iterations every training starts from nothing, so that its state is the one that LIBSVM reaches;
    without one it starts from the last solution. The linear machine without a cap has few free multipliers, hardly more
    than features: Newton steps on these end where pair steps would creep for thousands of iterations, and closer to the
    optimum.

    Parameters
    ----------
    X : ndarray of shape (n, f)
        Training points.
    y : ndarray of shape (n,)
        Labels -1.0 and +1.0.
    C : float
        Penalty C sum xi.
    kernel : Kernel
        The kernel.
    scaled : bool
        Whether inner products are divided by the present number of features.
    tol : float
        Largest violation of the optimality conditions.
    max_iterations : int, optional
        Cap on the iterations of each training.

    Attributes
    ----------
    gram : MovingGram
        The kernel matrix; its points are grouped by class.
    signs : ndarray of shape (n,)
        Labels in the order of `gram`.
    solution : SmoSolution
        The last training, in the order of `gram`.
    """

    def __init__(
        self,
        X: FloatArray,
        y: FloatArray,
        *,
        C: float,
        kernel: Kernel,
        scaled: bool = False,
        tol: float = 1e-3,
        max_iterations: int | None = None,
    ) -> None:
        check_soft_margin(C)
        self._order = np.argsort(y, kind="stable")
        self._C, self._tol, self._cap = C, tol, max_iterations
        self.signs: FloatArray = y[self._order]
        self.gram = MovingGram(X[self._order], kernel=kernel, scaled=scaled)
        self._pairs_alone = max_iterations is not None or kernel.code != LINEAR
        self._rounded = np.empty((y.size, y.size) if self._pairs_alone else (0, 0), dtype=np.float32)
        self._work = np.empty((0, 0, 0) if self._pairs_alone else (2, y.size, y.size))
        self._train(None)

    @property
    def weights(self) -> FloatArray:
        """Weight vector w = sum_i alpha_i y_i x_i of the linear kernel."""
        return self.gram.left @ (self.solution.alpha * self.signs)

    @property
    def coefficients(self) -> FloatArray:
        """alpha_i y_i, in the order of the points given."""
        return self._restored(self.solution.alpha * self.signs)

    @property
    def bias(self) -> float:
        """Offset b."""
        return self.solution.bias

    @property
    def scores(self) -> FloatArray:
        """The decision function at the training points, in the order given."""
        return self._restored(self.solution.scores)

    def remove(self, positions: IntArray) -> None:
        """Go on without the features at these positions.

        Parameters
        ----------
        positions : ndarray of int
            Positions among the present features.
        """
        self.gram.remove(positions)
        self._train(self.solution.alpha)

    def add(self, columns: FloatArray) -> None:
        """Go on with more features.

        Parameters
        ----------
        columns : ndarray of shape (n, k)
            Values of the new features, which come last.
        """
        self.gram.add(columns[self._order])
        self._train(self.solution.alpha)

    def _train(self, alpha: FloatArray | None) -> None:
        if self._pairs_alone:
            self.solution: SmoSolution = self._by_pairs(alpha if self._cap is None else None)
        else:
            self.solution = self._by_newton(alpha)

    def _by_pairs(self, alpha: FloatArray | None) -> SmoSolution:
        self.gram.round_to(self._rounded)
        return solve_smo(
            self._rounded,
            self.signs,
            diagonal=self.gram.diagonal(),
            C=self._C,
            tol=self._tol,
            max_iterations=self._cap,
            alpha=alpha,
        )

    def _by_newton(self, alpha: FloatArray | None) -> SmoSolution:
        svm = Svm(C=self._C, slack="l1", tol=min(self._tol, _TIGHT))
        K = self.gram.matrix() if self.gram.scaled else self.gram.sums
        found = solve_dual(K, self.signs, svm, alpha=alpha, work=self._work)
        scores = self.signs * (found.gradient + 1.0) + found.bias
        return SmoSolution(found.alpha, found.bias, scores, found.iterations, True)

    def _restored(self, values: FloatArray) -> FloatArray:
        out = np.empty_like(values)
        out[self._order] = values
        return out
