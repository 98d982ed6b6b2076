"""Labels of every kind as classes and as signs."""

from __future__ import annotations

import numpy as np
import pytest

from marginfs.errors import DataError
from marginfs.labels import encode, signs


@pytest.mark.parametrize("labels", [(0, 1), (-1.0, 1.0), (False, True), ("a", "b"), (2, 10)])
def test_the_greater_of_two_labels_is_positive(labels):
    low, high = labels
    np.testing.assert_array_equal(signs([high, low, low, high]), [1.0, -1.0, -1.0, 1.0])


def test_classes_are_numbered_in_sorted_order():
    classes, codes = encode(["b", "c", "a", "b"])
    assert classes.tolist() == ["a", "b", "c"]
    assert codes.tolist() == [1, 2, 0, 1]


def test_labels_of_one_class_take_their_sign_from_others():
    np.testing.assert_array_equal(signs([0, 0], like=[1, 0]), [-1.0, -1.0])
    np.testing.assert_array_equal(signs([], like=[1, 0]), [])
    with pytest.raises(DataError, match="hold 2, and the training points only 0, 1"):
        signs([0, 2], like=[1, 0])


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ([1, 1, 1], "single class"),
        ([[0, 1]], "one label for each point"),
        (range(7), r"7 classes \(0, 1, 2, 3, 4, ...\), and this method is for two"),
    ],
)
def test_what_cannot_be_signs_is_refused(labels, words):
    with pytest.raises(DataError, match=words):
        signs(labels)
