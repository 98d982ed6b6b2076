"""Two dimensions in which RFE does not leave the largest margin (after Aksu et al. 2008, section 2.2).

The support vectors +-(1, 2) give w = (1, 2)/5 and b = 0. A third sample, the positive (10, 0.1), lies far behind the
margin because of its first feature. RFE removes that feature, whose weight is the smaller, and leaves the margin 0.1;
removing the second one leaves the margin 1.

>>> from marginfs.searches.linear_margin import by_margin, by_weight
>>> by_weight(*rfe_counterexample()).removed, by_weight(*rfe_counterexample()).margin.round(3)
(array([0]), array([2.236, 0.1  ]))
>>> by_margin(*rfe_counterexample()).removed, by_margin(*rfe_counterexample()).margin.round(3)
(array([1]), array([2.236, 1.   ]))
"""

from __future__ import annotations

import numpy as np

from marginfs.types import FloatArray


def rfe_counterexample() -> tuple[FloatArray, FloatArray, FloatArray, float]:
    """Samples, labels, and the hyperplane (w, b) of their hard-margin SVM."""
    X = np.array([[1.0, 2.0], [10.0, 0.1], [-1.0, -2.0]])
    y = np.array([1.0, 1.0, -1.0])
    return X, y, np.array([0.2, 0.4]), 0.0
