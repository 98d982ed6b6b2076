"""||w||^2 = alpha'Q alpha, the criterion of recursive feature elimination."""

from __future__ import annotations

import numpy as np

from marginfs.criteria import retraining
from marginfs.criteria.machine import Machine
from marginfs.types import FloatArray


def value(machine: Machine) -> float:
    """||w||^2.

    Parameters
    ----------
    machine : Machine
        The trained machine.

    Returns
    -------
    float
        The criterion.
    """
    solution = machine.solution
    return float(solution.alpha @ (solution.gradient + 1.0))


def zero(machine: Machine) -> FloatArray:
    """||w^(i)||^2 with the multipliers kept (equation 9 of Rakotomamonjy, 2003).

    Parameters
    ----------
    machine : Machine
        The trained machine.

    Returns
    -------
    ndarray of float
        One value per feature that remains.
    """
    slack_part = machine.svm.ridge * machine.solution.alpha @ machine.solution.alpha
    return machine.gram.quadratic_without(machine.coefficients) + slack_part


def zero_dual(machine: Machine) -> FloatArray:
    """2 sum_k alpha_k - ||w^(i)||^2 with alpha kept: twice the dual objective (equation 4) without feature i.

    At the optimum it equals ||w^(i)||^2; away from it, it grows with what the feature contributes.

    Parameters
    ----------
    machine : Machine
        The trained machine.

    Returns
    -------
    ndarray of float
        One value per feature that remains.
    """
    return np.asarray(2.0 * machine.solution.alpha.sum() - zero(machine))


def zero_retrained(machine: Machine) -> FloatArray:
    """||w^(i)||^2 of the machine trained without feature i; infinite where that has no solution.

    Parameters
    ----------
    machine : Machine
        The trained machine.

    Returns
    -------
    ndarray of float
        One value per feature that remains.
    """
    return retraining.run(machine, retraining.SQUARED_NORM)


def first(machine: Machine) -> FloatArray:
    """d||w||^2/dv_i = -sum_kj alpha_k alpha_j y_k y_j dk/dv_i: the multipliers' own change cancels at the optimum.

    Parameters
    ----------
    machine : Machine
        The trained machine.

    Returns
    -------
    ndarray of float
        One value per feature that remains.
    """
    return np.asarray(-machine.gram.quadratic_slope(machine.coefficients))
