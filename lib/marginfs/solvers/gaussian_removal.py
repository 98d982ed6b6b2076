"""A Gaussian kernel matrix without a feature x: entry ij is multiplied by exp(gamma (x_i - x_j)^2)."""

from __future__ import annotations

import numpy as np
from numba import njit

from marginfs.types import FloatArray, IntArray

_FAST = {"reassoc", "contract", "nsz"}


@njit(cache=True, fastmath=_FAST)
def scale_by_removal(K: FloatArray, x: FloatArray, gamma: float) -> bool:
    """Multiply K_ij by exp(gamma (x_i - x_j)^2), unless that exceeds exp(4).

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix, changed in place.
    x : ndarray of shape (n,)
        The feature that leaves.
    gamma : float
        1 / (2 sigma^2).

    Returns
    -------
    bool
        Whether it was done.
    """
    if _reach(x, gamma) > 4.0:
        return False
    growth = np.exp(2.0)
    scaled = np.sqrt(gamma / 2.0) * x
    for i in range(x.size):
        for j in range(x.size):
            difference = scaled[i] - scaled[j]
            K[i, j] *= growth * exp_minus_two(difference * difference)
    return True


@njit(cache=True)
def _reach(x: FloatArray, gamma: float) -> float:
    """Largest gamma (x_i - x_j)^2."""
    return float(gamma * (x.max() - x.min()) ** 2)


@njit(cache=True, fastmath=_FAST)
def quadratics_without(
    G: FloatArray, K: FloatArray, X: FloatArray, used: IntArray, a: FloatArray, gamma: float
) -> FloatArray:
    """a'K^(k)a for every feature k, where K^(k) is the kernel matrix without it.

    Where gamma d_k^2 is at most 1/2 or 4, which is the rule, the exponential is plain arithmetic that the compiler
    vectorises; elsewhere the whole exponent is formed first, so that nothing overflows.

    Parameters
    ----------
    G, K : ndarray of shape (n, n)
        Inner products and kernel matrix.
    X : ndarray of shape (d, n)
        The features, one row each.
    used : ndarray of int
        The points where a is not zero.
    a : ndarray
        The entries of a at these points.
    gamma : float
        1 / (2 sigma^2).

    Returns
    -------
    ndarray of shape (d,)
        The quadratic forms.
    """
    d, n = X.shape[0], used.size
    columns, reach = np.empty((d, n)), np.empty(d)
    for k in range(d):
        for i in range(n):
            columns[k, i] = np.sqrt(gamma / 2.0) * X[k, used[i]]
        reach[k] = _reach(columns[k], 2.0)
    total, weights = np.full(d, np.sum(a * a)), np.empty(n)
    for i in range(n):
        s = used[i]
        for j in range(i):
            weights[j] = 2.0 * a[i] * a[j] * K[s, used[j]]
        for k in range(d):
            x, part = columns[k], 0.0
            if reach[k] <= 0.5:
                for j in range(i):
                    difference = x[i] - x[j]
                    part += weights[j] * _exp_minus_quarter(difference * difference)
                part *= np.exp(0.25)
            elif reach[k] <= 4.0:
                for j in range(i):
                    difference = x[i] - x[j]
                    part += weights[j] * exp_minus_two(difference * difference)
                part *= np.exp(2.0)
            else:
                for j in range(i):
                    t = used[j]
                    exponent = gamma * (G[s, s] + G[t, t] - 2.0 * G[s, t]) - 2.0 * (x[i] - x[j]) ** 2
                    part += 2.0 * a[i] * a[j] * np.exp(-max(exponent, 0.0))
            total[k] += part
    return total


@njit(cache=True, fastmath=_FAST, inline="always")
def _exp_minus_quarter(half: float) -> float:
    """exp(t - 1/4) for 0 <= t <= 1/2, from t/2, to 4e-12: the Chebyshev expansion of degree 6 of its root, squared."""
    u = half - 0.125
    high = 0.04166665909535867 + u * (0.00833876019457072 + u * 0.0013896641277405363)
    low = 0.5000000000236613 + u * (0.16666662426537018 + u * high)
    root = 0.9999999999999885 + u * (1.0000000000828189 + u * low)
    return root * root


@njit(cache=True, fastmath=_FAST, inline="always")
def exp_minus_two(half: float) -> float:
    """exp(t - 2) for 0 <= t <= 4, to rounding: the Taylor polynomial at a 16th of it, squared four times.

    Parameters
    ----------
    half : float
        t / 2.

    Returns
    -------
    float
        The exponential.
    """
    u = half * (1 / 8) - 1 / 8
    v = u * u
    even = 1.0 + v * (1 / 2 + v * (1 / 24 + v * (1 / 720 + v * (1 / 40320))))
    odd = 1.0 + v * (1 / 6 + v * (1 / 120 + v * (1 / 5040 + v * (1 / 362880))))
    power = even + u * odd
    power *= power
    power *= power
    power *= power
    return power * power
