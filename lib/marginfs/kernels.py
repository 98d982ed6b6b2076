"""Kernels, and a Gram matrix that follows as features leave.

All three kernels are functions of the inner products G = XX', so one matrix is kept: when feature k leaves, G loses the
outer product x_k x_k'. What the removal or the scaling of *each* feature would do to a quadratic form of K is computed
for all features at once, by matrix products where the kernel allows it; no array of size n x n x d ever exists.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import Literal

import numpy as np
from numba import njit

from marginfs.errors import ConfigError
from marginfs.types import FloatArray, IntArray

LINEAR, POLYNOMIAL, GAUSSIAN = 0, 1, 2
_FAST = {"reassoc", "contract", "nsz"}
_BLOCK = 1 << 18
_CODES = {"linear": LINEAR, "polynomial": POLYNOMIAL, "gaussian": GAUSSIAN}


@dataclass(frozen=True, slots=True)
class Kernel:
    """Linear x.z, polynomial (x.z + offset)^degree, or Gaussian exp(-||x - z||^2 / (2 sigma^2))."""

    name: Literal["linear", "polynomial", "gaussian"] = "linear"
    degree: int = 2
    offset: float = 1.0
    sigma: float = 1.0

    def __post_init__(self) -> None:
        if self.name not in _CODES:
            raise ConfigError(f"kernel is {self.name!r}: write one of {', '.join(_CODES)}.")
        if self.sigma <= 0 or self.degree < 1:
            raise ConfigError(f"kernel has sigma {self.sigma} and degree {self.degree}: both must be positive.")

    @property
    def code(self) -> int:
        """Number that compiled code knows the kernel by."""
        return _CODES[self.name]

    @property
    def gamma(self) -> float:
        """1 / (2 sigma^2)."""
        return 0.5 / self.sigma**2

    def matrix(self, X: FloatArray, Z: FloatArray | None = None) -> FloatArray:
        """Kernel values between the rows of X and those of Z (of X itself by default)."""
        Z = X if Z is None else Z
        return self.of_products(X @ Z.T, np.einsum("ij,ij->i", X, X), np.einsum("ij,ij->i", Z, Z))

    def of_products(self, G: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
        """Kernel values from inner products and the squared norms on both sides; for the linear kernel G itself."""
        if self.code == LINEAR:
            return G
        if self.code == POLYNOMIAL:
            return np.asarray((G + self.offset) ** self.degree)
        K: FloatArray = np.add.outer(left, right)
        K -= G
        K -= G
        np.maximum(K, 0.0, out=K)
        K *= -self.gamma
        return np.exp(K, out=K)


class Gram:
    """Kernel matrix over the features that remain.

    features: their indices in the original data.
    columns: their values, one row per feature; row k belongs to features[k].
    products: inner products G; K: kernel matrix.
    """

    def __init__(self, X: FloatArray, kernel: Kernel) -> None:
        self.kernel = kernel
        self.features: IntArray = np.arange(X.shape[1])
        self.columns: FloatArray = np.array(X.T, dtype=np.float64, order="C")
        self._synchronise()

    def _synchronise(self) -> None:
        self.products: FloatArray = self.columns.T @ self.columns
        self._synchronised_trace = np.trace(self.products)
        self._evaluate()

    def _evaluate(self) -> None:
        norms = np.diag(self.products)
        self.K: FloatArray = self.kernel.of_products(self.products, norms, norms)

    def remove(self, positions: IntArray) -> None:
        """Drop the features at these positions; where it is one, the last feature moves into its place.

        G is downdated, and computed afresh once half of its trace has gone, so that rounding errors stay relative to
        what is left.
        """
        gone = self.columns[positions]
        if positions.size == 1:
            hole = positions[0]
            self.features[hole], self.columns[hole] = self.features[-1], self.columns[-1]
            self.features, self.columns = self.features[:-1], self.columns[:-1]
            _downdate(self.products, gone[0])
        else:
            self.features = np.delete(self.features, positions)
            self.columns = np.delete(self.columns, positions, axis=0)
            self.products -= gone.T @ gone
        if np.trace(self.products) < 0.5 * self._synchronised_trace:
            self._synchronise()
        elif not self._scale_in_place(gone):
            self._evaluate()

    def _scale_in_place(self, gone: FloatArray) -> bool:
        """Where one feature leaves a Gaussian kernel, K changes by a factor per entry; False where that does not do."""
        single = self.kernel.code == GAUSSIAN and gone.shape[0] == 1
        return single and bool(_gaussian_downdate(self.K, gone[0], self.kernel.gamma))

    def by_feature(self, score: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """Score all features, a block of rows of columns at a time, so that intermediate arrays stay small."""
        rows = max(1, _BLOCK // self.columns.shape[1])
        blocks = [score(self.columns[k : k + rows]) for k in range(0, self.features.size, rows)]
        return blocks[0] if len(blocks) == 1 else np.concatenate(blocks)

    def quadratic_without(self, a: FloatArray) -> FloatArray:
        """a'K^(k)a for every feature k, where K^(k) is the kernel matrix without it."""
        used = np.flatnonzero(a)
        v, degree = a[used], self.kernel.degree
        if self.kernel.code == LINEAR:
            whole = a @ self.products @ a
            return self.by_feature(lambda X: np.asarray(whole - (X @ a) ** 2))
        if self.kernel.code == GAUSSIAN:
            return _gaussian_without(self.products, self.K, self.columns, used, v, self.kernel.gamma)
        base = self.products[np.ix_(used, used)] + self.kernel.offset
        powers = [base**r for r in range(degree + 1)]

        def expanded(X: FloatArray) -> FloatArray:
            total = np.zeros(X.shape[0])
            for r in range(degree + 1):
                Z = X[:, used] ** r * v
                total += comb(degree, r) * (-1.0) ** r * np.einsum("ki,ki->k", Z @ powers[degree - r], Z)
            return total

        return self.by_feature(expanded)

    def diagonal_without(self, b: FloatArray) -> FloatArray:
        """sum_i b_i K^(k)_ii for every feature k."""
        norms, offset, degree = np.diag(self.products), self.kernel.offset, self.kernel.degree
        if self.kernel.code == GAUSSIAN:
            return np.full(self.features.size, b.sum())
        if self.kernel.code == LINEAR:
            return self.by_feature(lambda X: np.asarray(b @ norms - X**2 @ b))
        return self.by_feature(lambda X: np.asarray((norms - X**2 + offset) ** degree @ b))

    def slope(self, M: FloatArray) -> FloatArray:
        """sum_ij M_ij dK_ij/dv_k for every feature k and symmetric M: the effect of scaling feature k by v_k, at v = 1.

        dK_ij/dv_k is 2 x_ik x_jk f'(G_ij) for kernels f of the inner product and -(x_ik - x_jk)^2 K_ij / sigma^2 for
        the Gaussian (section 2.4 of Rakotomamonjy, 2003).
        """
        if self.kernel.code == GAUSSIAN:
            factor, W = 4.0 * self.kernel.gamma, M * self.K
            W[np.diag_indices_from(W)] -= W.sum(axis=1)
        elif self.kernel.code == POLYNOMIAL:
            degree = self.kernel.degree
            factor, W = 2.0 * degree, M * (self.products + self.kernel.offset) ** (degree - 1)
        else:
            factor, W = 2.0, M
        return self.by_feature(lambda X: np.asarray(factor * np.einsum("ki,ki->k", X @ W, X)))

    def quadratic_slope(self, a: FloatArray) -> FloatArray:
        """sum_ij a_i a_j dK_ij/dv_k for every feature k."""
        if self.kernel.code == LINEAR:
            return np.asarray(2.0 * (self.columns @ a) ** 2)
        return self.slope(np.outer(a, a))

    def diagonal_slope(self, b: FloatArray) -> FloatArray:
        """sum_i b_i dK_ii/dv_k for every feature k."""
        if self.kernel.code == GAUSSIAN:
            return np.zeros(self.features.size)
        if self.kernel.code == POLYNOMIAL:
            degree = self.kernel.degree
            b = b * degree * (np.diag(self.products) + self.kernel.offset) ** (degree - 1)
        return self.by_feature(lambda X: np.asarray(2.0 * X**2 @ b))


@njit(cache=True, fastmath=_FAST)
def _gaussian_downdate(K: FloatArray, x: FloatArray, gamma: float) -> bool:
    """Multiply K_ij by exp(gamma (x_i - x_j)^2), where that is at most exp(4)."""
    if _reach(x, gamma) > 4.0:
        return False
    growth = np.exp(2.0)
    scaled = np.sqrt(gamma / 2.0) * x
    for i in range(x.size):
        for j in range(x.size):
            difference = scaled[i] - scaled[j]
            K[i, j] *= growth * _exp_minus_two(difference * difference)
    return True


@njit(cache=True)
def _reach(x: FloatArray, gamma: float) -> float:
    """Largest gamma (x_i - x_j)^2."""
    return float(gamma * (x.max() - x.min()) ** 2)


@njit(cache=True)
def _downdate(G: FloatArray, x: FloatArray) -> None:
    for i in range(x.size):
        for j in range(x.size):
            G[i, j] -= x[i] * x[j]


@njit(cache=True, fastmath=_FAST)
def _gaussian_without(
    G: FloatArray, K: FloatArray, X: FloatArray, used: IntArray, a: FloatArray, gamma: float
) -> FloatArray:
    """a'K^(k)a for every feature k (row of X) and the Gaussian kernel: removal multiplies K_ij by exp(gamma d_k^2).

    a holds the entries of the used points; G and K are whole.

    Where gamma d_k^2 is at most 1/2 or 4, which is the rule, the exponential is plain arithmetic that the compiler
    vectorises; elsewhere the whole exponent is formed first, so that nothing overflows.
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
                    part += weights[j] * _exp_minus_two(difference * difference)
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
def _exp_minus_two(half: float) -> float:
    """exp(t - 2) for 0 <= t <= 4, from t/2, to rounding: the Taylor polynomial at a 16th of it, squared four times."""
    u = half * (1 / 8) - 1 / 8
    v = u * u
    even = 1.0 + v * (1 / 2 + v * (1 / 24 + v * (1 / 720 + v * (1 / 40320))))
    odd = 1.0 + v * (1 / 6 + v * (1 / 120 + v * (1 / 5040 + v * (1 / 362880))))
    power = even + u * odd
    power *= power
    power *= power
    power *= power
    return power * power


@njit(cache=True)
def gram_without(
    code: int, degree: int, offset: float, gamma: float, G: FloatArray, x: FloatArray, out: FloatArray
) -> None:
    """Write the kernel matrix without the feature of values x into out."""
    n = x.size
    for i in range(n):
        if code == LINEAR:
            for j in range(n):
                out[i, j] = G[i, j] - x[i] * x[j]
        elif code == POLYNOMIAL:
            for j in range(i + 1):
                out[i, j] = out[j, i] = (G[i, j] - x[i] * x[j] + offset) ** degree
        else:
            for j in range(i + 1):
                distance = G[i, i] + G[j, j] - 2.0 * G[i, j] - (x[i] - x[j]) ** 2
                out[i, j] = out[j, i] = np.exp(-gamma * max(distance, 0.0))
