"""GMKL with a weight per feature and a 1-norm penalty (Varma and Babu 2009; tayal2014, section 2.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from marginfs.criteria.hinge_machine import HingeMachine, Variable
from marginfs.criteria.zero_weights import penalty_of_zero
from marginfs.errors import ConfigError
from marginfs.searches.projected_descent import descend
from marginfs.searches.weights_found import as_selection, nonzero
from marginfs.selectors.embedded_input import checked
from marginfs.selectors.guard import guarded
from marginfs.types import FloatArray, Selection


@guarded
def gmkl(
    X: FloatArray,
    y: FloatArray,
    *,
    rng: np.random.Generator,
    C: float,
    mu: float,
    variable: Variable = "z",
    zero_share: float = 0.01,
    max_iterations: int = 40,
    max_evaluations: int = 200,
) -> Selection:
    """Minimise F(z) + mu sum z over z >= 0 by projected gradient steps from z = 1 (equations 5 and 6).

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
    variable : {"z", "d"}
        Whether the kernel squares the weights (equation 13) or not (the reference code).
    zero_share : float
        A weight below this share of the largest one is zero (footnote 4).
    max_iterations, max_evaluations : int
        Most steps and most machines, 40 and 200 in the reference code.

    Returns
    -------
    Selection
        As of `gmkl_sweep`.
    """
    return next(
        gmkl_sweep(
            X,
            y,
            rng=rng,
            C=[C],
            mu=mu,
            variable=variable,
            zero_share=zero_share,
            max_iterations=max_iterations,
            max_evaluations=max_evaluations,
        )
    )


def gmkl_sweep(
    X: FloatArray,
    y: FloatArray,
    *,
    rng: np.random.Generator,
    C: Sequence[float],
    mu: float,
    variable: Variable = "z",
    zero_share: float = 0.01,
    max_iterations: int = 40,
    max_evaluations: int = 200,
) -> Iterator[Selection]:
    """The method for every C in turn.

    Where no point that a search went to has a multiplier at C, the box never mattered, and a larger C makes the same
    search: its answer is given again without one.

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
    variable : {"z", "d"}
        Whether the kernel squares the weights (equation 13) or not (the reference code).
    zero_share : float
        A weight below this share of the largest one is zero (footnote 4).
    max_iterations, max_evaluations : int
        Most steps and most machines, 40 and 200 in the reference code.

    Yields
    ------
    Selection
        Ranking by weight; selected, the weights that are not zero; model, the machine trained on these; trace:
        `objective` after every step and, last, of the model, `exit`, `iterations`, `evaluations`.
    """
    if variable not in ("z", "d"):
        raise ConfigError(f"variable is {variable!r}: write z (squared in the kernel) or d (not squared).")
    points, labels = checked(X, y, C=C, mu=mu)
    free_from, free_answer = np.inf, None
    for penalty in C:
        if free_answer is not None and penalty >= free_from:
            yield free_answer
            continue
        problem = HingeMachine(points, labels, C=penalty, mu=mu, variable=variable)
        start = np.ones(points.shape[1])
        if mu >= penalty_of_zero(points, labels, C=penalty, squared=variable == "z"):
            start[:] = 0.0
        result = descend(problem.evaluate, start, max_iterations=max_iterations, max_evaluations=max_evaluations)
        kept = nonzero(result.w, zero_share)
        point = result.point if np.array_equal(kept, result.w) else problem.evaluate(kept)
        trace = {
            "objective": np.append(result.values, point.value),
            "exit": np.array(result.end.value if start.any() else "proven_zero"),
            "iterations": np.array(result.values.size - 1),
            "evaluations": np.array(result.evaluations),
        }
        model, weights = point.machine, problem.factors(kept)
        selection = as_selection(result.w, weights, model.alpha * labels, model.bias, trace)
        if not (problem.bounded or point.bounded):
            free_from, free_answer = penalty, selection
        yield selection
