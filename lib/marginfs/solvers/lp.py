"""A weighted 1-norm linear program that is re-solved under new weights and on fewer features."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import highspy
import numpy as np

from marginfs.errors import DataError
from marginfs.types import BoolArray, FloatArray

PRIMAL_SIMPLEX = 4
OTHER_SETTINGS: tuple[dict[str, Any], ...] = ({}, {"presolve": "on"}, {"simplex_scale_strategy": 4}, {"solver": "ipm"})
"""What HiGHS is told after it gave up, one thing more each time: first to forget the basis."""


def persistent(solve: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Try other settings where HiGHS gives up, as it does on nearly singular data.

    Programs that it solves are solved as before, so the hash of a job's source looks through this decorator.

    Parameters
    ----------
    solve : callable
        `WeightedNormLP.solve`.

    Returns
    -------
    callable
        The same; DataError where nothing helps.
    """

    @functools.wraps(solve)
    def _solve(program: WeightedNormLP) -> Any:
        highs = program._highs
        for settings in (None, *OTHER_SETTINGS):
            if settings is not None:
                highs.clearSolver()
            for name, value in (settings or {}).items():
                highs.setOptionValue(name, value)
            try:
                return solve(program)
            except RuntimeError as error:
                reason = str(error)
        raise DataError(f"{reason}: standardise the data, or drop columns that nearly repeat others.")

    return _solve


class WeightedNormLP:
    """Minimise sum_j c_j |v_j| over (v, b), subject to lower <= A v + a b <= upper, by HiGHS.

    v is split into its positive and negative part, so the program has 2d + 1 columns. A change of weights leaves the
    last vertex feasible and a dropped feature is zero there, so every solve after the first starts from the last basis
    and takes a few primal simplex steps. Presolve costs more than the simplex on these dense programs, so it is off.
    HiGHS has absolute tolerances, so that it is given A over its largest entry.

    Parameters
    ----------
    A : ndarray of shape (m, d)
        Coefficients of v.
    a : ndarray of shape (m,)
        Coefficients of b.
    lower, upper : ndarray of shape (m,)
        Bounds of the constraints.
    """

    def __init__(self, A: FloatArray, a: FloatArray, lower: FloatArray, upper: FloatArray) -> None:
        rows, self._features = A.shape
        columns = 2 * self._features + 1
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = columns, rows
        lp.col_cost_ = np.r_[np.ones(columns - 1), 0.0]
        lp.col_lower_ = np.r_[np.zeros(columns - 1), -np.inf]
        lp.col_upper_ = np.full(columns, np.inf)
        lp.row_lower_, lp.row_upper_ = lower, upper
        lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        lp.a_matrix_.start_ = np.arange(0, rows * columns + 1, rows)
        lp.a_matrix_.index_ = np.tile(np.arange(rows), columns)
        self._scale = float(np.abs(A).max(initial=0.0)) or 1.0
        lp.a_matrix_.value_ = np.concatenate([A.T / self._scale, -A.T / self._scale, a[None, :]]).ravel()
        self._highs = highspy.Highs()  # type: ignore[no-untyped-call]
        self._highs.setOptionValue("output_flag", False)
        self._highs.setOptionValue("threads", 1)
        self._highs.setOptionValue("presolve", "off")
        self._highs.passModel(lp)

    @persistent
    def solve(self) -> tuple[FloatArray, float] | None:
        """Solve from the last basis.

        Returns
        -------
        tuple of ndarray and float, or None
            (v, b), or None where the constraints contradict each other.
        """
        self._highs.run()
        status = self._highs.getModelStatus()
        if status == highspy.HighsModelStatus.kInfeasible:
            return None
        if status != highspy.HighsModelStatus.kOptimal:
            raise RuntimeError(
                f"HiGHS stopped with '{self._highs.modelStatusToString(status)}' on a bounded linear program"
            )
        x = np.array(self._highs.getSolution().col_value)
        d = self._features
        return (x[:d] - x[d : 2 * d]) / self._scale, float(x[2 * d])

    def restrict(self, keep: BoolArray, weights: FloatArray) -> None:
        """Drop features, and give those that stay new weights.

        Parameters
        ----------
        keep : ndarray of bool
            The features to keep.
        weights : ndarray of float
            Their new weights c_j.
        """
        dead = np.flatnonzero(~np.tile(keep, 2)).astype(np.int32)
        if dead.size:
            self._highs.deleteCols(dead.size, dead)
        self._features = int(keep.sum())
        columns = 2 * self._features
        self._highs.changeColsCost(columns, np.arange(columns, dtype=np.int32), np.tile(weights / self._scale, 2))
        self._highs.setOptionValue("simplex_strategy", PRIMAL_SIMPLEX)


def separates(X: FloatArray, y: FloatArray) -> bool:
    """Whether some hyperplane has every point strictly on the side of its label: y_i (w.x_i + b) >= 1 is feasible.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Points.
    y : ndarray of shape (n,)
        Labels, -1.0 or +1.0.

    Returns
    -------
    bool
        Whether there is one.
    """
    lp = WeightedNormLP(y[:, None] * X, y, np.ones(len(y)), np.full(len(y), np.inf))
    return lp.solve() is not None
