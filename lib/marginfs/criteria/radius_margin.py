"""R^2 ||w||^2, the radius/margin bound on the leave-one-out error."""

from __future__ import annotations

import numpy as np

from marginfs.criteria import retraining, squared_norm
from marginfs.criteria.machine import Machine
from marginfs.types import FloatArray


def value(machine: Machine) -> float:
    """R^2 ||w||^2.

    Parameters
    ----------
    machine : Machine
        The trained machine.

    Returns
    -------
    float
        The criterion.
    """
    machine.require_hard_margin_form("r2w2")
    return machine.sphere.squared_radius * squared_norm.value(machine)


def zero(machine: Machine) -> FloatArray:
    """The bound without each feature, with alpha and the sphere's beta kept: both factors change with K alone.

    Parameters
    ----------
    machine : Machine
        The trained machine.

    Returns
    -------
    ndarray of float
        One value per feature that remains.
    """
    return np.asarray(_squared_radius_without(machine) * squared_norm.zero(machine))


def zero_dual(machine: Machine) -> FloatArray:
    """As zero, with ||w^(i)||^2 measured by the dual objective.

    Parameters
    ----------
    machine : Machine
        The trained machine.

    Returns
    -------
    ndarray of float
        One value per feature that remains.
    """
    return np.asarray(_squared_radius_without(machine) * squared_norm.zero_dual(machine))


def zero_retrained(machine: Machine) -> FloatArray:
    """The bound without each feature, with the machine and the sphere computed again.

    Parameters
    ----------
    machine : Machine
        The trained machine.

    Returns
    -------
    ndarray of float
        One value per feature that remains.
    """
    machine.require_hard_margin_form("r2w2")
    return retraining.run(machine, retraining.RADIUS_MARGIN)


def first(machine: Machine) -> FloatArray:
    """||w||^2 dR^2/dv_i + R^2 d||w||^2/dv_i, with dR^2/dv_i = sum_kj (beta_k delta_kj - beta_k beta_j) dk/dv_i.

    The paper prints the two terms with the opposite sign each, which its absolute value absorbs.

    Parameters
    ----------
    machine : Machine
        The trained machine.

    Returns
    -------
    ndarray of float
        One value per feature that remains.
    """
    machine.require_hard_margin_form("r2w2")
    sphere, gram = machine.sphere, machine.gram
    radius_slope = gram.diagonal_slope(sphere.beta) - gram.quadratic_slope(sphere.beta)
    return np.asarray(squared_norm.value(machine) * radius_slope + sphere.squared_radius * squared_norm.first(machine))


def _squared_radius_without(machine: Machine) -> FloatArray:
    """R^2 without each feature, with the sphere's beta kept."""
    machine.require_hard_margin_form("r2w2")
    beta, gram = machine.sphere.beta, machine.gram
    slack_part = machine.svm.ridge * (1.0 - beta @ beta)
    return np.asarray(gram.diagonal_without(beta) - gram.quadratic_without(beta) + slack_part)
