"""The little optimisation: the SVM problem solved for the slope and intercept alone (Aksu et al. 2008, section 3.1).

With the direction w fixed, minimise A^2 subject to y_n (A w.x_n + w_0) >= 1 for all n. The feasible region is two
cones in the (A, w_0) plane. With s_n = w.x_n their tips are at

    A > 0:  A = 2 / (min_{y=+1} s - max_{y=-1} s),   w_0 = 1 - A min_{y=+1} s
    A < 0:  A = 2 / (max_{y=+1} s - min_{y=-1} s),   w_0 = 1 - A max_{y=+1} s

and at most one of the two cones is not empty. In terms of h_n = y_n s_n, with a, c the smallest and largest h of the
positive samples and b, d those of the negative ones, the margin 1/(|A| ||w||) is N/||w|| with N = (a + b)/2 in the
first cone and N = -(c + d)/2 in the mirrored one.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from marginfs.types import FloatArray


@njit(cache=True)
def extremes(h: FloatArray, n_pos: int) -> tuple[float, float, float, float]:
    """Smallest h of the positive and of the negative samples, then the largest of either.

    Parameters
    ----------
    h : ndarray of float
        h_n, the positive samples first.
    n_pos : int
        How many these are.

    Returns
    -------
    tuple of four float
        a, b, c and d.
    """
    low_pos, low_neg, high_pos, high_neg = np.inf, np.inf, -np.inf, -np.inf
    for n in range(n_pos):
        low_pos = min(low_pos, h[n])
        high_pos = max(high_pos, h[n])
    for n in range(n_pos, h.size):
        low_neg = min(low_neg, h[n])
        high_neg = max(high_neg, h[n])
    return low_pos, low_neg, high_pos, high_neg


@njit(cache=True)
def little_numerator(low_pos: float, low_neg: float, high_pos: float, high_neg: float) -> float:
    """N of the best cone; not positive where both cones are empty.

    Parameters
    ----------
    low_pos, low_neg, high_pos, high_neg : float
        a, b, c and d, as `extremes` gives them.

    Returns
    -------
    float
        N; that of the first cone where both are empty.
    """
    if high_pos + high_neg < 0.0:
        return -0.5 * (high_pos + high_neg)
    return 0.5 * (low_pos + low_neg)


@njit(cache=True)
def little_plane(low_pos: float, low_neg: float, high_pos: float, high_neg: float) -> tuple[float, float]:
    """Sign of A, and w_0/|A|, of the best cone: the classifier is sign(sign * w.x + shift).

    Parameters
    ----------
    low_pos, low_neg, high_pos, high_neg : float
        a, b, c and d, as `extremes` gives them.

    Returns
    -------
    tuple of float and float
        The sign and w_0/|A|.
    """
    if high_pos + high_neg < 0.0:
        return -1.0, 0.5 * (high_pos - high_neg)
    return 1.0, 0.5 * (low_neg - low_pos)
