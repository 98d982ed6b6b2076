"""Kernel values over features that come and go: each that does costs O(n^2), however many stay.

What is kept is the sum over features that the kernel is a function of: inner products x.z for the linear and polynomial
kernels, squared distances ||x - z||^2 for the Gaussian.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from marginfs.kernels import GAUSSIAN, LINEAR, Kernel
from marginfs.types import FloatArray, IntArray

Single = npt.NDArray[np.float32]

_FEW = 16
"""Features up to which their part is added in place, without a matrix of its own."""
_ROWS = 64
"""Rows whose kernel values are computed at once: they stay in the cache."""


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
    sums : ndarray of shape (n, m)
        Inner products, or squared distances.
    """

    def __init__(
        self, left: FloatArray, right: FloatArray | None = None, *, kernel: Kernel, scaled: bool = False
    ) -> None:
        self.kernel, self.scaled, self._symmetric = kernel, scaled, right is None
        self._left = [np.ascontiguousarray(left.T)]
        self._right = self._left if right is None else [np.ascontiguousarray(right.T)]
        self._build()

    @property
    def left(self) -> FloatArray:
        """Values of the features at the points of the rows, one row per feature."""
        return _joined(self._left)

    @property
    def right(self) -> FloatArray:
        """Values of the features at the points of the columns, one row per feature."""
        return _joined(self._right)

    @property
    def scale(self) -> float:
        """Factor of the inner products: 1/f where they are scaled, else one."""
        return 1.0 / max(sum(map(len, self._left)), 1) if self.scaled else 1.0

    def matrix(self) -> FloatArray:
        """Kernel values on the present features.

        Returns
        -------
        ndarray of shape (n, m)
            A new array.
        """
        return self.values(self.sums)

    def values(self, sums: FloatArray) -> FloatArray:
        """Kernel values of some of the sums.

        Parameters
        ----------
        sums : ndarray
            Entries of `sums`, in an array of two dimensions.

        Returns
        -------
        ndarray
            A new array of the same shape.
        """
        if self.kernel.code == LINEAR:
            return sums * self.scale
        if self.kernel.code == GAUSSIAN:
            exponent = np.maximum(sums, 0.0)
            exponent *= -self.kernel.gamma
            return np.asarray(np.exp(exponent, out=exponent))
        powers = np.empty_like(sums)
        power(sums, self.scale, self.kernel.offset, self.kernel.degree, powers)
        return powers

    def round_to(self, out: Single) -> None:
        """Kernel values of one set of points with itself, in single precision.

        Parameters
        ----------
        out : ndarray of shape (n, n)
            Overwritten.
        """
        if self.kernel.code != GAUSSIAN:
            degree, offset = (1, 0.0) if self.kernel.code == LINEAR else (self.kernel.degree, self.kernel.offset)
            power(self.sums, self.scale, offset, degree, out)
            return
        for start in range(0, len(out), _ROWS):
            rows = slice(start, start + _ROWS)
            out[rows, start:] = self.values(self.sums[rows, start:])
        _mirror(out, _ROWS)

    def diagonal(self) -> FloatArray:
        """Kernel value of every point with itself.

        Returns
        -------
        ndarray of shape (n,)
            A new array.
        """
        return self.values(np.diagonal(self.sums)[None].copy()).ravel()

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
        self._left.append(new_left)
        if not self._symmetric:
            self._right.append(new_right)

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
        self._left[:] = [np.delete(self.left, positions, axis=0)]
        if not self._symmetric:
            self._right[:] = [np.delete(self.right, positions, axis=0)]
        if len(positions) < len(self.left):
            self._move(gone_left, gone_right, -1.0)
            if self._largest() >= 0.5 * self._size:
                return
        self._build()

    def _build(self) -> None:
        self.sums: FloatArray = self._part(self.left, self.right)
        self._size = self._largest()

    def _largest(self) -> float:
        """Largest size of a sum; inner products of a set with itself have it on the diagonal."""
        on_diagonal = self._symmetric and self.kernel.code != GAUSSIAN
        return float(np.abs(np.diagonal(self.sums) if on_diagonal else self.sums).max(initial=0.0))

    def _move(self, left: FloatArray, right: FloatArray, sign: float) -> None:
        """Add these features to the sums, or take them away."""
        if len(left) > _FEW:
            part = self._part(left, right)
            self.sums += part if sign > 0.0 else np.negative(part, out=part)
        elif self.kernel.code == GAUSSIAN:
            _move_squares(self.sums, left, right, sign)
        else:
            _move_products(self.sums, left, right, sign)

    def _part(self, left: FloatArray, right: FloatArray) -> FloatArray:
        """What these features contribute to the sums."""
        products = np.asarray(left.T @ right)
        if self.kernel.code == GAUSSIAN:
            _to_squares(products, np.einsum("ki,ki->i", left, left), np.einsum("ki,ki->i", right, right))
            if self._symmetric:
                np.fill_diagonal(products, 0.0)
        return products


def _joined(parts: list[FloatArray]) -> FloatArray:
    """All rows as one array, which takes the place of the parts."""
    if len(parts) > 1:
        parts[:] = [np.vstack(parts)]
    return parts[0]


@njit(cache=True)
def _to_squares(products: FloatArray, left: FloatArray, right: FloatArray) -> None:
    """Replace x.z by ||x - z||^2, given the squared lengths."""
    for i in range(left.size):
        row, own = products[i], left[i]
        for j in range(right.size):
            row[j] = (own + right[j]) - 2.0 * row[j]


@njit(cache=True)
def _mirror(A: Single, size: int) -> None:
    """Copy what lies above the blocks of that size on the diagonal to below them."""
    for start in range(0, len(A), size):
        stop = min(start + size, len(A))
        for first in range(stop, len(A), size):
            for i in range(first, min(first + size, len(A))):
                for j in range(start, stop):
                    A[i, j] = A[j, i]


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
def power(
    sums: FloatArray, scale: float, offset: float, degree: int, out: npt.NDArray[np.floating], first: int = 0
) -> None:
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
    out : ndarray of shape (n, m - first)
        Overwritten by the powers; its precision may be lower.
    first : int
        The first column to look at.
    """
    row, base = np.empty(out.shape[1]), np.empty(out.shape[1])
    for i in range(len(out)):
        own = sums[i, first:]
        for j in range(row.size):
            row[j] = scale * own[j] + offset
            base[j] = row[j]
        left = degree - 1
        while left > 0:
            if left & 1:
                for j in range(row.size):
                    row[j] *= base[j]
            left >>= 1
            if left > 0:
                for j in range(row.size):
                    base[j] *= base[j]
        for j in range(row.size):
            out[i, j] = row[j]
