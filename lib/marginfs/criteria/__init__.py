"""What a set of features is worth to a support vector machine, and what each feature adds to it."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Protocol, cast

from marginfs.criteria.machine import Machine
from marginfs.errors import ConfigError
from marginfs.types import FloatArray

CRITERIA: Mapping[str, str] = {
    "w2": "marginfs.criteria.squared_norm",
    "r2w2": "marginfs.criteria.radius_margin",
    "span": "marginfs.criteria.span",
}
"""Criterion name -> module that defines its five faces."""


class Criterion(Protocol):
    """The five faces of a criterion C_t, all of one trained machine; a module with these functions is one."""

    def value(self, machine: Machine, /) -> float:
        """C_t on the features that remain.

        Parameters
        ----------
        machine : Machine
            The trained machine.

        Returns
        -------
        float
            The criterion.
        """

    def zero(self, machine: Machine, /) -> FloatArray:
        """C_t without each feature, the multipliers kept as they are.

        Parameters
        ----------
        machine : Machine
            The trained machine.

        Returns
        -------
        ndarray of float
            One value per feature that remains.
        """

    def zero_dual(self, machine: Machine, /) -> FloatArray:
        """The same, ||w||^2 being measured by the dual objective, which equals it at the optimum.

        Parameters
        ----------
        machine : Machine
            The trained machine.

        Returns
        -------
        ndarray of float
            One value per feature that remains.
        """

    def zero_retrained(self, machine: Machine, /) -> FloatArray:
        """C_t without each feature, everything trained again.

        Parameters
        ----------
        machine : Machine
            The trained machine.

        Returns
        -------
        ndarray of float
            One value per feature that remains.
        """

    def first(self, machine: Machine, /) -> FloatArray:
        """Derivative of C_t with respect to a factor that scales each feature, at one.

        Parameters
        ----------
        machine : Machine
            The trained machine.

        Returns
        -------
        ndarray of float
            One value per feature that remains.
        """


def load_criterion(name: str) -> Criterion:
    """The criterion of that name.

    Parameters
    ----------
    name : str
        A key of `CRITERIA`: w2 (||w||^2), r2w2 (R^2 ||w||^2) or span (sum_p alpha_p S_p^2).

    Returns
    -------
    Criterion
        Its module, imported now.
    """
    if name not in CRITERIA:
        raise ConfigError(f"criterion is {name!r}: write one of {', '.join(CRITERIA)}.")
    return cast(Criterion, importlib.import_module(CRITERIA[name]))
