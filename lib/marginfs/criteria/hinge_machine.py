"""What feature weights are worth to the machine with the exact hinge: GMKL's objective (tayal2014, equations 5 and 6).

    minimise  F(w) + mu sum w   over w >= 0
    F(w) = max over a of sum a - 1/2 sum_ij a_i a_j y_i y_j K_ij   subject to 0 <= a <= C, y'a = 0

The kernel's exponent is linear in e = w^2 (weights z, equation 13) or e = w (the reference code's d). The dual is
solved to a small tolerance, so that by Danskin's theorem dF/de_k = 1/2 sum_ij b_i b_j K_ij (x_ik - x_jk)^2, b = a y.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import numpy as np

from marginfs.criteria.feature_weights import contract, gaussian
from marginfs.solvers.svm_dual import DualSolution, solve_dual
from marginfs.solvers.svm_options import Svm
from marginfs.types import FloatArray

Variable = Literal["z", "d"]


class HingeMachine:
    """GMKL's objective.

    Parameters
    ----------
    X, y : ndarray of shape (n, d) and (n,)
        Training points and labels -1.0, +1.0.
    C, mu : float
        Penalties of the losses and of the weights.
    variable : {"z", "d"}
        Whether the kernel squares the weights.
    tol : float
        Violation of the dual's optimality conditions.
    """

    def __init__(
        self, X: FloatArray, y: FloatArray, *, C: float, mu: float, variable: Variable = "z", tol: float = 1e-6
    ) -> None:
        self.X, self.y, self.C, self.mu, self.variable, self.tol = X, y, C, mu, variable, tol
        self.machine: DualSolution | None = None
        """The machine trained last: the warm start of the next."""
        self.bounded = False
        """Whether a machine had a multiplier at C, of those whose gradient was asked for: points that a search went to.
        A point that it refused would be refused at a larger C as well, since F rises with C."""
        self._work = np.empty((2, y.size, y.size))

    def factors(self, w: FloatArray) -> FloatArray:
        """What each feature is multiplied by before distances are taken.

        Parameters
        ----------
        w : ndarray of shape (d,)
            Weights, not negative.

        Returns
        -------
        ndarray of shape (d,)
            z, or the root of d.
        """
        return w if self.variable == "z" else np.sqrt(w)

    def evaluate(self, w: FloatArray) -> HingeMachinePoint:
        """The objective at w.

        Parameters
        ----------
        w : ndarray of shape (d,)
            Weights, not negative.

        Returns
        -------
        HingeMachinePoint
            Value and gradient, the latter computed when asked for.
        """
        used = np.flatnonzero(w)
        scaled = self.X[:, used] * self.factors(w[used])
        K = gaussian(scaled, scaled)
        warm = None if self.machine is None else self.machine.alpha
        self.machine = solve_dual(K, self.y, Svm(C=self.C, slack="l1", tol=self.tol), alpha=warm, work=self._work)
        return HingeMachinePoint(self, w, self.machine, K)


class HingeMachinePoint:
    """The objective at one w.

    Parameters
    ----------
    problem : HingeMachine
        The objective.
    w : ndarray of shape (d,)
        Weights, not negative.
    machine : DualSolution
        The machine at w.
    K : ndarray of shape (n, n)
        The kernel matrix at w.
    """

    def __init__(self, problem: HingeMachine, w: FloatArray, machine: DualSolution, K: FloatArray) -> None:
        self.problem, self.w, self.machine, self._K = problem, w, machine, K
        self.value = machine.objective + problem.mu * float(w.sum())
        self.bounded = bool(machine.alpha.max() >= problem.C)

    @cached_property
    def gradient(self) -> FloatArray:  # numpydoc ignore=RT01
        """Mu + dF/dw, by Danskin's theorem; a weight of zero has left the computation and reads mu."""
        problem = self.problem
        problem.bounded = problem.bounded or self.bounded
        b = self.machine.alpha * problem.y
        used, support = np.flatnonzero(self.w), np.flatnonzero(b)
        points = problem.X[np.ix_(support, used)]
        slope = 0.5 * contract(b[support, None] * self._K[np.ix_(support, support)] * b[support], points, points)
        gradient = np.full(self.w.size, problem.mu, dtype=np.float64)
        gradient[used] += 2.0 * self.w[used] * slope if problem.variable == "z" else slope
        return gradient
