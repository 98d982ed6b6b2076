"""Splits: parts are disjoint and whole, class shares are kept, sizes are those of the papers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from marginfs.data.splits import (
    class_quota,
    kfold,
    nested_split,
    part_size,
    random_split,
    realisation,
    stratified_split,
)
from marginfs.errors import DataError

labels = st.lists(st.sampled_from([-1, 1, 2]), min_size=6, max_size=80).map(np.array)


@settings(max_examples=60, deadline=None)
@given(y=labels, share=st.floats(0.2, 0.8), seed=st.integers(0, 2**32))
def test_stratified_split_is_a_partition_with_the_classes_in_proportion(y: np.ndarray, share: float, seed: int) -> None:
    train, test = stratified_split(np.random.default_rng(seed), y, share)
    assert_array_equal(np.sort(np.concatenate([train, test])), np.arange(len(y)))
    assert len(train) == round(share * len(y))
    for label in np.unique(y):
        exact = np.sum(y == label) * len(train) / len(y)
        assert abs(np.sum(y[train] == label) - exact) < 1


@settings(max_examples=60, deadline=None)
@given(y=labels, k=st.integers(2, 6), stratified=st.booleans(), seed=st.integers(0, 2**32))
def test_kfold_tests_every_row_once(y: np.ndarray, k: int, stratified: bool, seed: int) -> None:
    folds = list(kfold(np.random.default_rng(seed), y, k, stratified=stratified))
    assert_array_equal(np.sort(np.concatenate([test for _, test in folds])), np.arange(len(y)))
    for fold in folds:
        assert_array_equal(np.sort(np.concatenate(fold)), np.arange(len(y)))
    sizes = [len(test) for _, test in folds]
    assert max(sizes) - min(sizes) <= 1
    if stratified:
        for label in np.unique(y):
            counts = [np.sum(y[test] == label) for _, test in folds]
            assert max(counts) - min(counts) <= 1


@settings(max_examples=60, deadline=None)
@given(counts=st.lists(st.integers(1, 50), min_size=1, max_size=6).map(np.array), data=st.data())
def test_quota_sums_to_the_size_and_never_exceeds_a_class(counts: np.ndarray, data: st.DataObject) -> None:
    size = data.draw(st.integers(0, int(counts.sum())))
    quota = class_quota(counts, size)
    assert quota.sum() == size
    assert np.all(quota <= counts)
    assert np.all(np.abs(quota - counts * size / counts.sum()) < 1)


@pytest.mark.parametrize(
    ("counts", "train", "expected"),
    [((40, 22), 50, (32, 18)), ((62, 34), 60, (39, 21)), ((111, 97), 2 / 3, (74, 65))],
)
def test_sizes_of_papers_b_and_e(counts: tuple[int, int], train: float, expected: tuple[int, int]) -> None:
    y = np.repeat([1, -1], counts)
    rows, rest = stratified_split(np.random.default_rng(0), y, train)
    assert (np.sum(y[rows] == 1), np.sum(y[rows] == -1)) == expected
    assert len(rows) + len(rest) == len(y)


def test_nested_splits_of_aksu2008() -> None:
    y = np.repeat([1, -1], (100, 94))

    def stream(number: int) -> np.random.Generator:
        return np.random.default_rng([abs(number), number < 0])

    trials = [nested_split(y, index, stream, train=0.5, subset=50) for index in range(21)]
    for i in range(3):
        block = trials[7 * i : 7 * i + 7]
        for train, test in block:
            assert_array_equal(test, block[0][1])
            assert len(train) == 50
            assert not np.intersect1d(train, test).size
        assert len({tuple(train) for train, _ in block}) == 7
    assert len({tuple(test) for _, test in trials}) == 3


def test_splits_depend_on_the_generator_alone() -> None:
    y = np.repeat([1, -1], 20)
    np.random.seed(1)  # noqa: NPY002
    first = random_split(np.random.default_rng(7), y, 0.5)
    np.random.seed(2)  # noqa: NPY002
    second = random_split(np.random.default_rng(7), y, 0.5)
    assert_array_equal(first[0], second[0])
    assert not np.array_equal(first[0], random_split(np.random.default_rng(8), y, 0.5)[0])


def test_realisation_takes_the_published_ones_first_and_draws_the_rest() -> None:
    y = np.repeat([1, -1], 5)
    fixed = (np.array([[9, 0, 3, 4, 5, 6]]), np.array([[8, 7, 2, 1]]))
    train, test = realisation(np.random.default_rng(0), y, 0, train=6, fixed=fixed)
    assert_array_equal(train, [0, 3, 4, 5, 6, 9])
    assert_array_equal(test, [1, 2, 7, 8])
    for drawn in (
        realisation(np.random.default_rng(0), y, 1, train=6, fixed=fixed),
        realisation(np.random.default_rng(0), y, 0, train=6),
    ):
        assert_array_equal(drawn[0], random_split(np.random.default_rng(0), y, 6)[0])
        assert (len(drawn[0]), len(drawn[1])) == (6, 4)


@pytest.mark.parametrize("part", [0, 1.5, 10, 11, -1])
def test_impossible_parts_are_refused(part: float) -> None:
    with pytest.raises(DataError, match="training part"):
        part_size(10, part)


@pytest.mark.parametrize("k", [1, 11])
def test_impossible_k_is_refused(k: int) -> None:
    with pytest.raises(DataError, match="k-fold"):
        list(kfold(np.random.default_rng(0), np.repeat([1, -1], 5), k))
