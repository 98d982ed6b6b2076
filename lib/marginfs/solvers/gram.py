"""Kernel matrices that follow as features leave.

All three kernels are functions of the inner products G = XX', so one matrix is kept: when feature k leaves, G loses the
outer product x_k x_k'. What the removal or the scaling of *each* feature would do to a quadratic form of K is computed
for all features at once, by matrix products where the kernel allows it; no array of size n x n x d ever exists.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from math import comb

import numpy as np
from numba import njit

from marginfs.kernels import GAUSSIAN, LINEAR, POLYNOMIAL, Kernel
from marginfs.solvers.gaussian_removal import quadratics_without, scale_by_removal
from marginfs.types import FloatArray, IntArray

_BLOCK = 1 << 18


class DowndatedKernel(ABC):
    """A kernel matrix over the features that remain: downdated as they leave, or computed afresh.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Points.
    ordered : bool
        Whether features stay in ascending order; otherwise the last one takes the place of one that leaves, which
        spares moving all of them.

    Attributes
    ----------
    features : ndarray of int
        The features that remain.
    columns : ndarray
        Their values, one row per feature; row k belongs to features[k].
    """

    def __init__(self, X: FloatArray, *, ordered: bool) -> None:
        self.features: IntArray = np.arange(X.shape[1])
        self.columns: FloatArray = np.array(X.T, dtype=np.float64, order="C")
        self._ordered = ordered
        self._compute()

    def remove(self, positions: IntArray) -> None:
        """Drop features.

        Parameters
        ----------
        positions : ndarray of int
            Their places in `features`.
        """
        gone = self.columns[positions]
        if positions.size == 1 and not self._ordered:
            hole = positions[0]
            self.features[hole], self.columns[hole] = self.features[-1], self.columns[-1]
            self.features, self.columns = self.features[:-1], self.columns[:-1]
        else:
            self.features = np.delete(self.features, positions)
            self.columns = np.delete(self.columns, positions, axis=0)
        if not self._downdate(gone):
            self._compute()

    @abstractmethod
    def _compute(self) -> None:
        """The matrix from the data."""

    @abstractmethod
    def _downdate(self, gone: FloatArray) -> bool:
        """The matrix without features of these values; False where rounding errors call for a fresh one."""


class Gram(DowndatedKernel):
    """Kernel matrix of all points over the features that remain.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Points.
    kernel : Kernel
        The kernel.

    Attributes
    ----------
    products : ndarray of shape (n, n)
        Inner products G. They are computed afresh once half of their trace has gone.
    K : ndarray of shape (n, n)
        Kernel matrix.
    """

    def __init__(self, X: FloatArray, kernel: Kernel) -> None:
        self.kernel = kernel
        super().__init__(X, ordered=False)

    def _compute(self) -> None:
        self.products: FloatArray = self.columns.T @ self.columns
        self._computed_trace = np.trace(self.products)
        self._evaluate()

    def _evaluate(self) -> None:
        norms = np.diag(self.products)
        self.K: FloatArray = self.kernel.of_products(self.products, norms, norms)

    def _downdate(self, gone: FloatArray) -> bool:
        single = gone.shape[0] == 1
        if single:
            _subtract_outer(self.products, gone[0])
        else:
            self.products -= gone.T @ gone
        if np.trace(self.products) < 0.5 * self._computed_trace:
            return False
        in_place = single and self.kernel.code == GAUSSIAN
        if not (in_place and scale_by_removal(self.K, gone[0], self.kernel.gamma)):
            self._evaluate()
        return True

    def by_feature(self, score: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """Score all features, a block of rows of columns at a time, so that intermediate arrays stay small.

        Parameters
        ----------
        score : callable
            From rows of `columns` to one number each.

        Returns
        -------
        ndarray of float
            One number per feature that remains.
        """
        rows = max(1, _BLOCK // self.columns.shape[1])
        blocks = [score(self.columns[k : k + rows]) for k in range(0, self.features.size, rows)]
        return blocks[0] if len(blocks) == 1 else np.concatenate(blocks)

    def quadratic_without(self, a: FloatArray) -> FloatArray:
        """a'K^(k)a for every feature k, where K^(k) is the kernel matrix without it.

        Parameters
        ----------
        a : ndarray
            One coefficient per point.

        Returns
        -------
        ndarray of float
            One number per feature that remains.
        """
        used = np.flatnonzero(a)
        v, degree = a[used], self.kernel.degree
        if self.kernel.code == LINEAR:
            whole = a @ self.products @ a
            return self.by_feature(lambda X: np.asarray(whole - (X @ a) ** 2))
        if self.kernel.code == GAUSSIAN:
            return quadratics_without(self.products, self.K, self.columns, used, v, self.kernel.gamma)
        base = self.products[np.ix_(used, used)] + self.kernel.offset
        powers = [base**r for r in range(degree + 1)]

        def _expanded(X: FloatArray) -> FloatArray:
            total = np.zeros(X.shape[0])
            for r in range(degree + 1):
                Z = X[:, used] ** r * v
                total += comb(degree, r) * (-1.0) ** r * np.einsum("ki,ki->k", Z @ powers[degree - r], Z)
            return total

        return self.by_feature(_expanded)

    def diagonal_without(self, b: FloatArray) -> FloatArray:
        """sum_i b_i K^(k)_ii for every feature k.

        Parameters
        ----------
        b : ndarray
            One coefficient per point.

        Returns
        -------
        ndarray of float
            One number per feature that remains.
        """
        norms, offset, degree = np.diag(self.products), self.kernel.offset, self.kernel.degree
        if self.kernel.code == GAUSSIAN:
            return np.full(self.features.size, b.sum())
        if self.kernel.code == LINEAR:
            return self.by_feature(lambda X: np.asarray(b @ norms - X**2 @ b))
        return self.by_feature(lambda X: np.asarray((norms - X**2 + offset) ** degree @ b))

    def slope(self, M: FloatArray) -> FloatArray:
        """sum_ij M_ij dK_ij/dv_k for every feature k: the effect of scaling feature k by v_k, at v = 1.

        dK_ij/dv_k is 2 x_ik x_jk f'(G_ij) for kernels f of the inner product and -(x_ik - x_jk)^2 K_ij / sigma^2 for
        the Gaussian (section 2.4 of Rakotomamonjy, 2003).

        Parameters
        ----------
        M : ndarray
            A symmetric matrix, one row per point.

        Returns
        -------
        ndarray of float
            One number per feature that remains.
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
        """sum_ij a_i a_j dK_ij/dv_k for every feature k.

        Parameters
        ----------
        a : ndarray
            One coefficient per point.

        Returns
        -------
        ndarray of float
            One number per feature that remains.
        """
        if self.kernel.code == LINEAR:
            return np.asarray(2.0 * (self.columns @ a) ** 2)
        return self.slope(np.outer(a, a))

    def diagonal_slope(self, b: FloatArray) -> FloatArray:
        """sum_i b_i dK_ii/dv_k for every feature k.

        Parameters
        ----------
        b : ndarray
            One coefficient per point.

        Returns
        -------
        ndarray of float
            One number per feature that remains.
        """
        if self.kernel.code == GAUSSIAN:
            return np.zeros(self.features.size)
        if self.kernel.code == POLYNOMIAL:
            degree = self.kernel.degree
            b = b * degree * (np.diag(self.products) + self.kernel.offset) ** (degree - 1)
        return self.by_feature(lambda X: np.asarray(2.0 * X**2 @ b))


@njit(cache=True)
def _subtract_outer(G: FloatArray, x: FloatArray) -> None:
    for i in range(x.size):
        for j in range(x.size):
            G[i, j] -= x[i] * x[j]


@njit(cache=True)
def gram_without(
    code: int, degree: int, offset: float, gamma: float, G: FloatArray, x: FloatArray, out: FloatArray
) -> None:
    """Compute the kernel matrix without one feature.

    Parameters
    ----------
    code, degree, offset, gamma : int, int, float, float
        The kernel's.
    G : ndarray of shape (n, n)
        Inner products with the feature.
    x : ndarray of shape (n,)
        The feature.
    out : ndarray of shape (n, n)
        The matrix is written here.
    """
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
