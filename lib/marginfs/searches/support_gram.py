"""Kernel values between support vectors and samples, as features leave.

With support vectors s_k the matrix follows by recursion, without a new one for any candidate:

    Gaussian exp(-beta ||u - v||^2):   K_kn <- K_kn exp(beta (s_km - x_nm)^2)          (equation 3 of Aksu et al. 2008)
    polynomial (1 + u.v)^d:            1 + u.v <- 1 + u.v - s_km x_nm, then the power

With u = s_km and v = x_nm a removal acts on the matrix through powers of u v alone:

    exp(beta (u - v)^2) = exp(beta u^2) exp(beta v^2) sum_r (-2 beta)^r / r! u^r v^r
    (B - u v)^d = sum_r binomial(d, r) (-1)^r B^(d - r) u^r v^r

so the responses for *all* candidates are a short sum of matrix products, one per power; the exponential series takes
about ten. Features too wide for a short series are worked out pair by pair.
"""

from __future__ import annotations

from math import comb, factorial
from typing import Literal

import numpy as np
from numba import njit

from marginfs.kernels import Kernel
from marginfs.solvers.gram import DowndatedKernel
from marginfs.types import FloatArray, IntArray

CurvedKernel = Literal["gaussian", "polynomial"]

NARROW = 1.0
"""A feature with 2 beta |u v| up to this takes the series, which there loses nothing to cancellation."""

_T3, _T4, _T5, _T6, _T7, _T8, _T9 = (1.0 / factorial(k) for k in range(3, 10))


def kernel_of(name: CurvedKernel, parameter: float) -> Kernel:
    """The kernel in the terms of Aksu et al.: exp(-beta ||u - v||^2) or (1 + u.v)^d.

    Parameters
    ----------
    name : {"gaussian", "polynomial"}
        The family.
    parameter : float
        beta, or the degree d.

    Returns
    -------
    Kernel
        The same in the terms of this package.
    """
    if name == "gaussian":
        return Kernel("gaussian", sigma=float(np.sqrt(0.5 / parameter)))
    return Kernel("polynomial", degree=int(parameter), offset=1.0)


class SupportGram(DowndatedKernel):
    """Kernel values between support vectors (rows) and all samples, over the features that remain, in ascending order.

    The matrix is computed afresh whenever half of the features is gone, which also brings back kernel values that had
    underflowed.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Samples.
    support : ndarray of int
        The support vectors among them.
    name : {"gaussian", "polynomial"}
        The kernel.
    parameter : float
        beta of the Gaussian kernel, or the degree of the polynomial one.
    """

    def __init__(self, X: FloatArray, support: IntArray, name: CurvedKernel, parameter: float) -> None:
        self.support, self.parameter = support, parameter
        self._gaussian, self._degree = name == "gaussian", 1 if name == "gaussian" else int(parameter)
        super().__init__(X, ordered=True)

    def _compute(self) -> None:
        """The kernel matrix (Gaussian) or 1 + u.v (polynomial)."""
        kernel = kernel_of("gaussian", self.parameter) if self._gaussian else kernel_of("polynomial", 1.0)
        V = self.columns.T
        self._base = kernel.matrix(V[self.support], V)
        self._computed_at = self.features.size

    def _downdate(self, gone: FloatArray) -> bool:
        if 2 * self.features.size <= self._computed_at:
            return False
        for x in gone:
            if self._gaussian:
                self._base *= np.exp(self.parameter * np.square(x[self.support][:, None] - x))
            else:
                self._base -= x[self.support][:, None] * x
        return True

    @property
    def values(self) -> FloatArray:
        """The kernel values, one row per support vector."""
        return self._base if self._gaussian else np.asarray(self._base**self._degree)

    @property
    def largest(self) -> float:
        """The largest absolute kernel value."""
        return float(np.abs(self._base).max() ** self._degree)

    def responses_without(self, a: FloatArray) -> FloatArray:
        """sum_k a_k K(s_k, x_n) without each feature.

        Parameters
        ----------
        a : ndarray
            One coefficient per support vector.

        Returns
        -------
        ndarray of shape (features, n)
            One row per feature that remains, the feature left out.
        """
        V = self.columns
        U = V[:, self.support]
        if not self._gaussian:
            degree = self._degree
            coefficients = [(-1.0) ** r * comb(degree, r) for r in range(degree + 1)]
            powers = [self._base ** (degree - r) for r in range(degree + 1)]
            return _power_sum(V, U, np.broadcast_to(a, U.shape), coefficients, powers)
        beta = self.parameter
        width = 2.0 * beta * np.abs(U).max(axis=1) * np.abs(V).max(axis=1)
        narrow = width <= NARROW
        h = np.zeros_like(V)
        if narrow.any():
            series = _exponential_series(float(width[narrow].max()))
            coefficients = [c * (-2.0 * beta) ** r for r, c in enumerate(series)]
            v, u = V[narrow], U[narrow]
            weights = a * np.exp(beta * u**2)
            h[narrow] = np.exp(beta * v**2) * _power_sum(v, u, weights, coefficients, [self._base] * len(series))
        buffer = np.empty(V.shape[1])
        for j in np.flatnonzero(~narrow):
            _gaussian_response(V[j], self.support, self._base, a, beta, h[j], buffer)
        return h


def _power_sum(
    V: FloatArray, U: FloatArray, weights: FloatArray, coefficients: list[float], matrices: list[FloatArray]
) -> FloatArray:
    """sum_r c_r V^r * ((weights * U^r) @ B_r), powers taken by element; one row per feature."""
    total = coefficients[0] * (weights @ matrices[0])
    left, right = weights.copy(), np.ones_like(V)
    for c, B in zip(coefficients[1:], matrices[1:], strict=True):
        left *= U
        right *= V
        product = left @ B
        product *= right
        product *= c
        total += product
    return np.asarray(total)


def _exponential_series(z: float) -> list[float]:
    """1/r! for r = 0, 1, ... as far as the terms z^r/r! are more than rounding errors."""
    coefficients, term = [1.0], z
    while term > 1e-15:
        r = len(coefficients)
        coefficients.append(coefficients[-1] / r)
        term *= z / (r + 1)
    return coefficients


@njit(cache=True, fastmath={"contract"})
def _gaussian_response(
    x: FloatArray, support: IntArray, K: FloatArray, a: FloatArray, beta: float, h: FloatArray, buffer: FloatArray
) -> None:
    """Add sum_k a_k K_kn exp(beta (s_k - x_n)^2) to h, where x is the removed feature's column.

    exp(t) = exp(t / 2^q)^(2^q) with t / 2^q <= 1/8, where nine Taylor terms are exact to double precision: plain
    multiplications, which the compiler turns into vector instructions (the library's exp would be nearly all the cost).
    """
    widest = beta * (x.max() - x.min()) ** 2
    squarings = max(0, int(np.ceil(np.log2(max(8.0 * widest, 1.0)))))
    unit = beta / 2.0**squarings
    for k in range(support.size):
        s = x[support[k]]
        for n in range(x.size):
            t = unit * (s - x[n]) * (s - x[n])
            tail = _T5 + t * (_T6 + t * (_T7 + t * (_T8 + t * _T9)))
            buffer[n] = 1.0 + t * (1.0 + t * (0.5 + t * (_T3 + t * (_T4 + t * tail))))
        for _ in range(squarings):
            for n in range(x.size):
                buffer[n] *= buffer[n]
        for n in range(x.size):
            h[n] += a[k] * K[k, n] * buffer[n]
