"""Alternating optimisation of machine and feature weights: algorithms 1, 2 and 3 of tayal2014."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

import numpy as np

from marginfs.criteria.fixed_machine import FixedMachine, FixedMachinePoint, Margin
from marginfs.criteria.zero_weights import penalty_of_zero
from marginfs.searches.first_machines import FirstMachines
from marginfs.searches.weights_found import (
    ZERO_SHARE,
    alive,
    nonzero,
    retrained,
    retrained_selection,
    zero_selection,
)
from marginfs.solvers.smoothed_svm import SmoothedSolution
from marginfs.solvers.trust_region import Exit, Result, minimise, minimise_piecewise
from marginfs.types import FloatArray, Selection

SMOOTH_ITERATIONS = 40
"""Iterations of the trust region that follows negative curvature: they choose between minima."""
RADIUS_SHARE = 0.2
"""The radius stays below this share of sqrt(sum z): a longer step could take all weights to zero at once."""


class Stop(Enum):
    """Why the alternation ended."""

    SETTLED = "settled"
    """No weight changed by more than the tolerance."""
    SUPPORT_UNCHANGED = "support_unchanged"
    """The same weights are zero as before (algorithm 3)."""
    COLLAPSED = "collapsed"
    """All weights went to zero."""
    ROUND_LIMIT = "round_limit"


@dataclass(frozen=True, slots=True)
class Alternation:
    """Where the alternation ended.

    Attributes
    ----------
    z : ndarray of shape (d,)
        Weights.
    machine : SmoothedSolution
        The machine at these weights.
    stop : Stop
        Why it ended.
    objective : ndarray
        Problem 7's objective after every training of the machine, the first at the start.
    subproblem : ndarray of shape (rounds, 2)
        The feature subproblem's own objective before and after.
    iterations : int
        Trust region iterations.
    unfinished : int
        Feature subproblems that ended at their iteration limit.
    """

    z: FloatArray
    machine: SmoothedSolution
    stop: Stop
    objective: FloatArray
    subproblem: FloatArray
    iterations: int
    unfinished: int


@dataclass(frozen=True, slots=True)
class Scheme:
    """Which algorithm, and its options.

    Attributes
    ----------
    margin : {"none", "geometric", "functional"}
        Which margin the two subproblems share: algorithm 1, 2 or 3.
    weaker_stop : bool
        Stop when the support is unchanged (algorithm 3). While all features are in, the weights must also have settled
        to `zero_share` of the largest, or the first round would always be the last.
    mu : float
        Penalty of the weights.
    zero_share : float
        A weight below this share of the largest one counts as zero.
    tol : float
        Without the weaker stop, the largest change of a weight at which the alternation ends.
    max_rounds : int
        Most feature subproblems.
    radius : float
        First radius of each trust region.
    max_iterations : int
        Most iterations of each trust region.
    """

    margin: Margin
    weaker_stop: bool
    mu: float
    zero_share: float = ZERO_SHARE
    tol: float = 1e-3
    max_rounds: int = 30
    radius: float = 1.0
    max_iterations: int = 300


def sweep(
    X: FloatArray, y: FloatArray, penalties: Iterable[float], first: FirstMachines, scheme: Scheme
) -> Iterator[Selection]:
    """Alternate from weights of one, for every penalty of the losses in turn.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : ndarray of shape (n,)
        Labels -1.0 and +1.0.
    penalties : iterable of float
        Values of C.
    first : FirstMachines
        The machines at weights of one.
    scheme : Scheme
        The algorithm.

    Yields
    ------
    Selection
        Weights as a ranking, and the machine trained on those that are not zero.
    """
    for C in penalties:
        if scheme.margin != "functional" and scheme.mu >= penalty_of_zero(X, y, C=C, epsilon=first.epsilon):
            yield zero_selection(X, y, C=C, epsilon=first.epsilon)
            continue
        found = alternate(X, y, first.at(C), scheme, C=C, epsilon=first.epsilon)
        trace = {
            "objective": found.objective,
            "subproblem": found.subproblem,
            "exit": np.array(found.stop.value),
            "iterations": np.array(found.iterations),
            "unfinished": np.array(found.unfinished),
        }
        yield retrained_selection(
            X, y, found.z, found.machine, trace, C=C, epsilon=first.epsilon, mu=scheme.mu, zero_share=scheme.zero_share
        )


def alternate(
    X: FloatArray, y: FloatArray, machine: SmoothedSolution, scheme: Scheme, *, C: float, epsilon: float
) -> Alternation:
    """Alternate from weights of one until they settle.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : ndarray of shape (n,)
        Labels -1.0 and +1.0.
    machine : SmoothedSolution
        The machine at weights of one.
    scheme : Scheme
        The algorithm.
    C : float
        Penalty of the losses.
    epsilon : float
        Half the width of the loss's quadratic part.

    Returns
    -------
    Alternation
        Weights and machine.
    """
    z, mu = np.ones(X.shape[1]), scheme.mu
    objective, subproblem = [machine.objective + mu * z.sum()], []
    iterations = unfinished = 0
    stop = Stop.ROUND_LIMIT
    for _ in range(scheme.max_rounds):
        problem = FixedMachine(
            X, y, machine.coefficients, machine.bias, C=C, mu=mu, epsilon=epsilon, margin=scheme.margin
        )
        result = _best_weights(problem, z, scheme)
        iterations += result.iterations
        unfinished += result.exit is Exit.ITERATION_LIMIT
        subproblem.append((result.values[0], result.values[-1]))
        previous, z = z, alive(result.x)
        machine = retrained(X, y, z, C=C, epsilon=epsilon, start=machine)
        objective.append(machine.objective + mu * z.sum())
        ended = _stops(z, previous, scheme)
        if ended is not None:
            stop = ended
            break
    return Alternation(z, machine, stop, np.array(objective), np.array(subproblem), iterations, unfinished)


def _best_weights(problem: FixedMachine, z: FloatArray, scheme: Scheme) -> Result[FixedMachinePoint]:
    """Solve a feature subproblem: the trust region of the paper's section 3.1, then one that copes with kinks."""
    result = minimise(
        problem.evaluate,
        z,
        lower=0.0,
        radius=scheme.radius,
        largest=_largest_radius,
        max_iterations=min(SMOOTH_ITERATIONS, scheme.max_iterations),
    )
    if result.exit is not Exit.ITERATION_LIMIT:
        return result
    return minimise_piecewise(problem.evaluate, result, largest=_largest_radius, max_iterations=scheme.max_iterations)


def _stops(z: FloatArray, previous: FloatArray, scheme: Scheme) -> Stop | None:
    """The scheme's stopping rule."""
    if not z.any():
        return Stop.COLLAPSED
    change = float(np.abs(z - previous).max())
    if not scheme.weaker_stop:
        return Stop.SETTLED if change < scheme.tol else None
    support = nonzero(z, scheme.zero_share) > 0.0
    same = np.array_equal(support, nonzero(previous, scheme.zero_share) > 0.0)
    settled = not support.all() or change < scheme.zero_share * z.max()
    return Stop.SUPPORT_UNCHANGED if same and settled else None


def _largest_radius(z: FloatArray) -> float:
    return float(RADIUS_SHARE * np.sqrt(z.sum()))
