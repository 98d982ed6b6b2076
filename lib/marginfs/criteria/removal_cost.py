"""What the dual objective loses with each feature, the multipliers kept (equation 4.37 of planas2021), for all at once.

    DJ(k) = 1/2 (alpha'H alpha - alpha'H(-k) alpha),   H_ij = y_i y_j k(x_i, x_j)

H(-k) is H without feature k; a number of features by which inner products are divided stays what it is. For the
polynomial kernel (B_ij - s x_ik x_jk)^p is expanded by the binomial theorem, so that all features together are p matrix
products; for the Gaussian, removal multiplies an entry by exp(gamma (x_ik - x_jk)^2).
"""

from __future__ import annotations

from math import comb
from typing import Literal, get_args

import numpy as np
from numba import njit

from marginfs.errors import ConfigError
from marginfs.kernels import GAUSSIAN
from marginfs.solvers.gaussian_removal import exp_minus_two
from marginfs.solvers.kernel_svm import KernelSvm
from marginfs.solvers.moving_gram import power
from marginfs.types import FloatArray, IntArray

Reading = Literal["written", "run", "run_positive"]
_FAST = {"reassoc", "contract", "nsz"}
_BLOCK = 256
_LOST = 2.0**-56
"""Share of a positive number that can be added to it without a change, with room for rounding."""
_TINY = 1e-300
"""More than a sum of numbers that are taken for zero because they are too small."""


def removal_costs(machine: KernelSvm, reading: Reading = "written") -> FloatArray:
    """DJ(k) for every feature k of a trained machine.

    Parameters
    ----------
    machine : KernelSvm
        The machine.
    reading : {"written", "run", "run_positive"}
        Coefficients of H. "written": alpha_i y_i, as equation 4.37 says. "run": alpha_i, which is what comes out where
        the labels are applied twice. "run_positive": the same with labels 0 and 1, so that only support vectors of the
        greater label count. In the last two, points that are no support vectors have the weight one, as they had where
        that was run: they do not change with the feature, but both totals hold them, and what is below the last digit
        of a total is lost. So with large kernel values nearly all features tie (see `unmoved`).

    Returns
    -------
    ndarray of shape (f,)
        The losses, in the order of the machine's features.
    """
    if reading not in get_args(Reading):
        raise ConfigError(f"criterion is {reading!r}: write one of {', '.join(get_args(Reading))}.")
    alpha, signs = machine.solution.alpha, machine.signs
    factors = {"written": signs, "run": np.ones(signs.size), "run_positive": np.maximum(signs, 0.0)}
    coefficients = alpha * factors[reading]
    used = np.flatnonzero(coefficients)
    v, columns = coefficients[used], np.ascontiguousarray(machine.gram.left[:, used])
    kernel, sums = machine.gram.kernel, _square(machine.gram.sums, used)
    K = machine.gram.values(sums)
    if kernel.code == GAUSSIAN:
        if reading == "written":
            return _gaussian(K, sums, columns, v, kernel.gamma)
        whole, without = _gaussian_totals(K, sums, columns, v, kernel.gamma)
    else:
        degree, offset = (kernel.degree, kernel.offset) if kernel.name == "polynomial" else (1, 0.0)
        losses = _polynomial(sums, columns, v, machine.gram.scale, offset, degree)
        if reading == "written":
            return losses
        whole = float(v @ K @ v)
        without = whole - 2.0 * losses
    rest = unmoved(machine)
    return np.asarray(0.5 * ((rest + whole) - (rest + without)))


def unmoved(machine: KernelSvm) -> float:
    """What both totals of the readings as run hold in common.

    Parameters
    ----------
    machine : KernelSvm
        The machine.

    Returns
    -------
    float
        Sum of b_i b_j k(x_i, x_j) over all pairs that are not two support vectors; b_i is alpha_i y_i, or one where
        alpha_i is zero.
    """
    alpha = machine.solution.alpha
    others = np.flatnonzero(alpha == 0.0)
    weights = np.where(alpha > 0.0, 2.0 * alpha * machine.signs, 1.0)
    return float(np.sum(machine.gram.values(machine.gram.sums[others]) @ weights))


@njit(cache=True)
def _square(A: FloatArray, used: IntArray) -> FloatArray:
    """The rows and columns of A that are used."""
    out = np.empty((used.size, used.size))
    for i in range(used.size):
        row = A[used[i]]
        for j in range(used.size):
            out[i, j] = row[used[j]]
    return out


def _polynomial(
    products: FloatArray, columns: FloatArray, v: FloatArray, scale: float, offset: float, degree: int
) -> FloatArray:
    """-1/2 sum_r (p over r) (-s)^r z_r'B^(p-r)z_r over r = 1..p, where z_r = v x_k^r and B = s XX' + offset."""
    total, Z = np.zeros(len(columns)), columns * v
    for r in range(1, degree):
        forms = _quadratic_forms(Z, products, scale, offset, degree - r)
        total -= 0.5 * comb(degree, r) * (-scale) ** r * forms
        Z *= columns
    return np.asarray(total - 0.5 * (-scale) ** degree * Z.sum(axis=1) ** 2)


def _quadratic_forms(Z: FloatArray, products: FloatArray, scale: float, offset: float, degree: int) -> FloatArray:
    """Forms z'Bz of every row z of Z, B = (s XX' + offset)^degree; only its upper triangle, in blocks of rows."""
    total = np.zeros(len(Z))
    for start in range(0, len(products), _BLOCK):
        stop = start + _BLOCK
        rows, own = products[start:stop], Z[:, start:stop]
        B = np.empty((len(rows), len(products) - start))
        power(rows, scale, offset, degree, B, start)
        part = own @ B
        width = own.shape[1]
        total += np.einsum("ki,ki->k", part[:, :width], own)
        total += 2.0 * np.einsum("ki,ki->k", part[:, width:], Z[:, stop:])
    return total


@njit(cache=True, fastmath=_FAST)
def _any_growth(
    squares: FloatArray, x: FloatArray, v: FloatArray, gamma: float, i: int, start: int, stop: int
) -> float:
    """sum_{start <= j < stop} v_j K(-k)_ij, from the whole exponent."""
    total = 0.0
    for j in range(start, stop):
        total += v[j] * np.exp(-gamma * max(squares[i, j] - (x[i] - x[j]) ** 2, 0.0))
    return total


@njit(cache=True, fastmath=_FAST)
def _short_growth(weights: FloatArray, scaled: FloatArray, i: int, stop: int) -> float:
    """sum_{j < stop} weights_j exp(t_ij), t_ij = 2 (scaled_i - scaled_j)^2 being at most 4."""
    total, own = 0.0, scaled[i]
    for j in range(stop):
        difference = own - scaled[j]
        total += weights[j] * exp_minus_two(difference * difference)
    return float(total * np.exp(2.0))


@njit(cache=True, fastmath=_FAST)
def _long_growth(weights: FloatArray, scaled: FloatArray, i: int, stop: int) -> float:
    """The same for t_ij = 32 (scaled_i - scaled_j)^2 up to 64."""
    total, own = 0.0, scaled[i]
    for j in range(stop):
        difference = own - scaled[j]
        root = exp_minus_two(difference * difference)
        square = root * root
        fourth = square * square
        eighth = fourth * fourth
        total += weights[j] * (eighth * eighth)
    return float(total * np.exp(32.0))


@njit(cache=True)
def _scaled(columns: FloatArray, gamma: float) -> tuple[FloatArray, IntArray]:
    """Columns for the growths, and which of these each needs: short (0), long (1) or any (2)."""
    scaled, kind = np.sqrt(0.5 * gamma) * columns, np.zeros(len(columns), dtype=np.int64)
    for k in range(len(columns)):
        reach = 2.0 * (scaled[k].max() - scaled[k].min()) ** 2
        if reach > 4.0:
            scaled[k] /= 4.0
            kind[k] = 1 if reach <= 64.0 else 2
    return scaled, kind


@njit(cache=True)
def _gaussian(K: FloatArray, squares: FloatArray, columns: FloatArray, v: FloatArray, gamma: float) -> FloatArray:
    """sum_{j < i} v_i v_j (K - K(-k))_ij: the diagonal stays, so it is left out and nothing cancels with it."""
    scaled, kind = _scaled(columns, gamma)
    costs = np.zeros(len(columns))
    for i in range(v.size):
        weights = v[:i] * K[i, :i]
        present = np.sum(weights)
        for k in range(len(columns)):
            if kind[k] == 0:
                row = _short_growth(weights, scaled[k], i, i)
            elif kind[k] == 1:
                row = _long_growth(weights, scaled[k], i, i)
            else:
                row = _any_growth(squares, columns[k], v, gamma, i, 0, i)
            costs[k] += v[i] * (present - row)
    return costs


@njit(cache=True)
def _ends(columns: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Least and greatest value of every column."""
    lowest, highest = np.empty(len(columns)), np.empty(len(columns))
    for k in range(len(columns)):
        lowest[k], highest[k] = columns[k].min(), columns[k].max()
    return lowest, highest


@njit(cache=True)
def _gaussian_totals(
    K: FloatArray, squares: FloatArray, columns: FloatArray, v: FloatArray, gamma: float
) -> tuple[float, FloatArray]:
    """v'Kv, and v'K(-k)v for every k, by rows that hold the diagonal: what is below its last digit is lost.

    v is not negative. Off the diagonal a row grows by at most exp(gamma d^2), d being the distance to the farthest
    point. Where even that would be lost, nothing is computed.
    """
    scaled, kind = _scaled(columns, gamma)
    totals, whole, n = np.zeros(len(columns)), 0.0, v.size
    lowest, highest = _ends(columns)
    for i in range(n):
        weights = v * K[i]
        weights[i] = 0.0
        present = np.sum(weights)
        whole += v[i] * (v[i] + present)
        room = np.log(_LOST * v[i] / (present + _TINY))
        for k in range(len(columns)):
            farthest = max(columns[k, i] - lowest[k], highest[k] - columns[k, i])
            if gamma * farthest * farthest < room:
                row = 0.0
            elif kind[k] == 0:
                row = _short_growth(weights, scaled[k], i, n)
            elif kind[k] == 1:
                row = _long_growth(weights, scaled[k], i, n)
            else:
                row = _any_growth(squares, columns[k], v, gamma, i, 0, i)
                row += _any_growth(squares, columns[k], v, gamma, i, i + 1, n)
            totals[k] += v[i] * (v[i] + row)
    return whole, totals
