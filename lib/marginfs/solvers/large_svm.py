"""Machines of planas2021, for thousands of points, as one object of options, and the flat keys that give them."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any, Literal, TypedDict, Unpack, get_args

from marginfs.errors import ConfigError
from marginfs.kernels import Kernel, KernelName
from marginfs.solvers.kernel_svm import KernelSvm
from marginfs.solvers.primal_svm import PrimalSvm
from marginfs.types import FloatArray

Loss = Literal["squared_hinge", "hinge"]


class LargeSvmKeys(TypedDict, total=False):
    """Keys of a machine, as they stand in configuration files; a key left out takes the default of `LargeSvm`."""

    C: float
    kernel: KernelName
    loss: Loss
    degree: int
    offset: float | Literal["C"]
    gamma: float
    scaled: bool
    tol: float
    max_iterations: int | None


@dataclass(frozen=True, slots=True)
class LargeSvm:
    """What to train.

    Attributes
    ----------
    C : float
        Penalty of the slack: C sum xi^2 (squared hinge) or C sum xi (hinge).
    kernel : {"linear", "polynomial", "gaussian"}
        x.z, (x.z + offset)^degree or exp(-gamma ||x - z||^2).
    loss : {"squared_hinge", "hinge"}
        The squared hinge is solved in the primal, with b^2 / 2 in the objective, as LIBLINEAR does; the hinge in the
        dual, as LIBSVM does. By default the first for the linear kernel; the others mean the second.
    degree : int
        Of the polynomial.
    offset : float or "C"
        Of the polynomial; "C" ties it to the penalty, as planas2021 did.
    gamma : float
        Of the Gaussian.
    scaled : bool
        Whether inner products are divided by the number of features.
    tol : float or None
        Tolerance; by default 1e-8 in the primal and 1e-3, LIBSVM's, in the dual.
    max_iterations : int or None
        Cap on the iterations of the dual; every training then starts from nothing.
    """

    C: float = 1.0
    kernel: KernelName = "linear"
    loss: Loss | None = None
    degree: int = 3
    offset: float | Literal["C"] = 1.0
    gamma: float = 1.0
    scaled: bool = False
    tol: float | None = None
    max_iterations: int | None = None

    def __post_init__(self) -> None:
        if self.kernel not in get_args(KernelName):
            raise ConfigError(f"kernel is {self.kernel!r}: write one of {', '.join(get_args(KernelName))}.")
        if self.loss not in (None, *get_args(Loss)):
            raise ConfigError(f"loss is {self.loss!r}: write one of {', '.join(get_args(Loss))}.")
        if self.kernel != "linear" and self.loss == "squared_hinge":
            raise ConfigError(f"loss is 'squared_hinge', but kernel is {self.kernel!r}: write loss: hinge.")
        if self.is_primal and self.max_iterations is not None:
            raise ConfigError("max_iterations is set, but the squared hinge is solved exactly: write loss: hinge.")
        if isinstance(self.degree, bool) or not isinstance(self.degree, int) or self.degree < 1:
            raise ConfigError(f"degree is {self.degree!r}: write a whole number from 1.")
        if self.tol is not None and not self.tol > 0:
            raise ConfigError(f"tol is {self.tol}: write a small positive number such as 1e-3.")
        if not self.gamma > 0:
            raise ConfigError(f"gamma is {self.gamma}: write a positive number.")
        if not (self.offset == "C" or isinstance(self.offset, int | float)):
            raise ConfigError(f"offset is {self.offset!r}: write a number, or C.")

    @classmethod
    def of(cls, **keys: Unpack[LargeSvmKeys]) -> LargeSvm:
        """The machine that the flat keys of a configuration mean.

        Parameters
        ----------
        **keys : LargeSvmKeys
            Any of its options.

        Returns
        -------
        LargeSvm
            The options, checked.
        """
        options: dict[str, Any] = dict(keys)
        return cls(**options)

    @property
    def is_primal(self) -> bool:
        """Whether the machine is the linear one with squared hinge loss."""
        return self.kernel == "linear" and self.loss != "hinge"

    @property
    def kernel_function(self) -> Kernel:
        """The kernel."""
        offset = self.C if self.offset == "C" else float(self.offset)
        return Kernel(self.kernel, self.degree, offset, sqrt(0.5 / self.gamma))

    def train(self, X: FloatArray, y: FloatArray) -> PrimalSvm | KernelSvm:
        """Train a machine for two classes.

        Parameters
        ----------
        X : ndarray of shape (n, f)
            Training points.
        y : ndarray of shape (n,)
            Labels -1.0 and +1.0.

        Returns
        -------
        PrimalSvm or KernelSvm
            The machine, which features can join and leave.
        """
        if self.is_primal:
            return PrimalSvm(X, y, C=self.C, tol=self.tol or 1e-8)
        return self.train_dual(X, y)

    def train_dual(self, X: FloatArray, y: FloatArray) -> KernelSvm:
        """Train a machine with hinge loss for two classes.

        Parameters
        ----------
        X : ndarray of shape (n, f)
            Training points.
        y : ndarray of shape (n,)
            Labels -1.0 and +1.0.

        Returns
        -------
        KernelSvm
            The machine.
        """
        return KernelSvm(
            X,
            y,
            C=self.C,
            kernel=self.kernel_function,
            scaled=self.scaled,
            tol=self.tol or 1e-3,
            max_iterations=self.max_iterations,
        )
