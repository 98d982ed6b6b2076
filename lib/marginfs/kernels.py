"""Kernels: functions of inner products and squared norms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from marginfs.errors import ConfigError
from marginfs.types import FloatArray

KernelName = Literal["linear", "polynomial", "gaussian"]
LINEAR, POLYNOMIAL, GAUSSIAN = 0, 1, 2
_CODES = {"linear": LINEAR, "polynomial": POLYNOMIAL, "gaussian": GAUSSIAN}


@dataclass(frozen=True, slots=True)
class Kernel:
    """Linear x.z, polynomial (x.z + offset)^degree, or Gaussian exp(-||x - z||^2 / (2 sigma^2)).

    Attributes
    ----------
    name : {"linear", "polynomial", "gaussian"}
        The family.
    degree : int
        Of the polynomial.
    offset : float
        Of the polynomial.
    sigma : float
        Width of the Gaussian.
    """

    name: KernelName = "linear"
    degree: int = 2
    offset: float = 1.0
    sigma: float = 1.0

    def __post_init__(self) -> None:
        if self.name not in _CODES:
            raise ConfigError(f"kernel is {self.name!r}: write one of {', '.join(_CODES)}.")
        if self.sigma <= 0 or self.degree < 1:
            raise ConfigError(f"kernel has sigma {self.sigma} and degree {self.degree}: both must be positive.")

    @property
    def code(self) -> int:
        """Number that compiled code knows the kernel by."""
        return _CODES[self.name]

    @property
    def gamma(self) -> float:
        """1 / (2 sigma^2)."""
        return 0.5 / self.sigma**2

    def matrix(self, X: FloatArray, Z: FloatArray | None = None) -> FloatArray:
        """Kernel values between points.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            Points.
        Z : ndarray of shape (m, d), optional
            Other points; X itself by default.

        Returns
        -------
        ndarray of shape (n, m)
            The values.
        """
        Z = X if Z is None else Z
        return self.of_products(X @ Z.T, np.einsum("ij,ij->i", X, X), np.einsum("ij,ij->i", Z, Z))

    def of_products(self, G: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
        """Kernel values from inner products.

        Parameters
        ----------
        G : ndarray of shape (n, m)
            Inner products.
        left : ndarray of shape (n,)
            Squared norms of the points that the rows belong to.
        right : ndarray of shape (m,)
            Squared norms of the points that the columns belong to.

        Returns
        -------
        ndarray of shape (n, m)
            The values; for the linear kernel G itself.
        """
        if self.code == LINEAR:
            return G
        if self.code == POLYNOMIAL:
            return np.asarray((G + self.offset) ** self.degree)
        K: FloatArray = np.add.outer(left, right)
        K -= G
        K -= G
        np.maximum(K, 0.0, out=K)
        K *= -self.gamma
        return np.exp(K, out=K)
