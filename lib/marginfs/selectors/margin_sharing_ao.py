"""Alternating feature selection that shares the margin, algorithm 2 of tayal2014."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Unpack

import numpy as np

from marginfs.searches.first_machines import FirstMachines
from marginfs.selectors.alternating_options import SettlingKeys, alternating_sweep
from marginfs.selectors.guard import guarded
from marginfs.types import FloatArray, Selection


@guarded
def margin_sharing_ao(
    X: FloatArray, y: FloatArray, *, rng: np.random.Generator, C: float, mu: float, **keys: Unpack[SettlingKeys]
) -> Selection:
    """Minimise problem 10 over the machine and over (z, lambda) in turn, which leaves saddle points of algorithm 1.

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
    return next(margin_sharing_ao_sweep(X, y, rng=rng, C=[C], mu=mu, **keys))


def margin_sharing_ao_sweep(
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
        As of `margin_sharing_ao`.
    C : sequence of float
        Penalties of the losses.
    mu : float
        Penalty of the weights.
    first : FirstMachines, optional
        As of `alternating_sweep`.
    **keys
        As of `margin_sharing_ao`.

    Returns
    -------
    iterator of Selection
        As of `alternating_sweep`.
    """
    return alternating_sweep(X, y, C, mu, "geometric", first, **keys)
