"""Kernels, and a Gram matrix that follows as features leave.

All three kernels are functions of the inner products G = XX', so one matrix is kept: when feature k leaves, G loses the
outer product x_k x_k'. What the removal or the scaling of *each* feature would do to a quadratic form of K is computed
for all features at once, by matrix products where the kernel allows it; no array of size n x n x d ever exists.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Literal

import numpy as np
from numba import njit

from marginfs.errors import ConfigError
from marginfs.types import FloatArray, IntArray

LINEAR, POLYNOMIAL, GAUSSIAN = 0, 1, 2
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

    def of_products(self, G: FloatArray, rows: FloatArray, columns: FloatArray) -> FloatArray:
        """Kernel values from inner products and the squared norms of both sides."""
        if self.code == LINEAR:
            return G
        if self.code == POLYNOMIAL:
            return np.asarray((G + self.offset) ** self.degree)
        distances = np.maximum(rows[:, None] + columns - 2.0 * G, 0.0)
        distances *= -self.gamma
        return np.exp(distances, out=distances)


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
        else:
            self._evaluate()

    def quadratic_without(self, a: FloatArray) -> FloatArray:
        """a'K^(k)a for every feature k, where K^(k) is the kernel matrix without it."""
        used = np.flatnonzero(a)
        v, X, G = a[used], self.columns[:, used], self.products[np.ix_(used, used)]
        if self.kernel.code == LINEAR:
            return np.asarray(v @ G @ v - (X @ v) ** 2)
        if self.kernel.code == POLYNOMIAL:
            degree, base = self.kernel.degree, G + self.kernel.offset
            total = np.zeros(X.shape[0])
            for r in range(degree + 1):
                Z = X**r * v
                total += comb(degree, r) * (-1.0) ** r * np.einsum("ki,ki->k", Z @ base ** (degree - r), Z)
            return total
        return gaussian_without(G, np.ascontiguousarray(X.T), v, self.kernel.gamma)

    def diagonal_without(self, b: FloatArray) -> FloatArray:
        """sum_i b_i K^(k)_ii for every feature k."""
        if self.kernel.code == GAUSSIAN:
            return np.full(self.features.size, b.sum())
        norms = np.diag(self.products)
        if self.kernel.code == LINEAR:
            return np.asarray(b @ norms - self.columns**2 @ b)
        return np.asarray((norms - self.columns**2 + self.kernel.offset) ** self.kernel.degree @ b)

    def slope(self, M: FloatArray) -> FloatArray:
        """sum_ij M_ij dK_ij/dv_k for every feature k and symmetric M: the effect of scaling feature k by v_k, at v = 1.

        dK_ij/dv_k is 2 x_ik x_jk f'(G_ij) for kernels f of the inner product and -(x_ik - x_jk)^2 K_ij / sigma^2 for
        the Gaussian (section 2.4 of Rakotomamonjy, 2003).
        """
        X = self.columns
        if self.kernel.code == GAUSSIAN:
            W = M * self.K
            return np.asarray(-4.0 * self.kernel.gamma * (X**2 @ W.sum(axis=1) - np.einsum("ki,ki->k", X @ W, X)))
        W = M
        if self.kernel.code == POLYNOMIAL:
            degree = self.kernel.degree
            W = M * degree * (self.products + self.kernel.offset) ** (degree - 1)
        return np.asarray(2.0 * np.einsum("ki,ki->k", X @ W, X))

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
        return np.asarray(2.0 * self.columns**2 @ b)


@njit(cache=True)
def _downdate(G: FloatArray, x: FloatArray) -> None:
    for i in range(x.size):
        for j in range(x.size):
            G[i, j] -= x[i] * x[j]


@njit(cache=True, fastmath={"reassoc", "contract", "nsz"})
def gaussian_without(G: FloatArray, X: FloatArray, a: FloatArray, gamma: float) -> FloatArray:
    """a'K^(k)a for every feature k and the Gaussian kernel: removal multiplies K_ij by exp(gamma (x_ik - x_jk)^2).

    The exponential is a Taylor polynomial on a halved argument, squared back: plain arithmetic over contiguous
    features, which the compiler vectorises. Where the factor could overflow, the exponent is formed first instead.
    """
    n, d = X.shape
    largest = 0.0
    for k in range(d):
        spread = X[:, k].max() - X[:, k].min()
        largest = max(largest, gamma * spread * spread)
    halvings = 0
    while largest / 2.0**halvings > 0.25:
        halvings += 1
    shrink = gamma / 2.0**halvings
    total, power = np.full(d, np.sum(a * a)), np.empty(d)
    for i in range(n):
        for j in range(i):
            distance = gamma * max(G[i, i] + G[j, j] - 2.0 * G[i, j], 0.0)
            weight = 2.0 * a[i] * a[j]
            if largest > 30.0:
                for k in range(d):
                    total[k] += weight * np.exp(min(gamma * (X[i, k] - X[j, k]) ** 2 - distance, 0.0))
                continue
            for k in range(d):
                power[k] = _small_exp(shrink * (X[i, k] - X[j, k]) ** 2)
            for _ in range(halvings):
                for k in range(d):
                    power[k] *= power[k]
            weight *= np.exp(-distance)
            for k in range(d):
                total[k] += weight * power[k]
    return total


@njit(cache=True, fastmath={"reassoc", "contract", "nsz"}, inline="always")
def _small_exp(u: float) -> float:
    """exp(u) for 0 <= u <= 1/4, to rounding: the Taylor polynomial of degree 11, even and odd part apart."""
    v = u * u
    even = 1.0 + v * (1 / 2 + v * (1 / 24 + v * (1 / 720 + v * (1 / 40320 + v * (1 / 3628800)))))
    odd = 1.0 + v * (1 / 6 + v * (1 / 120 + v * (1 / 5040 + v * (1 / 362880 + v * (1 / 39916800)))))
    return even + u * odd


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
