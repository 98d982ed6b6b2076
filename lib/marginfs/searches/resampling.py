"""Elimination on samples of the points: one drawn beforehand, or one at every iteration (planas2021, algorithm 3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

import numpy as np

from marginfs.errors import ConfigError, DataError
from marginfs.types import FloatArray, IntArray

When = Literal["never", "beforehand", "internal"]


class RankingMachine(Protocol):
    """A trained machine that says what features are worth, and can go on without some."""

    def relevance(self) -> FloatArray:
        """What every feature is worth."""

    def accuracy(self) -> float:
        """Share of training points that get their own class."""

    def remove(self, positions: IntArray) -> None:
        """Go on without some features.

        Parameters
        ----------
        positions : ndarray of int
            Their positions.
        """


@dataclass(frozen=True, slots=True)
class Sampling:
    """How points are sampled.

    Attributes
    ----------
    when : {"never", "beforehand", "internal"}
        One sample before the elimination, or one at every iteration.
    share : float
        Share of the points, rounded down.
    stratified : bool
        Whether all classes have the same number of points in the sample, which is what section 5.3.1 calls stratified.
    standardised : bool
        Whether features are brought to mean 0 and deviation 1: in every sample or, where nothing is sampled, once. All
        points, once `dstop` is reached, stay as they are, as planas2021 left them.
    dstop : int
        At so many features or fewer, internal sampling ends and all points are used.
    """

    when: When = "never"
    share: float = 1.0
    stratified: bool = False
    standardised: bool = False
    dstop: int = 0

    def __post_init__(self) -> None:
        if self.when not in get_args(When):
            raise ConfigError(f"sampling is {self.when!r}: write one of {', '.join(get_args(When))}.")
        if not 0 < self.share <= 1:
            raise ConfigError(f"share is {self.share}: write a share of the points above 0 and up to 1.")

    def draw(self, rng: np.random.Generator, codes: IntArray) -> IntArray:
        """Rows of a sample, without replacement.

        Parameters
        ----------
        rng : numpy.random.Generator
            Source of the draw.
        codes : ndarray of int
            Class of every point.

        Returns
        -------
        ndarray of int
            The rows, in random order.
        """
        counts = np.bincount(codes)
        size = int(self.share * codes.size)
        if self.stratified:
            each = min(size // counts.size, int(counts.min()))
            parts = [rng.choice(np.flatnonzero(codes == c), each, replace=False) for c in range(counts.size)]
            rows = rng.permutation(np.concatenate(parts))
        else:
            rows = rng.choice(codes.size, size, replace=False)
        if np.bincount(codes[rows], minlength=counts.size).min() == 0:
            raise DataError(
                f"share is {self.share}: a sample of {rows.size} of {codes.size} points has none of one of the "
                f"{counts.size} classes; write a larger share, or stratified: true."
            )
        return rows

    def take(self, X: FloatArray, rows: IntArray) -> FloatArray:
        """Points of a sample.

        Parameters
        ----------
        X : ndarray of shape (n, f)
            All points.
        rows : ndarray of int
            Rows of the sample.

        Returns
        -------
        ndarray
            Their values, standardised where that is asked for.
        """
        sample = X[rows]
        if not self.standardised:
            return sample
        deviation = sample.std(axis=0)
        return np.asarray((sample - sample.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0))


class Resampled:
    """The features that remain, and a machine on all points or, while they are many, on a new sample each time.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    codes : ndarray of int
        Class of every point, 0, 1, 2, ...
    train : callable
        Machine from points and classes.
    sampling : Sampling
        How points are sampled.
    rng : numpy.random.Generator
        Source of the samples.

    Attributes
    ----------
    features : ndarray of int
        Indices of the features that remain, ascending.
    machine : RankingMachine
        The machine on them.
    sample : ndarray of int or None
        Rows drawn beforehand.
    """

    def __init__(
        self,
        X: FloatArray,
        codes: IntArray,
        train: Callable[[FloatArray, IntArray], RankingMachine],
        sampling: Sampling,
        rng: np.random.Generator,
    ) -> None:
        self.sample: IntArray | None = None
        if sampling.when == "beforehand":
            self.sample = sampling.draw(rng, codes)
            X, codes = sampling.take(X, self.sample), codes[self.sample]
        elif sampling.when == "never":
            X = sampling.take(X, np.arange(codes.size))
        self._X, self._codes, self._train = X, codes, train
        self._sampling, self._rng = sampling, rng
        self.features: IntArray = np.arange(X.shape[1])
        self.machine: RankingMachine = self._fresh()

    def remove(self, positions: IntArray) -> None:
        """Drop the features at these positions and train again.

        Parameters
        ----------
        positions : ndarray of int
            Positions among the present features.
        """
        sampled = self._is_sampled()
        self.features = np.delete(self.features, positions)
        if sampled:
            self.machine = self._fresh()
        else:
            self.machine.remove(positions)

    def _is_sampled(self) -> bool:
        return self._sampling.when == "internal" and self.features.size > self._sampling.dstop

    def _fresh(self) -> RankingMachine:
        X = self._X[:, self.features]
        if not self._is_sampled():
            return self._train(X, self._codes)
        rows = self._sampling.draw(self._rng, self._codes)
        return self._train(self._sampling.take(X, rows), self._codes[rows])
