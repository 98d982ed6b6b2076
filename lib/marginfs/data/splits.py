"""Splits as each paper has them: functions of a generator and the labels that return index arrays (numpy only)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from marginfs.errors import DataError
from marginfs.types import IntArray

Labels = npt.NDArray[Any]


@dataclass(frozen=True)
class Split:
    """Row numbers of a training and a test part, both ascending, and what identifies the split."""

    train: IntArray
    test: IntArray
    id: str


def part_size(n: int, part: float) -> int:
    """Return the number of rows meant by `part`: a share of n if it lies between 0 and 1, else a number of rows."""
    size = round(part * n) if 0 < part < 1 else int(part)
    if not 0 < size < n or (part >= 1 and size != part):
        raise DataError(f"training part: found {part} for {n} rows; write a share below 1 or a whole number below {n}.")
    return size


def class_quota(counts: IntArray, size: int) -> IntArray:
    """Divide `size` over the classes in proportion to their counts, by largest remainder; sums to `size` exactly."""
    exact = counts * (size / counts.sum())
    quota: IntArray = np.floor(exact).astype(np.int64)
    remainder = exact - quota
    order = np.lexsort((np.arange(len(counts)), -counts, -np.round(remainder, 9)))
    quota[order[: size - int(quota.sum())]] += 1
    return quota


def stratified_sample(rng: np.random.Generator, y: Labels, size: int) -> IntArray:
    """Draw `size` rows without replacement, each class in its proportion; return them in ascending order."""
    classes, counts = np.unique(y, return_counts=True)
    quota = class_quota(counts.astype(np.int64), size)
    drawn = [rng.permutation(np.flatnonzero(y == c))[:q] for c, q in zip(classes, quota, strict=True)]
    return np.sort(np.concatenate(drawn))


def stratified_split(rng: np.random.Generator, y: Labels, train: float) -> tuple[IntArray, IntArray]:
    """Split into training and test rows with similar class proportions: B's 2/3, E's 50/12 and 60/36."""
    chosen = stratified_sample(rng, y, part_size(len(y), train))
    return chosen, np.setdiff1d(np.arange(len(y)), chosen)


def random_split(rng: np.random.Generator, y: Labels, train: float) -> tuple[IntArray, IntArray]:
    """Split into training and test rows without regard to the classes."""
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
) -> tuple[IntArray, IntArray]:
    """A's trial `index`: training subset index mod `subsets` of training/test split index div `subsets`.

    `train` is a share of all rows or a number, `subset` a share of the training part or a number; the test part is
    shared by all subsets of its split. The paper gives 3 splits of 7 subsets (footnote 7) but neither size.
    stream: an independent generator per number; negative numbers draw the splits, the others the subsets.
    """
    divide = stratified_split if stratified else random_split
    train_rows, test_rows = divide(stream(-1 - index // subsets), y, train)
    inside, _ = divide(stream(index), y[train_rows], subset)
    return train_rows[inside], test_rows


def kfold(rng: np.random.Generator, y: Labels, k: int, *, stratified: bool = True) -> Iterator[Split]:
    """Yield the k splits of a shuffled k-fold cross-validation (D; B's tuning), with folds of nearly equal size.

    Stratified: rows are dealt to the folds class by class, so that each class differs by one at most between folds.
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
        yield Split(train=np.flatnonzero(fold != f), test=np.flatnonzero(fold == f), id=str(f))


def realisation(
    rng: np.random.Generator, y: Labels, index: int, *, train: float, fixed: tuple[IntArray, IntArray] | None = None
) -> Split:
    """Return E's realisation `index` (from 0): the published one where `fixed` holds it, else one drawn at random.

    fixed: the arrays `train` and `test` of the prepared data set, one realisation a row. A drawn realisation has the
    same sizes; its id says `drawn`.
    """
    if fixed is not None and index < len(fixed[0]):
        return Split(train=np.sort(fixed[0][index]), test=np.sort(fixed[1][index]), id=f"published.{index}")
    train_rows, test_rows = random_split(rng, y, train)
    return Split(train=train_rows, test=test_rows, id=f"drawn.{index}")
