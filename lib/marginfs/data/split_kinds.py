"""Kinds of split that a protocol can ask for: each gives the training and test rows of split number `split`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

import numpy as np

from marginfs.data import splits
from marginfs.data.dataset import Dataset
from marginfs.errors import DataError
from marginfs.types import IntArray

Rows = tuple[IntArray, IntArray]


class Streams(Protocol):
    """The generators of one split: for its training part, its test part, and what tuning draws."""

    @property
    def train(self) -> np.random.Generator:
        """Draws the training part."""

    @property
    def test(self) -> np.random.Generator:
        """Draws the test part."""

    @property
    def tuning(self) -> np.random.Generator:
        """Draws inner folds or the validation part."""


StreamsOf = Callable[[int], Streams]


def stratified(dataset: Dataset, split: int, streams_of: StreamsOf, *, train: float) -> Rows:
    """Draw a training part in which every class has its share.

    Parameters
    ----------
    dataset : Dataset
        The data.
    split : int
        Number of the split.
    streams_of : callable
        The random streams of any split.
    train : float
        Share of the rows, or their number.

    Returns
    -------
    (ndarray of int, ndarray of int)
        Training and test rows.
    """
    return splits.stratified_split(streams_of(split).train, dataset.y, train)


def realisation(dataset: Dataset, split: int, streams_of: StreamsOf, *, train: float) -> Rows:
    """Take the split that was published with the data, or draw one of the same size where there is none.

    Parameters
    ----------
    dataset : Dataset
        The data.
    split : int
        Number of the split.
    streams_of : callable
        The random streams of any split.
    train : float
        Number of training rows of a drawn split.

    Returns
    -------
    (ndarray of int, ndarray of int)
        Training and test rows.
    """
    fixed = (dataset.train, dataset.test) if dataset.train.size else None
    return splits.realisation(streams_of(split).train, dataset.y, split, fixed=fixed, train=train)


def nested(
    dataset: Dataset,
    split: int,
    streams_of: StreamsOf,
    *,
    train: float,
    subset: float,
    subsets: int = 7,
    stratified: bool = True,
) -> Rows:
    """Draw a training subset of a training part; several subsets share one test part.

    Parameters
    ----------
    dataset : Dataset
        The data.
    split : int
        Number of the split.
    streams_of : callable
        The random streams of any split.
    train, subset : float
        Share or number of rows, of the data and of the training part.
    subsets : int
        Training subsets of each training part.
    stratified : bool
        Whether every class gets its share.

    Returns
    -------
    (ndarray of int, ndarray of int)
        Training and test rows.
    """
    return splits.nested_split(
        dataset.y,
        split,
        lambda index: streams_of(index).train,
        train=train,
        subset=subset,
        subsets=subsets,
        stratified=stratified,
    )


def kfold(
    dataset: Dataset,
    split: int,
    streams_of: StreamsOf,
    *,
    k: int,
    stratified: bool = True,
    part: Literal["all", "train"] = "all",
    rows: int | None = None,
) -> Rows:
    """Take fold `split` mod k of the shuffle `split` div k.

    Parameters
    ----------
    dataset : Dataset
        The data.
    split : int
        Number of the split.
    streams_of : callable
        The random streams of any split.
    k : int
        Number of folds.
    stratified : bool
        Whether every class gets its share of each fold.
    part : {"all", "train"}
        Which rows are used: all, or the training part that comes with the data.
    rows : int or None
        How many of them each shuffle draws; None for all.

    Returns
    -------
    (ndarray of int, ndarray of int)
        Training and test rows.
    """
    rng = streams_of(split // k).train
    used = _part(dataset, part)
    if rows is not None and rows != used.size:
        used = used[splits.random_split(rng, dataset.y[used], rows)[0]]
    train, test = list(splits.kfold(rng, dataset.y[used], k, stratified=stratified))[split % k]
    return used[train], used[test]


def fixed(dataset: Dataset, split: int, streams_of: StreamsOf) -> Rows:
    """Take the one split that comes with the data.

    Parameters
    ----------
    dataset : Dataset
        The data.
    split : int
        Number of the split; all are the same.
    streams_of : callable
        Not used.

    Returns
    -------
    (ndarray of int, ndarray of int)
        Training and test rows.
    """
    return dataset.train[0], dataset.test[0]


def all_rows(dataset: Dataset, split: int, streams_of: StreamsOf) -> Rows:
    """Take every row for training, and none for a test.

    Parameters
    ----------
    dataset : Dataset
        The data.
    split : int
        Number of the split; all are the same.
    streams_of : callable
        Not used.

    Returns
    -------
    (ndarray of int, ndarray of int)
        Training and test rows.
    """
    rows = np.arange(len(dataset.y))
    return rows, rows[:0]


def _part(dataset: Dataset, part: Literal["all", "train"]) -> IntArray:
    if part == "all":
        return np.arange(len(dataset.y))
    if not dataset.train.size:
        raise DataError(f"split: the data set '{dataset.name}' comes without a training part; write part: all.")
    return np.sort(dataset.train[0])
