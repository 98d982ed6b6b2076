"""The Gaussian kernel with a weight per feature, K_ij = exp(-sum_k z_k^2 (x_ik - x_jk)^2), and its derivatives in z.

Everything that the objectives of tayal2014 need of them is a sum over pairs of points weighted by squared differences
D_ijk = (x_ik - x_jk)^2 of each feature, which is two sums of squares less a matrix product: no array holds D itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
import numpy.typing as npt
from numba import njit

from marginfs.types import BoolArray, FloatArray, IntArray

SingleArray = npt.NDArray[np.float32]
RealArray = FloatArray | SingleArray

GONE = 1e-6
"""A weight below this share of the largest one takes no part in the kernel."""
EXPLICIT = 64
"""With more coupled columns the curvature is computed by its diagonal only."""
NEGLIGIBLE = 1e-10
"""Share of mu below which pairs of points are left out."""
TINY = 1e-300
"""Keeps a bound finite where nothing has weight."""
FARTHEST = 70.0
"""Points whose squared distance is larger have a kernel value of zero: in single precision it would be next to nothing,
and processors are slow at such numbers."""
COUPLED = 0.01
"""A weight below this share of the largest one, the paper's zero, takes part in the Hessian by its diagonal only."""


def live(z: FloatArray, share: float = GONE) -> IntArray:
    """Features whose weight is more than a share of the largest one.

    Parameters
    ----------
    z : ndarray of shape (d,)
        Weights, not negative.
    share : float
        The share.

    Returns
    -------
    ndarray of int
        Their indices; empty where all weights are zero.
    """
    return np.flatnonzero(z > share * z.max(initial=0.0))


def gaussian(A: FloatArray, B: FloatArray) -> FloatArray:
    """exp(-||a - b||^2) between the rows of A and of B, which carry the weights already; half the work if B is A.

    Values below exp(-70) are zero.

    Parameters
    ----------
    A : ndarray of shape (n, d)
        Points.
    B : ndarray of shape (m, d)
        Points.

    Returns
    -------
    ndarray of shape (n, m)
        Kernel values.
    """
    K = A @ B.T
    _exponents(K, np.einsum("ij,ij->i", A, A), np.einsum("ij,ij->i", B, B))
    return np.asarray(np.exp(K, out=K))


def contract(M: FloatArray, A: FloatArray, B: FloatArray) -> FloatArray:
    """sum_ij M_ij (a_ik - b_jk)^2 for every feature k.

    Parameters
    ----------
    M : ndarray of shape (n, m)
        Weights of the pairs.
    A : ndarray of shape (n, d)
        Points.
    B : ndarray of shape (m, d)
        Points.

    Returns
    -------
    ndarray of shape (d,)
        The sums.
    """
    squares = M.sum(axis=1) @ (A * A) + M.sum(axis=0) @ (B * B)
    return np.asarray(squares - 2.0 * np.einsum("ik,ik->k", A, M @ B))


def spreads(P: SingleArray, A: SingleArray, B: SingleArray) -> SingleArray:
    """sum_j P_ij (a_ik - b_jk)^2 for every row and feature: P 1 changes with a weight by -2 z_k times this.

    Parameters
    ----------
    P : ndarray of shape (n, m)
        Kernel times coefficients.
    A, B : ndarray of shape (n, d) and (m, d)
        The points of the rows and columns of P.

    Returns
    -------
    ndarray of shape (n, d)
        The sums.
    """
    return np.asarray(P.sum(axis=1)[:, None] * (A * A) + P @ (B * B) - 2.0 * A * (P @ B))


class KernelForm:
    """The sum over ij of c_i K_ij(z) b_j as a function of z, where c and b answer a change of K b by a linear rule.

    Its first derivative is -2 z_k q_k with q_k = sum_ij c_i P_ij D_ijk and P_ij = K_ij b_j. A step v changes K b by
    Jv = -2 (P * S) 1 with S_ij = sum_k z_k v_k D_ijk; with u = R(Jv), the answer of c, the second derivative is

        Hv = z * sum_ij P_ij D_ijk (4 c_i S_ij - 2 u_i) - 2 q * v

    Parameters
    ----------
    A, B : ndarray of shape (n, d) and (m, d)
        The points of the rows and columns of P.
    P : ndarray of shape (n, m)
        Kernel times coefficients.
    c : ndarray of shape (n,)
        Weights of the rows.
    z : ndarray of shape (d,)
        Weights of the features.
    answer : callable
        R, for a vector or the columns of a matrix.
    """

    def __init__(
        self,
        A: FloatArray,
        B: FloatArray,
        P: FloatArray,
        c: FloatArray,
        z: FloatArray,
        answer: Callable[[FloatArray], FloatArray],
    ) -> None:
        self.A, self.B, self.P, self.c, self.z, self.answer = A, B, P, c, z, answer

    def over(self, rows: BoolArray, columns: BoolArray) -> KernelForm:
        """The form without the other rows and columns.

        Parameters
        ----------
        rows, columns : ndarray of bool
            Those that stay.

        Returns
        -------
        KernelForm
            The form.
        """
        A, B, P = self.A[rows], self.B[columns], self.P[np.ix_(rows, columns)]
        return KernelForm(A, B, P, self.c[rows], self.z, self._answer_over(rows))

    def _answer_over(self, rows: BoolArray) -> Callable[[FloatArray], FloatArray]:
        """R where the other rows do not change."""

        def _answer(change: FloatArray) -> FloatArray:
            whole = np.zeros((rows.size, *change.shape[1:]))
            whole[rows] = change
            return self.answer(whole)[rows]

        return _answer

    @cached_property
    def q(self) -> FloatArray:  # numpydoc ignore=RT01
        """sum_ij c_i P_ij D_ijk for every feature."""
        return contract(self.c[:, None] * self.P, self.A, self.B)

    @cached_property
    def columns(self) -> IntArray:  # numpydoc ignore=RT01
        """The features that the Hessian couples."""
        return live(self.z, COUPLED)

    @cached_property
    def _single(self) -> tuple[SingleArray, SingleArray, SingleArray, SingleArray, SingleArray]:
        """The coupled columns of A, B, their squares, and P, in single precision: a product only steers a step."""
        A, B = self.A[:, self.columns].astype(np.float32), self.B[:, self.columns].astype(np.float32)
        return A, B, A * A, B * B, self.P.astype(np.float32)

    def product(self, v: FloatArray) -> FloatArray:
        """Hv over the coupled columns, to single precision: two matrix products.

        Parameters
        ----------
        v : ndarray
            Direction, over the coupled columns.

        Returns
        -------
        ndarray
            The product, over the coupled columns.
        """
        A, B, A2, B2, P = self._single
        z = self.z[self.columns]
        w = (z * v).astype(np.float32)
        S = (A * (np.float32(-2.0) * w)) @ B.T
        change = _differences(S, A2 @ w, B2 @ w, P)
        rows, columns = _second_order(S, P, 4.0 * self.c, -2.0 * self.answer(change))
        sums = rows @ A2 + columns @ B2 - 2.0 * np.einsum("ik,ik->k", A, S @ B)
        return np.asarray(z * sums - 2.0 * self.q[self.columns] * v)

    @cached_property
    def hessian(self) -> FloatArray:  # numpydoc ignore=RT01
        """H over the coupled columns, to single precision: 4 zz' sum_ij c_i P_ij D_ijk D_ijl + J'RJ - 2 diag(q)."""
        A, B, _, _, P = self._single
        z = self.z[self.columns]
        J = -2.0 * z * spreads(P, A, B)
        H = 4.0 * np.outer(z, z) * self._fourth_order() + J.T @ self.answer(J)
        H[np.diag_indices_from(H)] -= 2.0 * self.q[self.columns]
        return np.asarray(0.5 * (H + H.T))

    @cached_property
    def spreads(self) -> SingleArray:  # numpydoc ignore=RT01
        """sum_j P_ij D_ijk for every row and feature, to single precision."""
        return spreads(*(part.astype(np.float32) for part in (self.P, self.A, self.B)))

    def curvature(self) -> FloatArray:
        """What the Hessian is without the answer of c: 4 zz' sum_ij c_i P_ij D_ijk D_ijl - 2 diag(q).

        Returns
        -------
        ndarray of shape (d, d) or (d,)
            The matrix; its diagonal where more than 64 columns are coupled.
        """
        z, diagonal = self.z[self.columns], -2.0 * (self.c @ self.spreads)
        if z.size > EXPLICIT:
            diagonal[self.columns] += 4.0 * z * z * self._fourth_powers()
            return np.asarray(diagonal)
        H = np.diag(diagonal)
        H[np.ix_(self.columns, self.columns)] += 4.0 * np.outer(z, z) * self._fourth_order()
        return np.asarray(H)

    @cached_property
    def _weighted(self) -> tuple[SingleArray, SingleArray, SingleArray]:
        """The coupled columns of A and B, and c_i P_ij, over the rows with a weight, in single precision."""
        rows = np.flatnonzero(self.c)
        A, B = self.A[np.ix_(rows, self.columns)].astype(np.float32), self.B[:, self.columns].astype(np.float32)
        return A, B, (self.c[rows, None] * self.P[rows]).astype(np.float32)

    def _fourth_powers(self) -> SingleArray:
        """sum_ij c_i P_ij D_ijk^2, the fourth power of a difference written out."""
        A, B, W = self._weighted
        A2, B2 = A * A, B * B
        ends = W.sum(axis=1) @ (A2 * A2) + W.sum(axis=0) @ (B2 * B2)
        mixed = A * (6.0 * A * (W @ B2) - 4.0 * A2 * (W @ B) - 4.0 * (W @ (B * B2)))
        return np.asarray(ends + mixed.sum(axis=0))

    def _fourth_order(self) -> FloatArray:
        """sum_ij c_i P_ij D_ijk D_ijl, the product of two differences written out; one matrix product for all pairs."""
        A, B, W = self._weighted
        A2, B2 = A * A, B * B
        left, right = np.triu_indices(A.shape[1])
        mixed = A2.T @ (W @ B2) - 2.0 * (A * (W @ B)).T @ A2 - 2.0 * (B * (W.T @ A)).T @ B2
        total = A2.T @ (W.sum(axis=1)[:, None] * A2) + B2.T @ (W.sum(axis=0)[:, None] * B2) + mixed + mixed.T
        fourth = np.zeros(total.shape)
        fourth[left, right] = np.einsum("ip,ip->p", A[:, left] * A[:, right], W @ (B[:, left] * B[:, right]))
        fourth[right, left] = fourth[left, right]
        return np.asarray(total + 4.0 * fourth)


def close_form(form: KernelForm, *, own: IntArray, weight: float, mu: float) -> KernelForm:
    """The form over the points that are close to another one.

    Where weights are large, as at the start, no two points are close: of P only the entries of a point with itself
    count, which follow no weight. Pairs are left out whose part in gradient and Hessian is below 1e-10 mu in sum.

    Parameters
    ----------
    form : KernelForm
        The form over all points.
    own : ndarray of int
        For every column of P the row of the same point, or -1.
    weight : float
        Bound of |c|.
    mu : float
        Penalty of the weights.

    Returns
    -------
    KernelForm
        The form, of all points if more than half are close to another.
    """
    A, P = form.A, form.P
    spread = 1.0 + 8.0 * float(form.z.max(initial=0.0)) * float(np.abs(A).max(initial=0.0)) ** 2
    rows, columns = _close_pairs(P, own, NEGLIGIBLE * mu / (P.size * weight * spread**2 + TINY))
    return form if rows.all() else form.over(rows, columns)


@njit(cache=True)
def _exponents(products: FloatArray, rows: FloatArray, columns: FloatArray) -> None:
    """Replace inner products in place by -||a - b||^2, never positive, and minus infinity for points too far apart."""
    for i in range(rows.size):
        for j in range(columns.size):
            exponent = min(2.0 * products[i, j] - rows[i] - columns[j], 0.0)
            products[i, j] = exponent if exponent > -FARTHEST else -np.inf


@njit(cache=True)
def _close_pairs(P: FloatArray, own: IntArray, least: float) -> tuple[BoolArray, BoolArray]:
    """Which rows and columns; rows are left at their first entry, and columns looked at if few rows have one."""
    n, m = P.shape
    rows, columns = np.zeros(n, dtype=np.bool_), np.zeros(m, dtype=np.bool_)
    for i in range(n):
        for j in range(m):
            if abs(P[i, j]) > least and own[j] != i:
                rows[i] = True
                break
    if 2 * rows.sum() > n:
        rows[:], columns[:] = True, True
        return rows, columns
    for i in range(n):
        for j in range(m):
            if rows[i] and abs(P[i, j]) > least and own[j] != i:
                columns[j] = True
    return rows, columns


@njit(cache=True, fastmath=True)
def _differences(S: SingleArray, rows: SingleArray, columns: SingleArray, P: SingleArray) -> FloatArray:
    """Complete S in place by the two sums of squares; returns -2 (P * S) 1."""
    change = np.empty(rows.size)
    for i in range(rows.size):
        total, row = np.float32(0.0), rows[i]
        for j in range(columns.size):
            value = S[i, j] + row + columns[j]
            S[i, j] = value
            total += P[i, j] * value
        change[i] = -2.0 * total
    return change


@njit(cache=True, fastmath=True)
def _second_order(S: SingleArray, P: SingleArray, c: FloatArray, u: FloatArray) -> tuple[SingleArray, SingleArray]:
    """Replace S in place by P * (c S + u); returns the sums of its rows and columns."""
    rows, columns = np.empty(c.size, dtype=np.float32), np.zeros(P.shape[1], dtype=np.float32)
    for i in range(c.size):
        total, factor, offset = np.float32(0.0), np.float32(c[i]), np.float32(u[i])
        for j in range(P.shape[1]):
            value = P[i, j] * (factor * S[i, j] + offset)
            S[i, j] = value
            total += value
            columns[j] += value
        rows[i] = total
    return rows, columns
