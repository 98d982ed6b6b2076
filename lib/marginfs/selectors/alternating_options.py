"""What the three alternating methods of tayal2014 share: their options, and the way from these to a search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypedDict

from marginfs.criteria.fixed_machine import Margin
from marginfs.searches.alternating import Scheme, sweep
from marginfs.searches.first_machines import FirstMachines
from marginfs.selectors.embedded_input import checked
from marginfs.types import FloatArray, Selection


class AlternatingKeys(TypedDict, total=False):
    """Options of all three; a key left out takes the default of `Scheme`.

    Attributes
    ----------
    epsilon : float
        Half the width of the loss's quadratic part (0.5).
    zero_share : float
        A weight below this share of the largest one is zero (footnote 4).
    max_rounds : int
        Most feature subproblems.
    radius : float
        First radius of each trust region.
    max_iterations : int
        Most iterations of each trust region.
    """

    epsilon: float
    zero_share: float
    max_rounds: int
    radius: float
    max_iterations: int


class SettlingKeys(AlternatingKeys, total=False):
    """Options of the two that alternate until the weights settle.

    Attributes
    ----------
    tol : float
        Largest change of a weight at which the alternation ends.
    """

    tol: float


def alternating_sweep(
    X: FloatArray,
    y: FloatArray,
    C: Sequence[float],
    mu: float,
    margin: Margin,
    first: FirstMachines | None = None,
    *,
    epsilon: float = 0.5,
    **options: Any,
) -> Iterator[Selection]:
    """Alternate for every C in turn, the first machine of each C being trained from that of the nearest C before.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points, standardised.
    y : array_like of shape (n,)
        Labels of two classes.
    C : sequence of float
        Penalties of the losses.
    mu : float
        Penalty of the weights.
    margin : {"none", "geometric", "functional"}
        Which margin the two subproblems share: algorithm 1, 2 or 3.
    first : FirstMachines, optional
        The machines at weights of one, to be shared by the sweeps of several mu on the same data.
    epsilon : float
        Half the width of the loss's quadratic part.
    **options
        Those of `SettlingKeys`.

    Returns
    -------
    iterator of Selection
        Ranking by weight; selected, the weights that are not zero; model, the machine trained on these; trace:
        `objective` of problem 7 after every training, `subproblem` before and after each feature subproblem, `exit`,
        `iterations` of the trust region, `unfinished` subproblems. Weights always start at one, so that each answer is
        the one of a call with this C alone.
    """
    points, labels = checked(X, y, C=C, mu=mu, epsilon=epsilon)
    machines = first or FirstMachines(points, labels, epsilon=epsilon)
    scheme = Scheme(margin=margin, weaker_stop=margin == "functional", mu=mu, **options)
    return sweep(points, labels, C, machines, scheme)
