"""The trust region iteration within bounds, for objectives that give a value, a gradient and Hessian products."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Generic, Protocol, TypeVar

import numpy as np

from marginfs.solvers.trust_region.affine_scaling import scaled_model
from marginfs.solvers.trust_region.ball import minimise_block
from marginfs.solvers.trust_region.lanczos import minimise_lanczos
from marginfs.solvers.trust_region.step_back import Step, step_back
from marginfs.solvers.trust_region.truncated_cg import minimise_cg
from marginfs.types import FloatArray, IntArray

EXPLICIT = 25
"""Up to so many coupled columns the Hessian is formed and the subproblem solved exactly."""
LANCZOS_ITERATIONS = 20
"""With more columns so many iterations, which decide between minima, use Lanczos, later ones conjugate gradients."""
ACCEPT, SHRINK, GROW = 1e-4, 0.25, 0.75
"""Ratios of actual to predicted decrease from which a step is taken, the radius kept, the radius doubled."""
TINY_RADIUS = 1e-12


class Exit(Enum):
    """Why the iteration ended."""

    CONVERGED = "converged"
    """An exact or nearly exact step no longer lowers the objective by more than the tolerance."""
    RADIUS = "radius"
    """No step was accepted although the radius became tiny: the objective is at its rounding error."""
    ITERATION_LIMIT = "iteration_limit"


class Point(Protocol):
    """The objective at one point; what is not asked for is not computed."""

    @property
    def value(self) -> float:  # numpydoc ignore=RT01
        """The objective."""

    @property
    def gradient(self) -> FloatArray:  # numpydoc ignore=RT01
        """Its gradient."""

    @property
    def coupled(self) -> IntArray:  # numpydoc ignore=RT01
        """Columns on which the Hessian is a full matrix; elsewhere it may be taken as diagonal."""

    @property
    def diagonal(self) -> FloatArray:  # numpydoc ignore=RT01
        """The diagonal of the Hessian outside `coupled`; other entries are not read."""

    def product(self, v: FloatArray) -> FloatArray:  # numpydoc ignore=PR01,RT01
        """The Hessian over `coupled` times v."""

    def hessian(self) -> FloatArray:  # numpydoc ignore=RT01
        """The Hessian over `coupled`."""


P = TypeVar("P", bound=Point)


@dataclass(frozen=True, slots=True)
class Result(Generic[P]):
    """Where the iteration ended.

    Attributes
    ----------
    x : ndarray of shape (d,)
        The last point.
    point : Point
        The objective there.
    exit : Exit
        Why it ended.
    iterations : int
        Subproblems solved.
    values : ndarray
        The objective at the start and after every step taken; it never rises.
    """

    x: FloatArray
    point: P
    exit: Exit
    iterations: int
    values: FloatArray


def minimise(
    evaluate: Callable[[FloatArray], P],
    x: FloatArray,
    *,
    lower: FloatArray | float = -np.inf,
    upper: FloatArray | float = np.inf,
    radius: float = 1.0,
    largest: Callable[[FloatArray], float] | None = None,
    tol: float = 1e-6,
    max_iterations: int = 300,
) -> Result[P]:
    """Minimise within bounds from a point inside them.

    Parameters
    ----------
    evaluate : callable
        x -> the objective there.
    x : ndarray of shape (d,)
        The start; a variable that stands on a bound stays if its gradient drives it there.
    lower, upper : ndarray of shape (d,) or float
        Bounds.
    radius : float
        First radius, in scaled variables.
    largest : callable, optional
        x -> bound of the radius at x.
    tol : float
        The iteration ends when a step lowers the objective by less than tol (1 + |objective|).
    max_iterations : int
        Most subproblems.

    Returns
    -------
    Result
        The last point. A convergence is declared on a (nearly) exact subproblem only, so that it is second order.
    """
    lower, upper = np.broadcast_to(lower, x.shape), np.broadcast_to(upper, x.shape)
    point, exact_until = evaluate(x), LANCZOS_ITERATIONS
    values, local = [point.value], _LocalModel(point, x, lower, upper)
    for iteration in range(1, max_iterations + 1):
        if largest is not None:
            radius = min(radius, largest(x))
        truncated = iteration > exact_until and not local.formed
        s, predicted = local.step(radius, truncated)
        small = tol * (1.0 + abs(point.value))
        if -predicted <= 1e-3 * small:
            if not truncated:
                return Result(x, point, Exit.CONVERGED, iteration, np.array(values))
            exact_until = iteration + 1
            continue
        trial_x = np.clip(x + local.model.root * s, lower, upper)
        trial = evaluate(trial_x)
        decrease = point.value - trial.value
        ratio = (decrease - 0.5 * float(local.model.shift @ (s * s))) / -predicted
        length = float(np.linalg.norm(s))
        if not ratio > SHRINK:
            radius = 0.25 * min(radius, length)
        elif ratio >= GROW and length >= 0.9 * radius:
            radius *= 2.0
        if ratio > ACCEPT and decrease > 0.0:
            x, point = trial_x, trial
            values.append(point.value)
            local = _LocalModel(point, x, lower, upper)
            if decrease < small and ratio > SHRINK:
                if not truncated:
                    return Result(x, point, Exit.CONVERGED, iteration, np.array(values))
                exact_until = iteration + 1
        elif radius < TINY_RADIUS:
            return Result(x, point, Exit.RADIUS, iteration, np.array(values))
    return Result(x, point, Exit.ITERATION_LIMIT, max_iterations, np.array(values))


class _LocalModel:
    """The scaled model at one point, for any radius; a product is computed once, though a refused step comes again."""

    def __init__(self, point: Point, x: FloatArray, lower: FloatArray, upper: FloatArray) -> None:
        self.point, self._below, self._above = point, x - lower, upper - x
        self.formed = point.coupled.size <= EXPLICIT
        self.model = scaled_model(x, point.gradient, point.diagonal, point.coupled, lower, upper)
        self._products: dict[bytes, FloatArray] = {}

    def step(self, radius: float, truncated: bool) -> Step:
        """The scaled step inside the bounds, and the value of the model there."""
        model = self.model
        if self.formed:
            s = self._exact(radius)
            Ms, Mg = self._product(s), self._product(model.gradient)
        else:
            s, Ms, Mg = (minimise_cg if truncated else minimise_lanczos)(self._product, model.gradient, radius)
        return step_back(s, Ms, Mg, self._product, model.gradient, model.root, radius, self._below, self._above)

    def _product(self, p: FloatArray) -> FloatArray:
        key = p.tobytes()
        if key not in self._products:
            coupled = self.model.coupled
            v = self.model.root[coupled] * p[coupled]
            Hv = self.point.hessian() @ v if self.formed else self.point.product(v)
            self._products[key] = self.model.product(Hv, p)
        return self._products[key]

    def _exact(self, radius: float) -> FloatArray:
        """The minimiser in the ball, from the formed Hessian."""
        model, coupled = self.model, self.model.coupled
        block = model.root[coupled, None] * self.point.hessian() * model.root[coupled]
        block[np.diag_indices_from(block)] += model.shift[coupled]
        rest = np.ones(model.root.size, dtype=bool)
        rest[coupled] = False
        s = np.empty(model.root.size)
        s[coupled], s[rest] = minimise_block(
            block, model.diagonal[rest], model.gradient[coupled], model.gradient[rest], radius
        )
        return s
