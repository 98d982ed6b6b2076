"""What feature weights are worth to a machine whose coefficients stay: the feature subproblems of tayal2014.

With f_i = sum_j b_j K_ij(z) + c and t = 1 / lambda, the shared margin, they minimise over z >= 0 and t >= 0

    none         1/2 b'Kb       + C sum_i V(y_i f_i)   + mu sum z       algorithm 1
    geometric    t^2/2 b'Kb     + C sum_i V(t y_i f_i) + mu sum z       equation 11, algorithm 2
    functional   t^2/2          + C sum_i V(t y_i f_i) + mu sum z       equation 12, algorithm 3

t is eliminated: at given z it solves a convex problem in one variable, and derivatives are those of what is left.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import numpy as np

from marginfs.criteria.feature_weights import KernelForm, close_form, gaussian
from marginfs.criteria.symmetric_form import SymmetricForm
from marginfs.criteria.weights_point import WeightsPoint
from marginfs.solvers.smoothed_hinge import bends, best_scale, loss, pull
from marginfs.solvers.trust_region import HingeModel
from marginfs.types import FloatArray, IntArray

Margin = Literal["none", "geometric", "functional"]

SHARED = 0.8
"""With a larger share of the points among the support vectors, and of the pairs in the form, pairs are taken once."""


class FixedMachine:
    """The objective of a feature subproblem.

    Parameters
    ----------
    X, y : ndarray of shape (n, d) and (n,)
        Training points and labels -1.0, +1.0.
    b, bias : ndarray of shape (n,) and float
        Coefficients and offset of the machine.
    C, mu, epsilon : float
        Penalties of the losses and the weights, and half the width of the loss's quadratic part.
    margin : {"none", "geometric", "functional"}
        Which margin is shared.
    """

    def __init__(
        self,
        X: FloatArray,
        y: FloatArray,
        b: FloatArray,
        bias: float,
        *,
        C: float,
        mu: float,
        epsilon: float,
        margin: Margin,
    ) -> None:
        self.X, self.y, self.b, self.bias = X, y, b, bias
        self.C, self.mu, self.epsilon, self.margin = C, mu, epsilon, margin
        self.centres: IntArray = np.flatnonzero(b)
        if self.centres.size > SHARED * b.size:
            self.centres = np.arange(b.size)

    def evaluate(self, z: FloatArray) -> FixedMachinePoint:
        """The objective at z.

        Parameters
        ----------
        z : ndarray of shape (d,)
            Weights, not negative.

        Returns
        -------
        FixedMachinePoint
            Value, gradient and Hessian, each computed when asked for.
        """
        return FixedMachinePoint(self, z)


class FixedMachinePoint(WeightsPoint):
    """The objective at one z.

    Parameters
    ----------
    problem : FixedMachine
        The objective.
    z : ndarray of shape (d,)
        Weights, not negative.
    """

    def __init__(self, problem: FixedMachine, z: FloatArray) -> None:
        super().__init__(z, problem.mu)
        self.problem = problem
        self._points = problem.X if self.live.size == z.size else problem.X[:, self.live]
        scaled = self._points * z[self.live]
        self._K = gaussian(scaled, scaled if problem.centres.size == len(scaled) else scaled[problem.centres])
        response = self._K @ problem.b[problem.centres]
        self._f = response + problem.bias
        norm = float(problem.b @ response) if problem.margin != "functional" else 1.0
        margin = problem.y * self._f
        self.scale = 1.0 if problem.margin == "none" else best_scale(margin, norm, problem.C, problem.epsilon)
        self._margin, self._norm = self.scale * margin, norm
        self._bent = bends(self._margin, problem.epsilon)
        losses = problem.C * float(loss(self._margin, problem.epsilon).sum())
        self.value = 0.5 * self.scale**2 * norm + losses + problem.mu * float(z.sum())

    def hinges(self) -> HingeModel:
        """The objective with linear margins, for a step in z and a change of the shared margin.

        How the margins move is known to single precision; the model's slope is the objective's all the same. Of b'Kb,
        where it counts, the model has the slope; what z adds to second order stands in the curvature.

        Returns
        -------
        HingeModel
            The model over the features that take part.
        """
        problem, t, z = self.problem, self.scale, self.z[self.live]
        P = self._K * problem.b[problem.centres]
        form = KernelForm(self._points, self._points[problem.centres], P, self._weights, z, np.zeros_like)
        slopes = t * problem.y[:, None] * (-2.0 * z * form.spreads)
        linear = self.gradient[self.live] + problem.C * (pull(self._margin, problem.epsilon) @ slopes)
        shared = problem.margin != "none"
        return HingeModel(
            columns=self.live,
            margins=self._margin,
            slopes=slopes,
            linear=linear,
            curvature=form.curvature(),
            scale=t if shared else 0.0,
            norm=self._norm if shared else 1.0,
            unscaled=problem.y * self._f if shared else np.zeros(problem.y.size),
            C=problem.C,
            epsilon=problem.epsilon,
        )

    @cached_property
    def _slope(self) -> FloatArray:
        """Minus the slope of the losses in every t f_i."""
        return self.problem.C * self.problem.y * pull(self._margin, self.problem.epsilon)

    @property
    def _coefficients(self) -> FloatArray:
        """The coefficients where b'Kb counts, else zeros."""
        return np.zeros(self._f.size) if self.problem.margin == "functional" else self.problem.b

    @property
    def _weights(self) -> FloatArray:
        """c: the derivative with respect to every f_i, that of b'Kb halved."""
        return 0.5 * self.scale**2 * self._coefficients - self.scale * self._slope

    @cached_property
    def form(self) -> KernelForm:  # numpydoc ignore=RT01
        """The kernel's part, over the rows that have a loss, bend or, if the norm counts, have a coefficient."""
        problem, t, b = self.problem, self.scale, self._coefficients
        bend = problem.C / (2.0 * problem.epsilon) * self._bent
        curvature = self._norm + float(bend @ (self._f * self._f))
        rows = np.flatnonzero((self._slope != 0.0) | (b != 0.0) | self._bent)
        if once := problem.centres.size == b.size and rows.size > SHARED * b.size:
            rows = np.arange(b.size)
        stiff, pulled = t * t * bend[rows], (t * b - self._slope + t * bend * self._f)[rows]
        if problem.margin == "none" or curvature <= 0.0 or t == 0.0:
            pulled = np.zeros(rows.size)

        def _answer(change: FloatArray) -> FloatArray:
            if change.ndim == 1:
                return np.asarray(stiff * change - pulled * (float(pulled @ change) / curvature))
            return np.asarray(stiff[:, None] * change - np.outer(pulled, pulled @ change / curvature))

        z = self.z[self.live]
        form: KernelForm
        if once:
            form = SymmetricForm(self._points, self._K, problem.b, self._weights, z, _answer)
        else:
            P = self._K[rows] * problem.b[problem.centres]
            form = KernelForm(self._points[rows], self._points[problem.centres], P, self._weights[rows], z, _answer)
        place = np.full(problem.y.size, -1)
        place[rows] = np.arange(rows.size)
        weight = t * problem.C + 0.5 * t * t * float(np.abs(b).max())
        return close_form(form, own=place[problem.centres], weight=weight, mu=problem.mu)
