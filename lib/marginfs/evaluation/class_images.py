"""Features that are pixels: the images themselves, and the pixels that a method kept (tayal2014, figures 3, 4)."""

from __future__ import annotations

import numpy as np

from marginfs.data.load import SplitData
from marginfs.evaluation.declared import produces
from marginfs.labels import signs
from marginfs.types import FloatArray, Measure, Selection


@produces("kept", "first_mean", "second_mean", "first_example", "second_example")
def class_images(selection: Selection, data: SplitData) -> list[Measure]:
    """Give images pixel by pixel, the step being the pixel's number from 1.

    Parameters
    ----------
    selection : Selection
        Which features the method kept; all, where it only ranks.
    data : SplitData
        The split that it was made on.

    Returns
    -------
    list of Measure
        `kept` (1 or 0), the mean image of either class over the training points, and the first image of either.
    """
    y = signs(data.y_train)
    kept = np.zeros(data.X_train.shape[1])
    kept[selection.ranking[: selection.selected]] = 1.0
    images: dict[str, FloatArray] = {"kept": kept}
    for name, sign in (("first", -1.0), ("second", 1.0)):
        of_class = data.X_train[y == sign]
        images |= {f"{name}_mean": of_class.mean(axis=0), f"{name}_example": of_class[0]}
    return [
        Measure(name, pixel, float(value)) for name, image in images.items() for pixel, value in enumerate(image, 1)
    ]
