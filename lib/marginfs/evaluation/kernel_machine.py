"""Methods that train a Gaussian machine with weighted features: its test error, and which features it uses."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from marginfs.criteria.feature_weights import gaussian
from marginfs.data.load import SplitData
from marginfs.evaluation.declared import produces
from marginfs.labels import signs
from marginfs.types import FloatArray, IntArray, Measure, Selection


@produces("test_error", "features", "objective", "true_features", "false_features")
def kernel_machine(selection: Selection, data: SplitData) -> list[Measure]:
    """Measure the method's own machine; there is no curve, so every step is 0.

    Parameters
    ----------
    selection : Selection
        Its model holds `weights`, `coefficients` (of the training points) and `bias`.
    data : SplitData
        The split that it was trained on.

    Returns
    -------
    list of Measure
        `test_error`, `features`, `objective`; where the relevant features are known also `true_features` and
        `false_features`. A test point on the decision surface counts as an error.
    """
    model = selection.model
    used, support = np.flatnonzero(model["weights"]), np.flatnonzero(model["coefficients"])
    factors = model["weights"][used]
    K = gaussian(data.X_test[:, used] * factors, data.X_train[np.ix_(support, used)] * factors)
    scores = K @ model["coefficients"][support] + model["bias"]
    numbers = {
        "test_error": error_rate(scores, data.y_train, data.y_test),
        "features": float(used.size),
        "objective": float(selection.trace["objective"][-1]),
        **true_and_false(used, data),
    }
    return [Measure(name, 0, value) for name, value in numbers.items()]


def true_and_false(used: IntArray, data: SplitData) -> dict[str, float]:
    """How many of a machine's features are relevant and how many are not, where that is known.

    Parameters
    ----------
    used : ndarray of int
        The features.
    data : SplitData
        The split.

    Returns
    -------
    dict
        `true_features` and `false_features`, or nothing.
    """
    if data.relevant is None:
        return {}
    found = int(np.count_nonzero(used < data.relevant))
    return {"true_features": float(found), "false_features": float(used.size - found)}


def error_rate(scores: FloatArray, y_train: npt.ArrayLike, y_test: npt.ArrayLike) -> float:
    """Share of test points on the wrong side of a machine, or on its decision surface.

    Parameters
    ----------
    scores : ndarray of shape (m,)
        Decision values of the test points, positive for the greater label.
    y_train, y_test : array_like
        Labels; those of the training points say which two there are.

    Returns
    -------
    float
        The share.
    """
    return float(np.mean(signs(y_test, like=y_train) * scores <= 0.0))
