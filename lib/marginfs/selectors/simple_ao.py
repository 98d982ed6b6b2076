"""Simple alternating feature selection, algorithm 1 of tayal2014: the machine and the weights in turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Unpack

import numpy as np

from marginfs.searches.first_machines import FirstMachines
from marginfs.selectors.alternating_options import SettlingKeys, alternating_sweep
from marginfs.selectors.guard import guarded
from marginfs.types import FloatArray, Selection


@guarded
def simple_ao(
    X: FloatArray, y: FloatArray, *, rng: np.random.Generator, C: float, mu: float, **keys: Unpack[SettlingKeys]
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
    **keys : SettlingKeys
        Further options.

    Returns
    -------
    Selection
        As of `alternating_sweep`.
    """
    return next(simple_ao_sweep(X, y, rng=rng, C=[C], mu=mu, **keys))


def simple_ao_sweep(
    X: FloatArray,
    y: FloatArray,
    *,
    rng: np.random.Generator,
    C: Sequence[float],
    mu: float,
    first: FirstMachines | None = None,
    **keys: Unpack[SettlingKeys],
) -> Iterator[Selection]:
    """The method for every C in turn.

    Parameters
    ----------
    X, y, rng : ndarray, array_like, numpy.random.Generator
        As of `simple_ao`.
    C : sequence of float
        Penalties of the losses.
    mu : float
        Penalty of the weights.
    first : FirstMachines, optional
        As of `alternating_sweep`.
    **keys
        As of `simple_ao`.

    Returns
    -------
    iterator of Selection
        As of `alternating_sweep`.
    """
    return alternating_sweep(X, y, C, mu, "none", first, **keys)
