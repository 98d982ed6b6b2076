"""What feature weights are worth when the machine is trained for each of them: FULL-FS, problem 7 of tayal2014.

    F(z) = min over b, c of 1/2 b'Kb + C sum_i V(y_i f_i),   minimised as F(z) + mu sum z over z >= 0

has the minimisers of the paper's problem in all variables (u, b, z), since at fixed z the rest is convex. The machine's
own change cancels in the gradient; in the Hessian it answers a change of f on the quadratic part of the loss by the
inverse of K_QQ + 2 epsilon / C I, projected so that the coefficients still sum to zero.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from marginfs.criteria.feature_weights import KernelForm, close_form, gaussian
from marginfs.criteria.symmetric_form import SymmetricForm
from marginfs.criteria.weights_point import WeightsPoint
from marginfs.solvers.smoothed_svm import SmoothedSolution, solve_and_factor
from marginfs.types import FloatArray


class SolvedMachine:
    """The objective of FULL-FS.

    Parameters
    ----------
    X, y : ndarray of shape (n, d) and (n,)
        Training points and labels -1.0, +1.0.
    C, mu, epsilon : float
        Penalties of the losses and the weights, and half the width of the loss's quadratic part.
    machine : SmoothedSolution, optional
        A warm start; afterwards the machine trained last.
    """

    def __init__(
        self,
        X: FloatArray,
        y: FloatArray,
        *,
        C: float,
        mu: float,
        epsilon: float,
        machine: SmoothedSolution | None = None,
    ) -> None:
        self.X, self.y, self.C, self.mu, self.epsilon, self.machine = X, y, C, mu, epsilon, machine

    def evaluate(self, z: FloatArray) -> SolvedMachinePoint:
        """The objective at z.

        Parameters
        ----------
        z : ndarray of shape (d,)
            Weights, not negative.

        Returns
        -------
        SolvedMachinePoint
            Value, gradient and Hessian, each computed when asked for.
        """
        point = SolvedMachinePoint(self, z)
        self.machine = point.machine
        return point


class SolvedMachinePoint(WeightsPoint):
    """The objective at one z.

    Parameters
    ----------
    problem : SolvedMachine
        The objective.
    z : ndarray of shape (d,)
        Weights, not negative.
    """

    def __init__(self, problem: SolvedMachine, z: FloatArray) -> None:
        super().__init__(z, problem.mu)
        self.problem = problem
        self._points = problem.X if self.live.size == z.size else problem.X[:, self.live]
        scaled = self._points * z[self.live]
        self._K = gaussian(scaled, scaled)
        self.machine, self._block = solve_and_factor(
            self._K, problem.y, C=problem.C, epsilon=problem.epsilon, start=problem.machine
        )
        self.value = self.machine.objective + problem.mu * float(z.sum())

    @cached_property
    def form(self) -> KernelForm:  # numpydoc ignore=RT01
        """The kernel's part, over the support vectors."""
        b, block = self.machine.coefficients, self._block
        support = np.flatnonzero((b != 0.0) | self.machine.quadratic)
        inside = np.flatnonzero(self.machine.quadratic[support])
        ones = block.solve(np.ones(inside.size))
        total = float(ones.sum()) or 1.0

        def _answer(change: FloatArray) -> FloatArray:
            u = np.zeros(change.shape)
            u[inside] = block.solve(change[inside])
            u[inside] -= np.multiply.outer(ones / total, u[inside].sum(axis=0))
            return u

        K, b = self._K.take(support, axis=0).take(support, axis=1), b[support]
        form = SymmetricForm(self._points[support], K, b, -0.5 * b, self.z[self.live], _answer)
        return close_form(form, own=np.arange(support.size), weight=self.problem.C, mu=self.problem.mu)
