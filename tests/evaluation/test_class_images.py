"""Images of classes and of the pixels kept."""

from __future__ import annotations

import numpy as np

from marginfs.data.load import SplitData
from marginfs.evaluation.class_images import class_images
from marginfs.types import Selection


def test_images_pixel_by_pixel():
    X = np.array([[1.0, 2.0, 3.0], [5.0, 6.0, 7.0], [3.0, 4.0, 9.0]])
    data = SplitData(X, np.array([1, -1, 1]), X, np.array([1, -1, 1]))
    measures = class_images(Selection(ranking=np.array([2, 0, 1]), selected=2), data)
    assert sorted({measure.metric for measure in measures}) == sorted(class_images.metrics)
    images = {
        name: [m.value for m in sorted(measures, key=lambda m: m.step) if m.metric == name]
        for name in class_images.metrics
    }
    assert images == {
        "kept": [1.0, 0.0, 1.0],
        "first_mean": [5.0, 6.0, 7.0],
        "first_example": [5.0, 6.0, 7.0],
        "second_mean": [2.0, 3.0, 6.0],
        "second_example": [1.0, 2.0, 3.0],
    }
    assert [m.step for m in measures if m.metric == "kept"] == [1, 2, 3]


def test_a_ranking_keeps_all():
    X = np.eye(2)
    measures = class_images(Selection(ranking=np.array([1, 0])), SplitData(X, np.array([1, -1]), X, np.array([1, -1])))
    assert [m.value for m in measures if m.metric == "kept"] == [1.0, 1.0]
