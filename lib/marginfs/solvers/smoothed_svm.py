"""The kernel support vector machine with the smoothed hinge, in the primal (tayal2014, problem 7 at fixed weights).

    minimise  1/2 b'Kb + C sum_i V(y_i f_i),   f = Kb + c      over the signed coefficients b_i = y_i u_i and the bias c

At the optimum b_i = C y_i on the linear part of the loss (set L), 0 beyond the margin, and on its quadratic part (Q)

    (K_QQ + 2 epsilon / C I) b_Q + c = y_Q - K_QL b_L,   sum b = 0.

That is a Newton step of the primal; where a full step would overshoot, an exact search along it ends earlier. A warm
start gives its sets, which change little where the kernel or C do. The last step is a full one and depends on the sets
alone, so that a warm start changes the time and not one bit of the answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from marginfs.errors import ConfigError, DataError, MarginfsError
from marginfs.solvers.ridge_block import RidgeBlock
from marginfs.solvers.smoothed_hinge import bends, check_epsilon, loss, pull
from marginfs.types import FloatArray

Sets = tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]
"""Q and L as masks over the points."""
MAX_ROUNDS = 500
_STILL = 1e-13


@dataclass(frozen=True, slots=True)
class SmoothedSolution:
    """Optimum of the smoothed machine.

    Attributes
    ----------
    coefficients : ndarray of shape (n,)
        Signed coefficients y_i u_i; zero beyond the margin.
    bias : float
        Offset of the decision function.
    scores : ndarray of shape (n,)
        Decision values of the training points.
    quadratic, linear : ndarray of bool
        The points on the quadratic and on the linear part of the loss.
    objective : float
        Norm term and losses.
    rounds : int
        Linear systems solved.
    """

    coefficients: FloatArray
    bias: float
    scores: FloatArray
    quadratic: npt.NDArray[np.bool_]
    linear: npt.NDArray[np.bool_]
    objective: float
    rounds: int


def solve_smoothed(
    K: FloatArray, y: FloatArray, *, C: float, epsilon: float = 0.5, start: SmoothedSolution | None = None
) -> SmoothedSolution:
    """Train the machine.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix.
    y : ndarray of shape (n,)
        Labels -1.0 and +1.0.
    C : float
        Penalty of the losses.
    epsilon : float
        Half the width of the quadratic part of the loss.
    start : SmoothedSolution, optional
        Solution of a neighbouring problem (other C, other kernel).

    Returns
    -------
    SmoothedSolution
        The optimum. The cost is a linear system on Q per round, two or three rounds from a good start.
    """
    return solve_and_factor(K, y, C=C, epsilon=epsilon, start=start)[0]


def solve_and_factor(
    K: FloatArray, y: FloatArray, *, C: float, epsilon: float = 0.5, start: SmoothedSolution | None = None
) -> tuple[SmoothedSolution, RidgeBlock]:
    """Train the machine, and keep the last linear system.

    Parameters
    ----------
    K, y, C, epsilon, start
        As of `solve_smoothed`.

    Returns
    -------
    solution : SmoothedSolution
        The optimum.
    block : RidgeBlock
        The system on Q: K_QQ + 2 epsilon / C I.
    """
    check_penalty("C", C)
    check_epsilon(epsilon)
    if y.min() > 0.0 or y.max() < 0.0:
        raise DataError("the labels hold a single class: a support vector machine needs points of both.")
    here, sets = _begin(K, y, epsilon, start)
    bias = 0.0 if start is None else start.bias
    for rounds in range(1, MAX_ROUNDS + 1):
        block = RidgeBlock(K, np.flatnonzero(sets[0]), 2.0 * epsilon / C)
        target = _newton(K, y, sets, C, block, bias if here is None else here.bias)
        step = 0.0
        if not all(map(np.array_equal, _sets(y * target.f, epsilon), sets)):
            step = 1.0 if here is None else _length(y, here, target, C, epsilon)
        if step == 0.0:
            value = 0.5 * float(target.b @ (target.f - target.bias)) + C * float(loss(y * target.f, epsilon).sum())
            return SmoothedSolution(target.b, target.bias, target.f, *sets, value, rounds), block
        here, sets = _centred(target if here is None else here.towards(target, step), y, epsilon)
    raise MarginfsError(f"the smoothed support vector machine did not settle in {MAX_ROUNDS} rounds at C = {C:g}.")


def check_penalty(name: str, value: float) -> None:
    """Refuse a penalty that is not a positive finite number.

    Parameters
    ----------
    name : str
        The option's name.
    value : float
        What was given.
    """
    if not 0.0 < value < np.inf:
        raise ConfigError(f"{name} is {value}: write a positive number.")


class _Iterate(NamedTuple):
    """Coefficients, bias and scores."""

    b: FloatArray
    bias: float
    f: FloatArray

    def towards(self, other: _Iterate, step: float) -> _Iterate:
        """A share of the way to another iterate."""
        bias = self.bias + step * (other.bias - self.bias)
        return _Iterate(self.b + step * (other.b - self.b), bias, self.f + step * (other.f - self.f))


def _begin(
    K: FloatArray, y: FloatArray, epsilon: float, start: SmoothedSolution | None
) -> tuple[_Iterate | None, Sets]:
    """Where the iteration begins: at the sets of the start, which need no iterate, else at its coefficients or zero."""
    if start is None:
        return _centred(_Iterate(np.zeros(y.size), 0.0, np.zeros(y.size)), y, epsilon)
    if not start.quadratic.any():
        return _centred(_Iterate(start.coefficients, start.bias, K @ start.coefficients + start.bias), y, epsilon)
    return None, (start.quadratic, start.linear)


def _sets(margin: FloatArray, epsilon: float) -> Sets:
    """Q and L as masks."""
    return bends(margin, epsilon), np.asarray(1.0 - margin > 2.0 * epsilon)


def _newton(K: FloatArray, y: FloatArray, sets: Sets, C: float, block: RidgeBlock, bias: float) -> _Iterate:
    """The optimum if Q and L are right; without Q the bias stays."""
    quadratic, linear = sets
    b = np.where(linear, C * y, 0.0)
    right = y - K @ b if linear.any() else y
    q = np.flatnonzero(quadratic)
    if q.size:
        fitted, ones = block.solve(np.column_stack([right[q], np.ones(q.size)])).T
        bias = float((fitted.sum() + b.sum()) / ones.sum())
        b[q] = fitted - bias * ones
    return _Iterate(b, bias, K @ b + bias)


def _centred(here: _Iterate, y: FloatArray, epsilon: float) -> tuple[_Iterate, Sets]:
    """The sets of an iterate.

    Where no loss bends, the bias first moves to the minimum of the losses, by bisection of their slope, which rises
    with it.
    """
    sets = _sets(y * here.f, epsilon)
    if sets[0].any():
        return here, sets
    reach = 1.0 + float(np.abs(here.f).max())
    low, high = -reach, reach
    for _ in range(80):
        middle = 0.5 * (low + high)
        slope = -float(y @ pull(y * (here.f + middle), epsilon))
        if slope == 0.0:
            break
        low, high = (middle, high) if slope < 0.0 else (low, middle)
    moved = _Iterate(here.b, here.bias + middle, here.f + middle)
    return moved, _sets(y * moved.f, epsilon)


def _length(y: FloatArray, here: _Iterate, target: _Iterate, C: float, epsilon: float) -> float:
    """How far to go towards the target, at most all the way: to where the objective stops falling.

    Zero where it falls by no more than its rounding error: points that lie on the border of two sets, and only those,
    can hop between them for ever.
    """
    db = target.b - here.b
    Kdb = (target.f - target.bias) - (here.f - here.bias)
    along, bend = float(here.b @ Kdb), float(db @ Kdb)
    return _where_slope_ends(along, bend, y * here.f, y * (target.f - here.f), C, epsilon)


@njit(cache=True)
def _where_slope_ends(
    along: float, bend: float, margin: FloatArray, change: FloatArray, C: float, epsilon: float
) -> float:
    """The zero in [0, 1] of along + t bend - C sum_i change_i pull(margin_i + t change_i), by bisection."""
    losses, width = 0.0, 2.0 * epsilon
    for m in margin:
        gap = max(1.0 - m, 0.0)
        losses += gap - epsilon if gap > width else gap * gap / (2.0 * width)
    low, high, t = 0.0, 1.0, 0.0
    for trial in range(42):
        slope = along + t * bend
        for i in range(margin.size):
            slope -= C * change[i] * min(max((1.0 - margin[i] - t * change[i]) / width, 0.0), 1.0)
        if trial == 0 and -slope <= _STILL * C * losses:
            return 0.0
        if trial == 1 and slope <= 0.0:
            return 1.0
        if trial >= 1 and slope > 0.0:
            high = t
        elif trial >= 1:
            low = t
        t = 1.0 if trial == 0 else 0.5 * (low + high)
    return high
