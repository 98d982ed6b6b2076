"""The options of a support vector machine as one object, and the flat keys by which a configuration gives them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict, Unpack, get_args

import numpy as np

from marginfs.errors import ConfigError
from marginfs.kernels import Kernel, KernelName

Slack = Literal["l1", "l2"]


class PenaltyKeys(TypedDict, total=False):
    """Keys of a machine whose method fixes the kernel and the slack; a key left out takes the default of `Svm`."""

    C: float
    tol: float


class SvmKeys(PenaltyKeys, total=False):
    """Keys of a machine, as they stand in configuration files; a key left out takes the default of `Svm`."""

    kernel: KernelName
    degree: int
    offset: float
    sigma: float
    slack: Slack


_KERNEL_FIELDS = {"kernel": "name", "degree": "degree", "offset": "offset", "sigma": "sigma"}


def check_penalty(C: float) -> None:
    """Refuse a penalty of the slack that is not positive.

    Parameters
    ----------
    C : float
        The penalty.
    """
    if not C > 0:
        raise ConfigError(f"C is {C}: write a positive number, or inf for the hard margin.")


@dataclass(frozen=True, slots=True)
class Svm:
    """What to train.

    Attributes
    ----------
    kernel : Kernel
        The kernel; linear by default.
    C : float
        Penalty of the slack; infinite, the hard margin, by default.
    slack : {"l1", "l2"}
        The penalty is C sum xi ("l1") or C/2 sum xi^2 ("l2", the default).
    tol : float
        Largest violation of the optimality conditions.
    """

    kernel: Kernel = field(default_factory=Kernel)
    C: float = np.inf
    slack: Slack = "l2"
    tol: float = 1e-8

    def __post_init__(self) -> None:
        if self.slack not in get_args(Slack):
            raise ConfigError(f"slack is {self.slack!r}: write 'l1' (linear penalty) or 'l2' (quadratic penalty).")
        check_penalty(self.C)
        if not 0 < self.tol < np.inf:
            raise ConfigError(f"tol is {self.tol}: write a small positive number such as 1e-8.")

    @classmethod
    def of(cls, **keys: Unpack[SvmKeys]) -> Svm:
        """The machine that the flat keys of a configuration mean.

        Parameters
        ----------
        **keys : SvmKeys
            Any of kernel, degree, offset, sigma, C, slack and tol.

        Returns
        -------
        Svm
            The options, checked.
        """
        options: dict[str, Any] = dict(keys)
        kernel = {_KERNEL_FIELDS[key]: options.pop(key) for key in list(options) if key in _KERNEL_FIELDS}
        return cls(Kernel(**kernel), **options)

    @property
    def ridge(self) -> float:
        """What quadratic slack adds to the diagonal of the kernel matrix: 1/C."""
        return 1.0 / self.C if self.slack == "l2" else 0.0

    @property
    def upper(self) -> float:
        """Upper bound of the multipliers: C for linear slack."""
        return float(self.C) if self.slack == "l1" else np.inf


HARD_MARGIN = Svm()
"""The linear machine that allows no slack, to the default tolerance."""
