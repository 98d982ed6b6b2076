"""FULL-FS: machine and feature weights optimised together by a trust region (tayal2014, section 3).

The machine is eliminated: at every z it is the optimum, which leaves the minimisers of the paper's problem 7 as they
are, and d variables instead of n + d + 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from marginfs.criteria.solved_machine import SolvedMachine
from marginfs.criteria.zero_weights import penalty_of_zero
from marginfs.searches.first_machines import FirstMachines
from marginfs.searches.weights_found import alive, retrained_selection, zero_selection
from marginfs.selectors.embedded_input import checked
from marginfs.selectors.guard import guarded
from marginfs.solvers.trust_region import minimise
from marginfs.types import FloatArray, Selection


@guarded
def full_fs(
    X: FloatArray,
    y: FloatArray,
    *,
    rng: np.random.Generator,
    C: float,
    mu: float,
    epsilon: float = 0.5,
    zero_share: float = 0.01,
    radius: float = 1.0,
    tol: float = 1e-6,
    max_iterations: int = 300,
) -> Selection:
    """Minimise 1/2 b'Kb + C sum_i V(y_i f_i) + mu sum z over b, the bias and z >= 0, from z = 1.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points, standardised.
    y : array_like of shape (n,)
        Labels of two classes.
    rng : numpy.random.Generator
        Not drawn from.
    C, mu : float
        Penalties of the losses and of the weights.
    epsilon : float
        Half the width of the loss's quadratic part.
    zero_share : float
        A weight below this share of the largest one is zero (footnote 4).
    radius : float
        First radius of the trust region.
    tol : float
        The search ends when a step lowers the objective by less than tol (1 + |objective|).
    max_iterations : int
        Most iterations.

    Returns
    -------
    Selection
        As of `full_fs_sweep`.
    """
    return next(
        full_fs_sweep(
            X,
            y,
            rng=rng,
            C=[C],
            mu=mu,
            epsilon=epsilon,
            zero_share=zero_share,
            radius=radius,
            tol=tol,
            max_iterations=max_iterations,
        )
    )


def full_fs_sweep(
    X: FloatArray,
    y: FloatArray,
    *,
    rng: np.random.Generator,
    C: Sequence[float],
    mu: float,
    epsilon: float = 0.5,
    zero_share: float = 0.01,
    radius: float = 1.0,
    tol: float = 1e-6,
    max_iterations: int = 300,
    first: FirstMachines | None = None,
) -> Iterator[Selection]:
    """The method for every C in turn, the first machine of each C being trained from that of the nearest C before.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points, standardised.
    y : array_like of shape (n,)
        Labels of two classes.
    rng : numpy.random.Generator
        Not drawn from.
    C : sequence of float
        Penalties of the losses.
    mu : float
        Penalty of the weights.
    epsilon : float
        Half the width of the loss's quadratic part.
    zero_share : float
        A weight below this share of the largest one is zero (footnote 4).
    radius : float
        First radius of the trust region.
    tol : float
        The search ends when a step lowers the objective by less than tol (1 + |objective|).
    max_iterations : int
        Most iterations.
    first : FirstMachines, optional
        The machines at weights of one, to be shared by the sweeps of several mu on the same data.

    Yields
    ------
    Selection
        Ranking by weight; selected, the weights that are not zero; model, the machine trained on these; trace:
        `objective` after every step and, last, of the model, `exit`, `iterations`. Weights always start at one, so that
        each answer is the one of a call with this C alone.
    """
    points, labels = checked(X, y, C=C, mu=mu, epsilon=epsilon)
    machines = first or FirstMachines(points, labels, epsilon=epsilon)
    for penalty in C:
        if mu >= penalty_of_zero(points, labels, C=penalty, epsilon=epsilon):
            yield zero_selection(points, labels, C=penalty, epsilon=epsilon)
            continue
        problem = SolvedMachine(points, labels, C=penalty, mu=mu, epsilon=epsilon, machine=machines.at(penalty))
        start = np.ones(points.shape[1])
        result = minimise(problem.evaluate, start, lower=0.0, radius=radius, tol=tol, max_iterations=max_iterations)
        z = alive(result.x)
        trace = {
            "objective": result.values,
            "exit": np.array(result.exit.value if z.any() else "collapsed"),
            "iterations": np.array(result.iterations),
        }
        yield retrained_selection(
            points, labels, z, result.point.machine, trace, C=penalty, epsilon=epsilon, mu=mu, zero_share=zero_share
        )
