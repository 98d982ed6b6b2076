"""What a feature is worth to linear machines one against one: squared weights, joined (algorithm 6 of planas2021)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Literal, Protocol, get_args

import numpy as np

from marginfs.errors import ConfigError, DataError
from marginfs.types import FloatArray, IntArray

Join = Literal["sum", "maximum", "mean_over_deviation", "deviation_over_mean"]


class LinearMachine(Protocol):
    """A trained linear machine that can go on without some features."""

    @property
    def weights(self) -> FloatArray:
        """Weight vector w."""

    @property
    def bias(self) -> float:
        """Offset b."""

    def remove(self, positions: IntArray) -> None:
        """Go on without some features.

        Parameters
        ----------
        positions : ndarray of int
            Their positions.
        """


def join_weights(squares: FloatArray, join: Join, power: float = 1.0, normalised: bool = False) -> FloatArray:
    """One number per feature from its squared weights in several machines.

    Parameters
    ----------
    squares : ndarray of shape (m, f)
        Squared weights, one row per machine.
    join : {"sum", "maximum", "mean_over_deviation", "deviation_over_mean"}
        Sum of the powers; the largest; or the coefficient of variation, as section 4.1.5 (mu / sigma) or section 5.5.3
        (sigma / mu) defines it.
    power : float
        For "sum": the degree k of sum_j (w_j^2)^k.
    normalised : bool
        Whether every machine's squared weights are first divided by their Euclidean length.

    Returns
    -------
    ndarray of shape (f,)
        The joint criterion; zero where a coefficient of variation divides by zero.
    """
    if join not in get_args(Join):
        raise ConfigError(f"join is {join!r}: write one of {', '.join(get_args(Join))}.")
    if normalised:
        lengths = np.linalg.norm(squares, axis=1, keepdims=True)
        squares = squares / np.where(lengths > 0, lengths, 1.0)
    if join == "sum":
        return np.asarray((squares**power).sum(axis=0))
    if join == "maximum":
        return np.asarray(squares.max(axis=0))
    mean, deviation = squares.mean(axis=0), squares.std(axis=0)
    top, bottom = (mean, deviation) if join == "mean_over_deviation" else (deviation, mean)
    return np.asarray(np.divide(top, bottom, out=np.zeros_like(top), where=bottom > 0))


class PairwiseMachines:
    """Linear machines for all pairs of classes, kept trained as features leave.

    Parameters
    ----------
    X : ndarray of shape (n, f)
        Training points.
    codes : ndarray of int
        Class of every point, 0, 1, 2, ...
    train : callable
        Machine from points and labels -1.0 (the class of smaller code) and +1.0.
    join : str
        See `join_weights`; so are `power` and `normalised`.
    power : float
        Degree of the sum.
    normalised : bool
        Whether each machine's weights are scaled alike.
    """

    def __init__(
        self,
        X: FloatArray,
        codes: IntArray,
        train: Callable[[FloatArray, FloatArray], LinearMachine],
        *,
        join: Join = "sum",
        power: float = 1.0,
        normalised: bool = False,
    ) -> None:
        self._X, self._codes, self._classes = X, codes, int(codes.max()) + 1
        if self._classes == 2 and join in ("mean_over_deviation", "deviation_over_mean"):
            raise DataError(f"join is {join!r}, but two classes make one machine: write sum, or give three classes.")
        if not power > 0:
            raise ConfigError(f"power is {power}: write a positive degree, such as 1.")
        self._join, self._power, self._normalised = join, power, normalised
        self._pairs = list(combinations(range(self._classes), 2))
        self._machines = []
        for low, high in self._pairs:
            rows = np.flatnonzero((codes == low) | (codes == high))
            self._machines.append(train(X[rows], np.where(codes[rows] == high, 1.0, -1.0)))
        self._weights = self._present_weights()

    def remove(self, positions: IntArray) -> None:
        """Go on without the features at these positions.

        Parameters
        ----------
        positions : ndarray of int
            Positions among the present features.
        """
        self._X = np.delete(self._X, positions, axis=1)
        for machine in self._machines:
            machine.remove(positions)
        self._weights = self._present_weights()

    def relevance(self) -> FloatArray:
        """What every feature is worth.

        Returns
        -------
        ndarray of shape (f,)
            The joint criterion.
        """
        return join_weights(self._weights**2, self._join, self._power, self._normalised)

    def accuracy(self) -> float:
        """Share of training points that get their own class by vote, ties going to the smaller code.

        Returns
        -------
        float
            The accuracy, between 0 and 1.
        """
        votes = np.zeros((self._classes, self._codes.size), dtype=np.int64)
        scores = self._weights @ self._X.T
        for (low, high), machine, score in zip(self._pairs, self._machines, scores, strict=True):
            above = score + machine.bias > 0.0
            votes[high] += above
            votes[low] += ~above
        return float(np.mean(votes.argmax(axis=0) == self._codes))

    def _present_weights(self) -> FloatArray:
        """Weight vectors of all machines, one row each."""
        return np.array([machine.weights for machine in self._machines])
