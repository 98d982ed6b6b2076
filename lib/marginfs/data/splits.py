"""Splits as each paper has them: functions of a generator and the labels that return row numbers (numpy only).

Every split is a pair of training and test rows, both ascending.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from marginfs.errors import DataError
from marginfs.types import IntArray

Labels = npt.NDArray[Any]
Split = tuple[IntArray, IntArray]


def part_size(n: int, part: float) -> int:
    """Find the size of a part.

    Parameters
    ----------
    n : int
        Number of rows.
    part : float
        A share of the rows if it lies between 0 and 1, else a number of rows.

    Returns
    -------
    int
        The number of rows meant.
    """
    size = round(part * n) if 0 < part < 1 else int(part)
    if not 0 < size < n or (part >= 1 and size != part):
        raise DataError(f"training part: found {part} for {n} rows; write a share below 1 or a whole number below {n}.")
    return size


def class_quota(counts: IntArray, size: int) -> IntArray:
    """Divide a sample over the classes in proportion to their counts, by largest remainder.

    Parameters
    ----------
    counts : ndarray of int
        Rows of each class.
    size : int
        Size of the sample.

    Returns
    -------
    ndarray of int
        Rows to take of each class; sums to `size` exactly.
    """
    exact = counts * (size / counts.sum())
    quota: IntArray = np.floor(exact).astype(np.int64)
    remainder = exact - quota
    order = np.lexsort((np.arange(len(counts)), -counts, -np.round(remainder, 9)))
    quota[order[: size - int(quota.sum())]] += 1
    return quota


def stratified_split(rng: np.random.Generator, y: Labels, train: float) -> Split:
    """Split with similar class proportions (2/3 in tayal2014; 50 to 12 and 60 to 36 in rakotomamonjy2003).

    Parameters
    ----------
    rng : numpy.random.Generator
        Where all randomness comes from.
    y : ndarray of shape (n,)
        The labels.
    train : float
        Size of the training part, as a share or a number of rows.

    Returns
    -------
    pair of ndarray
        Training and test rows.
    """
    classes, counts = np.unique(y, return_counts=True)
    quota = class_quota(counts.astype(np.int64), part_size(len(y), train))
    drawn = [rng.permutation(np.flatnonzero(y == c))[:q] for c, q in zip(classes, quota, strict=True)]
    chosen = np.sort(np.concatenate(drawn))
    return chosen, np.setdiff1d(np.arange(len(y)), chosen)


def random_split(rng: np.random.Generator, y: Labels, train: float) -> Split:
    """Split without regard to the classes.

    Parameters
    ----------
    rng : numpy.random.Generator
        Where all randomness comes from.
    y : ndarray of shape (n,)
        The labels.
    train : float
        Size of the training part, as a share or a number of rows.

    Returns
    -------
    pair of ndarray
        Training and test rows.
    """
    order = rng.permutation(len(y))
    size = part_size(len(y), train)
    return np.sort(order[:size]), np.sort(order[size:])


def nested_split(
    y: Labels,
    index: int,
    stream: Callable[[int], np.random.Generator],
    *,
    train: float,
    subset: float,
    subsets: int = 7,
    stratified: bool = True,
) -> Split:
    """Make a trial of aksu2008: training subset index mod `subsets` of training/test split index div `subsets`.

    The test part is shared by all subsets of its split. The paper gives 3 splits of 7 subsets (footnote 7) but neither
    size.

    Parameters
    ----------
    y : ndarray of shape (n,)
        The labels.
    index : int
        Number of the trial.
    stream : callable
        An independent generator per number; negative numbers draw the splits, the others the subsets.
    train : float
        Size of the training part, as a share or a number of rows.
    subset : float
        Size of a subset, as a share of the training part or a number of rows.
    subsets : int
        Subsets of each split.
    stratified : bool
        Whether classes keep their proportions.

    Returns
    -------
    pair of ndarray
        Training and test rows.
    """
    divide = stratified_split if stratified else random_split
    train_rows, test_rows = divide(stream(-1 - index // subsets), y, train)
    inside, _ = divide(stream(index), y[train_rows], subset)
    return train_rows[inside], test_rows


def kfold(rng: np.random.Generator, y: Labels, k: int, *, stratified: bool = True) -> Iterator[Split]:
    """Make a shuffled k-fold cross-validation (planas2021; the tuning of tayal2014), with folds of nearly equal size.

    Parameters
    ----------
    rng : numpy.random.Generator
        Where all randomness comes from.
    y : ndarray of shape (n,)
        The labels.
    k : int
        Number of folds.
    stratified : bool
        Deal rows to the folds class by class, so that each class differs by one at most between folds.

    Yields
    ------
    pair of ndarray
        Training and test rows, the test part being one fold after the other.
    """
    n = len(y)
    if not 2 <= k <= n:
        raise DataError(f"k-fold: found k={k} for {n} rows; write a number from 2 to {n}.")
    order = rng.permutation(n)
    if stratified:
        order = order[np.argsort(y[order], kind="stable")]
    fold = np.empty(n, dtype=np.int64)
    fold[order] = np.arange(n) % k
    for f in range(k):
        yield np.flatnonzero(fold != f), np.flatnonzero(fold == f)


def realisation(rng: np.random.Generator, y: Labels, index: int, *, train: float, fixed: Split | None = None) -> Split:
    """Take a realisation of rakotomamonjy2003: the published one where there is one, else one drawn at random.

    Parameters
    ----------
    rng : numpy.random.Generator
        Where all randomness comes from.
    y : ndarray of shape (n,)
        The labels.
    index : int
        Number of the realisation, from 0.
    train : float
        Size of the training part of a drawn realisation.
    fixed : pair of ndarray, optional
        The arrays `train` and `test` of the prepared data set, one realisation a row.

    Returns
    -------
    pair of ndarray
        Training and test rows.
    """
    if fixed is not None and index < len(fixed[0]):
        return np.sort(fixed[0][index]), np.sort(fixed[1][index])
    return random_split(rng, y, train)
