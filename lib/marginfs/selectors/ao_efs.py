"""AO-EFS, alternating feature selection with the explicit functional margin, algorithm 3 of tayal2014."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Unpack

import numpy as np

from marginfs.searches.first_machines import FirstMachines
from marginfs.selectors.alternating_options import AlternatingKeys, alternating_sweep
from marginfs.selectors.guard import guarded
from marginfs.types import FloatArray, Selection


@guarded
def ao_efs(
    X: FloatArray, y: FloatArray, *, rng: np.random.Generator, C: float, mu: float, **keys: Unpack[AlternatingKeys]
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
    **keys : AlternatingKeys
        Further options; max_rounds is 10 by default.

    Returns
    -------
    Selection
        As of `alternating_sweep`.
    """
    return next(ao_efs_sweep(X, y, rng=rng, C=[C], mu=mu, **keys))


def ao_efs_sweep(
    X: FloatArray,
    y: FloatArray,
    *,
    rng: np.random.Generator,
    C: Sequence[float],
    mu: float,
    first: FirstMachines | None = None,
    **keys: Unpack[AlternatingKeys],
) -> Iterator[Selection]:
    """The method for every C in turn.

    Parameters
    ----------
    X, y, rng : ndarray, array_like, numpy.random.Generator
        As of `ao_efs`.
    C : sequence of float
        Penalties of the losses.
    mu : float
        Penalty of the weights.
    first : FirstMachines, optional
        As of `alternating_sweep`.
    **keys
        As of `ao_efs`.

    Returns
    -------
    iterator of Selection
        As of `alternating_sweep`.
    """
    keys.setdefault("max_rounds", 10)
    return alternating_sweep(X, y, C, mu, "functional", first, **keys)
