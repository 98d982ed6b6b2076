"""The machine with hinge loss and a kernel, trained in the dual, and trained again as features come and go."""

from __future__ import annotations

import numpy as np

from marginfs.kernels import Kernel
from marginfs.solvers.moving_gram import MovingGram
from marginfs.solvers.smo import SmoSolution, solve_smo
from marginfs.types import FloatArray, IntArray


class KernelSvm:
    """A trained machine.

    With a cap on the iterations every training starts from nothing, so that its state is the one that LIBSVM reaches;
    without one it starts from the last solution.

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
        self._order = np.argsort(y, kind="stable")
        self._C, self._tol, self._cap = C, tol, max_iterations
        self.signs: FloatArray = y[self._order]
        self.gram = MovingGram(X[self._order], kernel=kernel, scaled=scaled)
        self._work = np.empty((y.size, y.size), dtype=np.float32)
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
        self.gram.round_to(self._work)
        self.solution: SmoSolution = solve_smo(
            self._work,
            self.signs,
            diagonal=self.gram.diagonal(),
            C=self._C,
            tol=self._tol,
            max_iterations=self._cap,
            alpha=alpha if self._cap is None else None,
        )

    def _restored(self, values: FloatArray) -> FloatArray:
        out = np.empty_like(values)
        out[self._order] = values
        return out
