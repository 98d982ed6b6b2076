"""When all feature weights are zero at the optimum, proven without a search.

At z = 0 every point of a class has the same coefficient, and the coefficients of either class sum to T in size. They
are feasible in the dual at every other z, so that F(z) >= F(0) - the sum over pairs of opposite classes of
|b_i b_j| (1 - K_ij). With 1 - exp(-t^2) <= 0.6382 t and t = ||z (x_i - x_j)|| <= sum_k z_k |x_ik - x_jk|
no z can gain what it costs if

    mu >= 0.6382 T^2 max_k mean |x_ik - x_jk|     over the pairs of opposite classes.

For weights d that the kernel does not square, 1 - exp(-t) <= t gives T^2 max_k mean (x_ik - x_jk)^2 instead.
"""

from __future__ import annotations

import numpy as np

from marginfs.types import FloatArray

STEEPEST = 0.638173
"""The largest slope (1 - exp(-t^2)) / t of a line from the origin to the curve, rounded up."""


def penalty_of_zero(X: FloatArray, y: FloatArray, *, C: float, epsilon: float = 0.0, squared: bool = True) -> float:
    """The least penalty from which z = 0 is proven to be a global minimiser of F(z) + mu sum z.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : ndarray of shape (n,)
        Labels -1.0 and +1.0.
    C : float
        Penalty of the losses.
    epsilon : float
        Half the width of the smoothed hinge's quadratic part; 0 is the exact hinge.
    squared : bool
        Whether the kernel squares the weights.

    Returns
    -------
    float
        The penalty; a smaller one may or may not leave a weight. The cost is a sort of every column.
    """
    few, many = sorted((int((y > 0.0).sum()), int((y < 0.0).sum())))
    total = C * few * (min(1.0, many / (y.size * epsilon)) if epsilon > 0.0 else 1.0)
    if squared:
        return float(STEEPEST * total**2 * mean_difference(X, y).max())
    first, second = X[y > 0.0], X[y < 0.0]
    squares = first.var(axis=0) + second.var(axis=0) + (first.mean(axis=0) - second.mean(axis=0)) ** 2
    return float(total**2 * squares.max())


def mean_difference(X: FloatArray, y: FloatArray) -> FloatArray:
    """Mean |x_ik - x_jk| over the pairs of opposite classes, for every feature k.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Points.
    y : ndarray of shape (n,)
        Labels -1.0 and +1.0.

    Returns
    -------
    ndarray of shape (d,)
        The means. Between two neighbours in a sorted column, the gap counts once for every pair that it separates.
    """
    order = np.argsort(X, axis=0)
    positive = y[order] > 0.0
    before, total = np.cumsum(positive, axis=0)[:-1], int((y > 0.0).sum())
    seen = np.arange(1, y.size)[:, None]
    others, other_total = seen - before, y.size - total
    pairs = before * (other_total - others) + others * (total - before)
    gaps = np.diff(np.take_along_axis(X, order, axis=0), axis=0)
    return np.asarray((pairs * gaps).sum(axis=0) / (total * other_total))
