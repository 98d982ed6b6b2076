"""Sets of positions as bits, 64 to a word."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit
from numba.cpython.unsafe.numbers import trailing_zeros

from marginfs.types import IntArray

Bits = npt.NDArray[np.uint64]
WORD = 64


@njit(cache=True)
def bit(j: int) -> np.uint64:
    """The bit of a position, within its word.

    Parameters
    ----------
    j : int
        The position.

    Returns
    -------
    uint64
        The word with only that bit set.
    """
    return np.uint64(1) << np.uint64(j % WORD)


@njit(cache=True)
def copy_bits(source: Bits, target: Bits) -> None:
    """Make one set equal to another.

    Parameters
    ----------
    source : ndarray of uint64
        The set to copy.
    target : ndarray of uint64
        Where to.
    """
    for word in range(source.size):
        target[word] = source[word]


@njit(cache=True)
def positions(found: Bits, listed: IntArray) -> int:
    """Write down the positions in a set, in ascending order.

    Parameters
    ----------
    found : ndarray of uint64
        The set.
    listed : ndarray of int
        Where to write them.

    Returns
    -------
    int
        How many there are.
    """
    count = 0
    for word in range(found.size):
        left = found[word]
        while left != 0:
            listed[count] = word * WORD + trailing_zeros(left)  # type: ignore[call-arg]
            count += 1
            left &= left - np.uint64(1)
    return count
