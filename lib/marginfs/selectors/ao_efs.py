"""AO-EFS, alternating feature selection with the explicit functional margin, algorithm 3 of tayal2014."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from marginfs.inputs import guarded
from marginfs.searches.alternating import Scheme, sweep
from marginfs.searches.first_machines import FirstMachines
from marginfs.selectors.embedded_input import checked
from marginfs.types import FloatArray, Selection


@guarded
def ao_efs(
    X: FloatArray,
    y: FloatArray,
    *,
    rng: np.random.Generator,
    C: float,
    mu: float,
    epsilon: float = 0.5,
    zero_share: float = 0.01,
    max_rounds: int = 10,
    radius: float = 1.0,
    max_iterations: int = 300,
) -> Selection:
    """Train the machine and maximise its functional margin over the weights (equation 12) in turn.

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
    max_rounds : int
        Most feature subproblems.
    radius : float
        First radius of each trust region.
    max_iterations : int
        Most iterations of each trust region.

    Returns
    -------
    Selection
        As of `ao_efs_sweep`.
    """
    return next(
        ao_efs_sweep(
            X,
            y,
            rng=rng,
            C=[C],
            mu=mu,
            epsilon=epsilon,
            zero_share=zero_share,
            max_rounds=max_rounds,
            radius=radius,
            max_iterations=max_iterations,
        )
    )


def ao_efs_sweep(
    X: FloatArray,
    y: FloatArray,
    *,
    rng: np.random.Generator,
    C: Sequence[float],
    mu: float,
    epsilon: float = 0.5,
    zero_share: float = 0.01,
    max_rounds: int = 10,
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
            margin="functional",
            weaker_stop=True,
            mu=mu,
            zero_share=zero_share,
            max_rounds=max_rounds,
            radius=radius,
            max_iterations=max_iterations,
        ),
    )
