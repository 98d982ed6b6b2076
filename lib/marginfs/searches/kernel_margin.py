"""Margin-based elimination of features from a trained kernel SVM (Aksu et al. 2008, section 3.2).

alpha and the bias stay; removing feature m changes the kernel alone. With support vectors s_k and a_k = alpha_k y_k,

    h_n = sum_k a_k K(s_k, x_n),   g_n = y_n (h_n + b),   L = ||w||^2 = sum_l a_l h_l                            (1)

where `support_gram` follows the kernel. Criteria:

    "margin"   largest gamma = N / sqrt(L)                                      (MFE_kernel)
    "rfe"      smallest L_before - L_after, which a growing L makes negative    (RFE, equation 2)
    "rfe_abs"  smallest |L_before - L_after|                                    (RFE_abs)

Ties go to the feature with the lowest index.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from marginfs.errors import ConfigError
from marginfs.searches.margin_path import (
    AtZero,
    MarginPath,
    check_choice,
    check_little,
    margin_of,
    not_separated,
)
from marginfs.searches.margin_states import STEP, Steps, as_path, describe
from marginfs.searches.support_gram import CurvedKernel, SupportGram
from marginfs.types import BoolArray, FloatArray

LeavesBy = Literal["margin", "rfe", "rfe_abs"]


def eliminate_kernel(
    X: FloatArray,
    y: FloatArray,
    alpha: FloatArray,
    b: float,
    *,
    kernel: CurvedKernel = "gaussian",
    parameter: float,
    criterion: LeavesBy = "margin",
    little: bool = False,
    at_zero: AtZero = "stop",
    soft_penalty: float = 1.0,
) -> MarginPath:
    """Eliminate features one at a time.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training samples.
    y : ndarray of shape (n,)
        Labels, -1.0 or +1.0, of both classes.
    alpha : ndarray of shape (n,)
        Multipliers of the trained SVM.
    b : float
        Its bias.
    kernel : {"gaussian", "polynomial"}
        Its kernel.
    parameter : float
        beta of the Gaussian or the degree d of the polynomial kernel.
    criterion : {"margin", "rfe", "rfe_abs"}
        The rule by which features leave.
    little : bool
        Optimise slope and intercept at every step; the choice of "margin" is then by the margin after it.
    at_zero : {"stop", "soft"}
        "stop" ends the path before the first removal that leaves no positive margin and ranks the rest by the last
        criterion; "soft" goes on, "margin" then by the objective L/2 + soft_penalty sum_n max(0, 1 - g_n), as in
        `marginfs.searches.linear_margin.by_margin`.
    soft_penalty : float
        Weight of the hinge losses in that objective.

    Returns
    -------
    MarginPath
        The record of all states.
    """
    check_choice("kernel", kernel, ("gaussian", "polynomial"))
    check_choice("criterion", criterion, ("margin", "rfe", "rfe_abs"))
    check_little(little)
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
    features = machine.gram.features
    while features.size > 1:
        score, soft = machine.scores(steps[done], criterion, soft_penalty if at_zero == "soft" else 0.0)
        chosen = int(np.argmin(score))
        if soft[chosen] and at_zero == "stop":
            break
        done += 1
        steps[done] = steps[done - 1]
        steps[done]["feature"], steps[done]["soft"] = features[chosen], soft[chosen] and criterion == "margin"
        steps[done]["evaluated"] = features.size
        machine.gram.remove(np.array([chosen]))
        features = machine.gram.features
        machine.describe(steps[done : done + 1])
        score = np.zeros(1)
    survivors = features[np.argsort(score, kind="stable")[::-1]]
    return as_path(steps[: done + 1], survivors, (alpha * y)[None, :], little)


class _KernelMachine:
    """The trained SVM restricted to the features that remain; samples stand with the positive ones first."""

    def __init__(
        self,
        X: FloatArray,
        y: FloatArray,
        alpha: FloatArray,
        b: float,
        kernel: CurvedKernel,
        parameter: float,
        little: bool,
    ) -> None:
        self.n_pos = int(np.count_nonzero(y > 0))
        order = np.argsort(-y, kind="stable")
        self.y = y[order]
        self.support = np.flatnonzero(alpha[order] > 0.0)
        self.a = (alpha[order] * self.y)[self.support]
        self.b, self.little = b, little
        self.gram = SupportGram(X[order], self.support, kernel, parameter)

    def describe(self, state: Steps) -> None:
        """Write N, L and the plane of the present machine into the record of one state."""
        h = self.a @ self.gram.values
        state["length"] = self.a @ h[self.support]
        describe(self.y * h if self.little else self.y * (h + self.b), self.n_pos, self.little, state[0])

    def _numerators(self, g: FloatArray) -> FloatArray:
        """N of every row of g: its smallest entry, or what the little optimisation makes of the classes' extremes."""
        if not self.little:
            return np.asarray(g.min(axis=1))
        positive, negative = g[:, : self.n_pos], g[:, self.n_pos :]
        low, high = positive.min(axis=1) + negative.min(axis=1), positive.max(axis=1) + negative.max(axis=1)
        return np.asarray(np.where(high < 0.0, -0.5 * high, 0.5 * low))

    def scores(self, state: Steps, criterion: LeavesBy, soft_penalty: float) -> tuple[FloatArray, BoolArray]:
        """For every feature left: its criterion, smallest first to go, and whether its removal ends the separation.

        Where "margin" finds no removal that keeps it, a positive penalty makes the soft-margin objective the criterion.
        """
        h = self.gram.responses_without(self.a)
        length = h[:, self.support] @ self.a
        numerator = self._numerators(self.y * (h if self.little else h + self.b))
        floor = 1e-14 * np.square(np.abs(self.a).sum()) * self.gram.largest
        gamma = margin_of(numerator, np.where(length > floor, length, 0.0))
        lost = ~(gamma > 0.0)
        if criterion == "margin":
            if lost.all() and soft_penalty > 0.0:
                loss = np.maximum(0.0, 1.0 - self.y * (state["sign"] * h + state["shift"])).sum(axis=1)
                return 0.5 * length + soft_penalty * loss, lost
            return np.nan_to_num(-gamma, nan=np.inf), lost
        change: FloatArray = float(state["length"]) - length
        return (change if criterion == "rfe" else np.abs(change)), lost
