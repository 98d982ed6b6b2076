"""The kernel support vector machine with the smoothed hinge, in the primal (tayal2014, problem 7 at fixed weights).

    minimise  1/2 b'Kb + C sum_i V(y_i f_i),   f = Kb + c      over the signed coefficients b_i = y_i u_i and the bias c

At the optimum b_i = C y_i on the linear part of the loss (set L), 0 beyond the margin, and on its quadratic part (Q)

    (K_QQ + 2 epsilon / C I) b_Q + c = y_Q - K_QL b_L,   sum b = 0.

That is a Newton step of the primal; where a full step would overshoot, an exact search along it ends earlier. The last
step is a full one and depends on the sets alone, so that a warm start changes the time and not one bit of the answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from marginfs.errors import ConfigError, DataError, MarginfsError
from marginfs.solvers.smoothed_hinge import bends, check_epsilon, loss, pull
from marginfs.types import FloatArray

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
    quadratic : ndarray of bool
        The points on the quadratic part of the loss.
    objective : float
        Norm term and losses.
    rounds : int
        Linear systems solved.
    """

    coefficients: FloatArray
    bias: float
    scores: FloatArray
    quadratic: npt.NDArray[np.bool_]
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
    check_penalty("C", C)
    check_epsilon(epsilon)
    if y.min() > 0.0 or y.max() < 0.0:
        raise DataError("the labels hold a single class: a support vector machine needs points of both.")
    b, bias = (np.zeros(y.size), 0.0) if start is None else (start.coefficients, start.bias)
    f = K @ b + bias
    for rounds in range(1, MAX_ROUNDS + 1):
        quadratic, linear = _sets(y * f, epsilon)
        if not quadratic.any():
            f, bias = _centred(f, bias, y, epsilon)
            quadratic, linear = _sets(y * f, epsilon)
        target, target_bias = _newton(K, y, quadratic, linear, C, epsilon, bias)
        target_f = K @ target + target_bias
        same = all(map(np.array_equal, _sets(y * target_f, epsilon), (quadratic, linear)))
        step = 0.0 if same else _length(K, y, (b, f), (target, target_f), C, epsilon)
        if step == 0.0:
            value = 0.5 * float(target @ (target_f - target_bias)) + C * float(loss(y * target_f, epsilon).sum())
            return SmoothedSolution(target, target_bias, target_f, quadratic, value, rounds)
        b, bias, f = b + step * (target - b), bias + step * (target_bias - bias), f + step * (target_f - f)
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


def _sets(margin: FloatArray, epsilon: float) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Q and L as masks."""
    return bends(margin, epsilon), np.asarray(1.0 - margin > 2.0 * epsilon)


def _newton(
    K: FloatArray,
    y: FloatArray,
    quadratic: npt.NDArray[np.bool_],
    linear: npt.NDArray[np.bool_],
    C: float,
    epsilon: float,
    bias: float,
) -> tuple[FloatArray, float]:
    """The optimum if Q and L are right; without Q the bias stays."""
    b = np.where(linear, C * y, 0.0)
    q, fixed = np.flatnonzero(quadratic), np.flatnonzero(linear)
    if q.size:
        M = K[np.ix_(q, q)]
        M[np.diag_indices_from(M)] += 2.0 * epsilon / C
        right = np.column_stack([y[q] - K[np.ix_(q, fixed)] @ b[fixed], np.ones(q.size)])
        values = np.linalg.solve(M, right)
        bias = float((values[:, 0].sum() + b[fixed].sum()) / values[:, 1].sum())
        b[q] = values[:, 0] - bias * values[:, 1]
    return b, bias


def _centred(f: FloatArray, bias: float, y: FloatArray, epsilon: float) -> tuple[FloatArray, float]:
    """Move the bias to the minimum of the losses, by bisection of their slope, which rises with it."""
    reach = 1.0 + float(np.abs(f).max())
    low, high = -reach, reach
    for _ in range(80):
        middle = 0.5 * (low + high)
        slope = -float(y @ pull(y * (f + middle), epsilon))
        if slope == 0.0:
            break
        low, high = (middle, high) if slope < 0.0 else (low, middle)
    return f + middle, bias + middle


def _length(
    K: FloatArray,
    y: FloatArray,
    here: tuple[FloatArray, FloatArray],
    target: tuple[FloatArray, FloatArray],
    C: float,
    epsilon: float,
) -> float:
    """How far to go from (b, f) towards the target, at most all the way: to where the objective stops falling.

    Zero where it falls by no more than its rounding error: points that lie on the border of two sets, and only those,
    can hop between them for ever.
    """
    (b, f), db, df = here, target[0] - here[0], target[1] - here[1]
    Kdb = K @ db
    along, bend = float(b @ Kdb), float(db @ Kdb)

    def slope(t: float) -> float:
        return along + t * bend - C * float((y * df) @ pull(y * (f + t * df), epsilon))

    if -slope(0.0) <= _STILL * C * float(loss(y * f, epsilon).sum()):
        return 0.0
    if slope(1.0) <= 0.0:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if slope(middle) <= 0.0 else (low, middle)
    return high
