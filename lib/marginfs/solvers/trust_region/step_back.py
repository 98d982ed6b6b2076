"""From the minimiser of the model to a step that stays inside the bounds (Coleman and Li 1996, section 3).

A step that leaves the bounds is cut just before the first one it meets, or reflected there and followed on; both, and
the best step along the gradient, are compared by the model.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from marginfs.solvers.trust_region.truncated_cg import boundary_distance
from marginfs.types import FloatArray

SHARE = 0.95
"""Least share of the way to a bound that a step may go."""


class Step(NamedTuple):
    """A scaled step, and the value of the model there."""

    scaled: FloatArray
    model: float


def step_back(
    s: FloatArray,
    Ms: FloatArray,
    Mg: FloatArray,
    product: Callable[[FloatArray], FloatArray],
    gradient: FloatArray,
    root: FloatArray,
    radius: float,
    below: FloatArray,
    above: FloatArray,
) -> Step:
    """The best of the cut, the reflected and the gradient step, or `s` itself where it stays inside.

    Parameters
    ----------
    s : ndarray of shape (d,)
        Minimiser of the model in the ball, scaled.
    Ms, Mg : ndarray of shape (d,)
        Products of the model's matrix with it and with the gradient.
    product : callable
        s -> Ms.
    gradient : ndarray of shape (d,)
        Scaled gradient.
    root : ndarray of shape (d,)
        sqrt(v): a scaled step times this is a step.
    radius : float
        Radius of the ball.
    below, above : ndarray of shape (d,)
        Distances to the bounds.

    Returns
    -------
    Step
        A step strictly inside the bounds.
    """
    share = max(SHARE, 1.0 - float(np.linalg.norm(gradient)))
    reach, first = _reach(root * s, below, above)
    if reach > 1.0:
        return Step(s, float(gradient @ s + 0.5 * s @ Ms))
    cut = share * reach
    candidates = [Step(cut * s, float(cut * gradient @ s + 0.5 * cut * cut * s @ Ms))]
    mirrored = s.copy()
    mirrored[first] = -mirrored[first]
    hit = reach * s
    candidates.append(_along(hit, reach * Ms, mirrored, product(mirrored), gradient, root, radius, below, above, share))
    still = np.zeros(s.size)
    candidates.append(_along(still, still, -gradient, -Mg, gradient, root, radius, below, above, share))
    return min(candidates, key=lambda step: step.model)


def _along(
    base: FloatArray,
    base_product: FloatArray,
    p: FloatArray,
    Mp: FloatArray,
    gradient: FloatArray,
    root: FloatArray,
    radius: float,
    below: FloatArray,
    above: FloatArray,
    share: float,
) -> Step:
    """The best step base + t p inside the ball and the bounds; it leaves a bound that the base lies on."""
    start = root * base
    reach, _ = _reach(root * p, below + start, above - start)
    longest = min(share * reach, boundary_distance(base, p, radius))
    slope, bend = float(p @ (gradient + base_product)), float(p @ Mp)
    t = min(-slope / bend, longest) if bend > 0.0 else longest
    shortest = 0.0 if not base.any() else (1.0 - share) * longest
    t = max(t, shortest)
    value = float(gradient @ base + 0.5 * base @ base_product) + t * slope + 0.5 * t * t * bend
    return Step(base + t * p, value)


def _reach(step: FloatArray, below: FloatArray, above: FloatArray) -> tuple[float, int]:
    """How many times the step fits before a bound, and the variable that meets it."""
    room = np.where(step < 0.0, below, above)
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.where(step != 0.0, np.maximum(room, 0.0) / np.abs(step), np.inf)
    first = int(np.argmin(times))
    return float(times[first]), first
