"""Margin-based elimination of features from a trained kernel SVM (Aksu et al. 2008, section 3.2).

alpha and the bias stay; removing feature m changes the kernel alone. With support vectors s_k and a_k = alpha_k y_k,

    h_n = sum_k a_k K(s_k, x_n),   g_n = y_n (h_n + b),   L = ||w||^2 = sum_l a_l h_l                            (1)

and the kernel matrix follows by recursion, without a new Gram matrix for any candidate:

    Gaussian exp(-beta ||u - v||^2):   K_kn <- K_kn exp(beta (s_km - x_nm)^2)                                    (3)
    polynomial (1 + u.v)^d:            1 + u.v <- 1 + u.v - s_km x_nm, then the power

With u = s_km and v = x_nm a removal acts on the matrix through powers of u v alone:

    exp(beta (u - v)^2) = exp(beta u^2) exp(beta v^2) sum_r (-2 beta)^r / r! u^r v^r
    (B - u v)^d = sum_r binomial(d, r) (-1)^r B^(d - r) u^r v^r

so h for *all* candidates is a short sum of matrix products, one per power; the exponential series takes about ten.
Features too wide for a short series are worked out pair by pair. Criteria:

    "margin"   largest gamma = N / sqrt(L)                                      (MFE_kernel)
    "rfe"      smallest L_before - L_after, which a growing L makes negative    (RFE, equation 2)
    "rfe_abs"  smallest |L_before - L_after|                                    (RFE_abs)

Ties go to the feature with the lowest index. The matrix is recomputed from the data whenever half of the features is
gone, which also brings back kernel values that had underflowed.
"""

from __future__ import annotations

from math import comb, factorial
from typing import Literal

import numpy as np
import numpy.typing as npt
from numba import njit

from marginfs.errors import ConfigError
from marginfs.kernels import Kernel
from marginfs.searches.margin_path import (
    AtZero,
    MarginPath,
    check_choice,
    margin_of,
    not_separated,
    require_both_classes,
)
from marginfs.searches.margin_steps import STEP, Steps, as_path, describe
from marginfs.types import FloatArray, IntArray

Family = Literal["gaussian", "polynomial"]
Criterion = Literal["margin", "rfe", "rfe_abs"]

NARROW = 1.0
"""A feature with 2 beta |u v| up to this takes the series, which there loses nothing to cancellation."""

_T3, _T4, _T5, _T6, _T7, _T8, _T9 = (1.0 / factorial(k) for k in range(3, 10))


def eliminate_kernel(
    X: FloatArray,
    y: FloatArray,
    alpha: FloatArray,
    b: float,
    *,
    kernel: Family = "gaussian",
    parameter: float,
    criterion: Criterion = "margin",
    little: bool = False,
    at_zero: AtZero = "stop",
    soft_penalty: float = 1.0,
) -> MarginPath:
    """Eliminate features one at a time; `parameter` is beta of the Gaussian or the degree d of the polynomial kernel.

    little: optimise slope and intercept at every step; the choice of "margin" is then by the margin after it.
    at_zero: "stop" ends the path before the first removal that leaves no positive margin and ranks the rest by the
    last criterion; "soft" goes on, "margin" then by the objective L/2 + soft_penalty sum_n max(0, 1 - g_n), as in
    `marginfs.searches.margin.by_margin`.
    """
    check_choice("kernel", kernel, ("gaussian", "polynomial"))
    check_choice("criterion", criterion, ("margin", "rfe", "rfe_abs"))
    check_choice("at_zero", at_zero, ("stop", "soft"))
    if parameter <= 0.0 or (kernel == "polynomial" and parameter != int(parameter)):
        raise ConfigError(f"The {kernel} kernel has parameter {parameter}; write a positive beta or a whole degree.")
    machine = _KernelMachine(X, y, alpha, b, kernel, parameter, little)
    steps: Steps = np.zeros(X.shape[1], dtype=STEP)
    steps[0]["sign"], steps[0]["shift"] = 1.0, b
    machine.describe(steps[:1])
    if steps[0]["numerator"] <= 0.0 and at_zero == "stop":
        raise not_separated(steps[0]["numerator"])
    done = 0
    score = np.zeros(1)
    while machine.retained.size > 1:
        score, soft = machine.scores(steps[done], criterion, soft_penalty if at_zero == "soft" else 0.0)
        chosen = int(np.argmin(score))
        if soft[chosen] and at_zero == "stop":
            break
        done += 1
        steps[done] = steps[done - 1]
        steps[done]["feature"], steps[done]["soft"] = machine.retained[chosen], soft[chosen] and criterion == "margin"
        steps[done]["evaluated"] = machine.retained.size
        machine.remove(chosen)
        machine.describe(steps[done : done + 1])
        score = np.zeros(1)
    remaining = machine.retained[np.argsort(score, kind="stable")[::-1]]
    return as_path(steps[: done + 1], remaining, (alpha * y)[None, :], little)


def kernel_of(family: Family, parameter: float) -> Kernel:
    """The kernel in this paper's terms: exp(-beta ||u - v||^2) or (1 + u.v)^d."""
    if family == "gaussian":
        return Kernel("gaussian", sigma=float(np.sqrt(0.5 / parameter)))
    return Kernel("polynomial", degree=int(parameter), offset=1.0)


class _KernelMachine:
    """The trained SVM restricted to the retained features; samples stand with the positive ones first."""

    def __init__(
        self, X: FloatArray, y: FloatArray, alpha: FloatArray, b: float, kernel: Family, parameter: float, little: bool
    ) -> None:
        self.n_pos = int(np.count_nonzero(y > 0))
        require_both_classes(self.n_pos, y.size)
        order = np.argsort(-y, kind="stable")
        self.columns = np.ascontiguousarray(X[order].T)
        self.y = y[order]
        self.support = np.flatnonzero(alpha[order] > 0.0)
        self.a = (alpha[order] * self.y)[self.support]
        self.b = b
        self.gaussian, self.parameter, self.little = kernel == "gaussian", parameter, little
        self.retained: IntArray = np.arange(X.shape[1], dtype=np.int64)
        self._synchronise()

    def _synchronise(self) -> None:
        """The kernel matrix (Gaussian) or 1 + u.v (polynomial) of the retained features from the data."""
        V = self.columns[self.retained].T
        kernel = kernel_of("gaussian", self.parameter) if self.gaussian else kernel_of("polynomial", 1.0)
        self.matrix = kernel.matrix(V[self.support], V)
        self.synchronised_at = self.retained.size

    def remove(self, chosen: int) -> None:
        """The recursion (3) for one removed feature."""
        x = self.columns[self.retained[chosen]]
        self.retained = np.delete(self.retained, chosen)
        if 2 * self.retained.size <= self.synchronised_at:
            self._synchronise()
        elif self.gaussian:
            self.matrix *= np.exp(self.parameter * np.square(x[self.support][:, None] - x))
        else:
            self.matrix -= x[self.support][:, None] * x

    def describe(self, state: Steps) -> None:
        """Write N, L and the plane of the present machine into the record of one state."""
        h = self.a @ (self.matrix if self.gaussian else self.matrix ** int(self.parameter))
        state["length"] = self.a @ h[self.support]
        describe(self.y * h if self.little else self.y * (h + self.b), self.n_pos, self.little, state[0])

    def responses(self) -> FloatArray:
        """The h that the removal of each retained feature alone leaves, one row per feature."""
        V = self.columns[self.retained]
        U = V[:, self.support]
        if not self.gaussian:
            degree = int(self.parameter)
            coefficients = [(-1.0) ** r * comb(degree, r) for r in range(degree + 1)]
            powers = [self.matrix ** (degree - r) for r in range(degree + 1)]
            return _power_sum(V, U, np.broadcast_to(self.a, U.shape), coefficients, powers)
        beta = self.parameter
        width = 2.0 * beta * np.abs(U).max(axis=1) * np.abs(V).max(axis=1)
        narrow = width <= NARROW
        h = np.zeros_like(V)
        if narrow.any():
            series = _exponential_series(float(width[narrow].max()))
            coefficients = [c * (-2.0 * beta) ** r for r, c in enumerate(series)]
            v, u = V[narrow], U[narrow]
            weights = self.a * np.exp(beta * u**2)
            h[narrow] = np.exp(beta * v**2) * _power_sum(v, u, weights, coefficients, [self.matrix] * len(series))
        buffer = np.empty(self.y.size)
        for j in np.flatnonzero(~narrow):
            _gaussian_response(V[j], self.support, self.matrix, self.a, beta, h[j], buffer)
        return h

    def _numerators(self, g: FloatArray) -> FloatArray:
        """N of every row of g: its smallest entry, or what the little optimisation makes of the classes' extremes."""
        if not self.little:
            return np.asarray(g.min(axis=1))
        positive, negative = g[:, : self.n_pos], g[:, self.n_pos :]
        low, high = positive.min(axis=1) + negative.min(axis=1), positive.max(axis=1) + negative.max(axis=1)
        return np.asarray(np.where(high < 0.0, -0.5 * high, 0.5 * low))

    def scores(
        self, state: Steps, criterion: Criterion, soft_penalty: float
    ) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
        """For every retained feature: its criterion, smallest first to go, and whether its removal ends the separation.

        Where "margin" finds no removal that keeps it, a positive penalty makes the soft-margin objective the criterion.
        """
        h = self.responses()
        length = h[:, self.support] @ self.a
        numerator = self._numerators(self.y * (h if self.little else h + self.b))
        largest = np.abs(self.matrix).max() ** (1 if self.gaussian else int(self.parameter))
        floor = 1e-14 * np.square(np.abs(self.a).sum()) * largest
        gamma = margin_of(numerator, np.where(length > floor, length, 0.0))
        lost = ~(gamma > 0.0)
        if criterion == "margin":
            if lost.all() and soft_penalty > 0.0:
                loss = np.maximum(0.0, 1.0 - self.y * (state["sign"] * h + state["shift"])).sum(axis=1)
                return 0.5 * length + soft_penalty * loss, lost
            return np.nan_to_num(-gamma, nan=np.inf), lost
        change: FloatArray = float(state["length"]) - length
        return (change if criterion == "rfe" else np.abs(change)), lost


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
