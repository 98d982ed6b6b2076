"""Kernel values over features that come and go: each that does costs O(n^2), however many stay.

What is kept is the sum over features that the kernel is a function of: inner products x.z for the linear and polynomial
kernels, squared distances ||x - z||^2 for the Gaussian.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from marginfs.kernels import GAUSSIAN, LINEAR, Kernel
from marginfs.types import FloatArray, IntArray

_FEW = 16
"""Features up to which their part is added in place, without a matrix of its own."""


class MovingGram:
    """Kernel matrix between two sets of points, or of one set with itself.

    Parameters
    ----------
    left : ndarray of shape (n, f)
        The points of the rows.
    right : ndarray of shape (m, f), optional
        The points of the columns; `left` by default.
    kernel : Kernel
        The kernel.
    scaled : bool
        Whether inner products are divided by the present number of features: (x.z / f + offset)^degree.

    Attributes
    ----------
    left : ndarray of shape (f, n)
        Values of the features at the points of the rows, one row per feature.
    right : ndarray of shape (f, m)
        The same at the points of the columns.
    sums : ndarray of shape (n, m)
        Inner products, or squared distances.
    """

    def __init__(
        self, left: FloatArray, right: FloatArray | None = None, *, kernel: Kernel, scaled: bool = False
    ) -> None:
        self.kernel, self.scaled, self._symmetric = kernel, scaled, right is None
        self.left: FloatArray = np.ascontiguousarray(left.T)
        self.right: FloatArray = self.left if right is None else np.ascontiguousarray(right.T)
        self._build()

    @property
    def scale(self) -> float:
        """Factor of the inner products: 1/f where they are scaled, else one."""
        return 1.0 / max(len(self.left), 1) if self.scaled else 1.0

    def matrix(self) -> FloatArray:
        """Kernel values on the present features.

        Returns
        -------
        ndarray of shape (n, m)
            A new array.
        """
        if self.kernel.code == LINEAR:
            return self.sums * self.scale
        if self.kernel.code == GAUSSIAN:
            exponent = np.maximum(self.sums, 0.0)
            exponent *= -self.kernel.gamma
            return np.asarray(np.exp(exponent, out=exponent))
        return power(self.sums, self.scale, self.kernel.offset, self.kernel.degree)

    def add(self, left: FloatArray, right: FloatArray | None = None) -> None:
        """Take in features, which come last.

        Parameters
        ----------
        left : ndarray of shape (n, k)
            Their values at the points of the rows.
        right : ndarray of shape (m, k), optional
            Their values at the points of the columns.
        """
        new_left = np.ascontiguousarray(left.T)
        new_right = new_left if right is None else np.ascontiguousarray(right.T)
        self._move(new_left, new_right, 1.0)
        self.left = np.vstack((self.left, new_left))
        self.right = self.left if self._symmetric else np.vstack((self.right, new_right))

    def remove(self, positions: IntArray) -> None:
        """Drop features.

        The sums are computed afresh once half of their largest value has gone, so that rounding errors stay relative to
        what is left.

        Parameters
        ----------
        positions : ndarray of int
            Their positions.
        """
        gone_left, gone_right = self.left[positions], self.right[positions]
        self.left = np.delete(self.left, positions, axis=0)
        self.right = self.left if self._symmetric else np.delete(self.right, positions, axis=0)
        if len(positions) < len(self.left):
            self._move(gone_left, gone_right, -1.0)
            if np.abs(self.sums).max(initial=0.0) >= 0.5 * self._size:
                return
        self._build()

    def _build(self) -> None:
        self.sums: FloatArray = self._part(self.left, self.right)
        self._size = np.abs(self.sums).max(initial=0.0)

    def _move(self, left: FloatArray, right: FloatArray, sign: float) -> None:
        """Add these features to the sums, or take them away."""
        if len(left) > _FEW:
            self.sums += sign * self._part(left, right)
        elif self.kernel.code == GAUSSIAN:
            _move_squares(self.sums, left, right, sign)
        else:
            _move_products(self.sums, left, right, sign)

    def _part(self, left: FloatArray, right: FloatArray) -> FloatArray:
        """What these features contribute to the sums."""
        products = left.T @ right
        if self.kernel.code != GAUSSIAN:
            return np.asarray(products)
        squares = np.add.outer(np.einsum("ki,ki->i", left, left), np.einsum("ki,ki->i", right, right))
        squares -= 2.0 * products
        if self._symmetric:
            np.fill_diagonal(squares, 0.0)
        return np.asarray(squares)


@njit(cache=True)
def _move_products(sums: FloatArray, left: FloatArray, right: FloatArray, sign: float) -> None:
    """Add sign x_i.z_j to every entry, row by row."""
    for i in range(sums.shape[0]):
        row = sums[i]
        for k in range(left.shape[0]):
            factor, other = sign * left[k, i], right[k]
            for j in range(row.size):
                row[j] += factor * other[j]


@njit(cache=True)
def _move_squares(sums: FloatArray, left: FloatArray, right: FloatArray, sign: float) -> None:
    """Add sign ||x_i - z_j||^2 to every entry, row by row."""
    for i in range(sums.shape[0]):
        row = sums[i]
        for k in range(left.shape[0]):
            own, other = left[k, i], right[k]
            for j in range(row.size):
                difference = own - other[j]
                row[j] += sign * (difference * difference)


@njit(cache=True)
def power(sums: FloatArray, scale: float, offset: float, degree: int) -> FloatArray:
    """Raise scale * sums + offset to a whole power by multiplications.

    Parameters
    ----------
    sums : ndarray of shape (n, m)
        Inner products.
    scale : float
        Their factor.
    offset : float
        What is added.
    degree : int
        The power, at least one.

    Returns
    -------
    ndarray of shape (n, m)
        The powers.
    """
    out = np.empty_like(sums)
    for i in range(sums.shape[0]):
        row = out[i]
        for j in range(row.size):
            row[j] = scale * sums[i, j] + offset
        base, left = row.copy(), degree - 1
        while left > 0:
            if left & 1:
                for j in range(row.size):
                    row[j] *= base[j]
            left >>= 1
            if left > 0:
                for j in range(row.size):
                    base[j] *= base[j]
    return out
