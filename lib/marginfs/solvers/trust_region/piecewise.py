"""A trust region for sums of smoothed hinges, whose model keeps the hinges as they are.

The curvature of a hinge jumps at its margin. A quadratic model knows one side only, and where the losses weigh much
every step crosses some margin, so that the iteration crawls with a tiny radius. Here only the margins are linearised:
the model is a sum of hinges plus a convex quadratic, in a box cut off by the bounds (`hinges_in_box`). Negative
curvature is left out, so that the point found is of first order; start where `reflective` has chosen between minima.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from marginfs.solvers.trust_region.hinges_in_box import minimise_hinges
from marginfs.solvers.trust_region.reflective import ACCEPT, GROW, SHRINK, TINY_RADIUS, Exit, Point, Result
from marginfs.types import FloatArray, IntArray

SHARE = 0.95
"""Share of the way to zero that a variable may go in a step."""


@dataclass(frozen=True, slots=True)
class HingeModel:
    """C sum_i V(m_i + r a_i + G_i's) + N (t + r)^2 / 2 + c's + 1/2 s'Bs, for a step s and a change r of the scale t.

    Attributes
    ----------
    columns : ndarray of int
        The variables that take part.
    margins, slopes : ndarray of shape (n,) and (n, d)
        m and G.
    linear : ndarray of shape (d,)
        c.
    curvature : ndarray of shape (d, d) or (d,)
        B, or its diagonal; negative parts are left out.
    scale, norm : float
        t and N.
    unscaled : ndarray of shape (n,)
        a, the margins at scale one; zero where the scale is fixed.
    C, epsilon : float
        Weight of the losses, and half the width of their quadratic part.
    """

    columns: IntArray
    margins: FloatArray
    slopes: FloatArray
    linear: FloatArray
    curvature: FloatArray
    scale: float
    norm: float
    unscaled: FloatArray
    C: float
    epsilon: float

    def step(self, x: FloatArray, radius: float) -> tuple[FloatArray, float, float]:
        """The best step in the box |s_k| <= radius sqrt(x_k), s_k >= -0.95 x_k.

        Parameters
        ----------
        x : ndarray of shape (d,)
            The variables over `columns`, positive.
        radius : float
            Radius.

        Returns
        -------
        step : ndarray of shape (d,)
            The step.
        decrease : float
            What the model promises.
        length : float
            The largest |s_k| / sqrt(x_k).
        """
        root = np.sqrt(x)
        B = np.zeros((x.size + 1, x.size + 1))
        B[0, 0] = self.norm
        B[1:, 1:] = _convex(self.curvature, root)
        s, decrease = minimise_hinges(
            self.margins,
            np.column_stack([self.unscaled, self.slopes * root]),
            np.r_[self.scale * self.norm, self.linear * root],
            B,
            np.r_[-SHARE * self.scale, np.maximum(-radius, -SHARE * root)],
            np.r_[1e3 * (1.0 + self.scale), np.full(x.size, radius)],
            self.C,
            self.epsilon,
        )
        return root * s[1:], decrease, float(np.abs(s[1:]).max())


class HingePoint(Point, Protocol):
    """The objective at one point, a sum of hinges among it."""

    def hinges(self) -> HingeModel:  # numpydoc ignore=RT01
        """Its model."""


P = TypeVar("P", bound=HingePoint)


def minimise_piecewise(
    evaluate: Callable[[FloatArray], P],
    start: Result[P],
    *,
    radius: float = 1.0,
    largest: Callable[[FloatArray], float],
    tol: float = 1e-6,
    max_iterations: int = 300,
) -> Result[P]:
    """Go on, for variables that are not negative, from where another iteration ended.

    Parameters
    ----------
    evaluate : callable
        x -> the objective there.
    start : Result
        Where the other iteration ended.
    radius : float
        First radius.
    largest : callable
        x -> bound of the radius at x.
    tol : float
        The iteration ends when a step lowers the objective by less than tol (1 + |objective|).
    max_iterations : int
        Most subproblems, those of the start counted.

    Returns
    -------
    Result
        The last point.
    """
    x, point, values, ended = start.x, start.point, list(start.values), Exit.ITERATION_LIMIT
    iteration = start.iterations
    while iteration < max_iterations:
        iteration += 1
        radius = min(radius, largest(x))
        model = point.hinges()
        step, promised, length = model.step(x[model.columns], radius)
        small = tol * (1.0 + abs(point.value))
        if promised <= 1e-2 * small:
            ended = Exit.CONVERGED
            break
        trial_x = x.copy()
        trial_x[model.columns] += step
        trial = evaluate(trial_x)
        decrease = point.value - trial.value
        ratio = decrease / promised
        if not ratio > SHRINK:
            radius = 0.25 * min(radius, length)
        elif ratio > GROW and length >= 0.9 * radius:
            radius *= 2.0
        if ratio > ACCEPT:
            x, point = trial_x, trial
            values.append(point.value)
            if decrease < small and ratio > SHRINK:
                ended = Exit.CONVERGED
                break
        elif radius < TINY_RADIUS:
            ended = Exit.RADIUS
            break
    return Result(x, point, ended, iteration, np.array(values))


def _convex(curvature: FloatArray, root: FloatArray) -> FloatArray:
    """The curvature in the variables s / root, without its negative part."""
    if curvature.ndim == 1:
        return np.diag(np.maximum(root * root * curvature, 0.0))
    values, vectors = np.linalg.eigh(root[:, None] * curvature * root)
    return np.asarray((vectors * np.maximum(values, 0.0)) @ vectors.T)
