"""Simple alternating feature selection, algorithm 1 of tayal2014: the machine and the weights in turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from marginfs.inputs import guarded
from marginfs.searches.alternating import Scheme, sweep
from marginfs.searches.first_machines import FirstMachines
from marginfs.selectors.embedded_input import checked
from marginfs.types import FloatArray, Selection


@guarded
def simple_ao(
    X: FloatArray,
    y: FloatArray,
    *,
    rng: np.random.Generator,
    C: float,
    mu: float,
    epsilon: float = 0.5,
    zero_share: float = 0.01,
    tol: float = 1e-3,
    max_rounds: int = 30,
    radius: float = 1.0,
    max_iterations: int = 300,
) -> Selection:
    """Minimise problem 7 over the machine and the weights in turn, which may end at a saddle point.

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
    tol : float
        Largest change of a weight at which the alternation ends.
    max_rounds : int
        Most feature subproblems.
    radius : float
        First radius of each trust region.
    max_iterations : int
        Most iterations of each trust region.

    Returns
    -------
    Selection
        As of `simple_ao_sweep`.
    """
    return next(
        simple_ao_sweep(
            X,
            y,
            rng=rng,
            C=[C],
            mu=mu,
            epsilon=epsilon,
            zero_share=zero_share,
            tol=tol,
            max_rounds=max_rounds,
            radius=radius,
            max_iterations=max_iterations,
        )
    )


def simple_ao_sweep(
    X: FloatArray,
    y: FloatArray,
    *,
    rng: np.random.Generator,
    C: Sequence[float],
    mu: float,
    epsilon: float = 0.5,
    zero_share: float = 0.01,
    tol: float = 1e-3,
    max_rounds: int = 30,
    radius: float = 1.0,
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
    tol : float
        Largest change of a weight at which the alternation ends.
    max_rounds : int
        Most feature subproblems.
    radius : float
        First radius of each trust region.
    max_iterations : int
        Most iterations of each trust region.
    first : FirstMachines, optional
        The machines at weights of one, to be shared by the sweeps of several mu on the same data.

    Yields
    ------
    Selection
        Ranking by weight; selected, the weights that are not zero; model, the machine trained on these; trace:
        `objective` of problem 7 after every training, `subproblem` before and after each feature subproblem, `exit`,
        `iterations` of the trust region, `unfinished` subproblems. Weights always start at one, so that each answer is
        the one of a call with this C alone.
    """
    points, labels = checked(X, y, C=C, mu=mu, epsilon=epsilon)
    yield from sweep(
        points,
        labels,
        C,
        first or FirstMachines(points, labels, epsilon=epsilon),
        Scheme(
            margin="none",
            weaker_stop=False,
            mu=mu,
            zero_share=zero_share,
            tol=tol,
            max_rounds=max_rounds,
            radius=radius,
            max_iterations=max_iterations,
        ),
    )
