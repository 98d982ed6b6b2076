"""The record of a margin-based elimination: one hyperplane per number of retained features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from marginfs.errors import ConfigError, NotSeparableError
from marginfs.types import BoolArray, FloatArray, IntArray, Selection

AtZero = Literal["stop", "soft"]


@dataclass(frozen=True)
class MarginPath:
    """Entry i of a state array is the hyperplane after i removals; entry i of a step array the removal that follows.

    Attributes
    ----------
    removed : ndarray of int
        Features in the order of their elimination.
    survivors : ndarray of int
        The features left at the end of the path, the most relevant first.
    margin, squared_length : ndarray of float
        gamma = N/D and L = D^2 of each state.
    scale, bias : ndarray of float
        The classifier of a state is sign(scale * w.x + bias), w restricted to the features of the state.
    epoch : ndarray of int
        Which training of the SVM the state belongs to (row of `coefficients`).
    coefficients : ndarray of float
        One row per training: w, or alpha * y of a kernel SVM.
    soft : ndarray of bool
        Steps at which no removal kept the data separated and the soft-margin objective chose.
    differs : ndarray of bool
        Steps at which the sufficient candidate set of section 2.3 misses the margin-optimal removal.
    evaluated : ndarray of int
        Candidates on the short list, whose margin was worked out over the samples until it was too small.
    """

    removed: IntArray
    survivors: IntArray
    margin: FloatArray
    squared_length: FloatArray
    scale: FloatArray
    bias: FloatArray
    epoch: IntArray
    coefficients: FloatArray
    soft: BoolArray
    differs: BoolArray
    evaluated: IntArray

    @property
    def retained(self) -> IntArray:
        """Number of retained features of each state; it ends above 1 where the path stopped early."""
        return self.removed.size + self.survivors.size - np.arange(self.removed.size + 1)

    @property
    def ranking(self) -> IntArray:
        """All features, best first: those left at the end, then the removed ones from last to first."""
        return np.concatenate([self.survivors, self.removed[::-1]])

    def selection(self, **model: npt.NDArray[Any]) -> Selection:
        """The path as a selector's result.

        Parameters
        ----------
        **model : ndarray
            What the evaluation needs beside the path's own arrays.

        Returns
        -------
        Selection
            The ranking; retained, margin, squared_length, removed, soft, differs and evaluated as its trace.
        """
        trace: dict[str, npt.NDArray[Any]] = {
            name: getattr(self, name)
            for name in ("retained", "margin", "squared_length", "removed", "soft", "differs", "evaluated")
        }
        path: dict[str, npt.NDArray[Any]] = {
            name: getattr(self, name) for name in ("removed", "survivors", "scale", "bias", "epoch", "coefficients")
        }
        return Selection(ranking=self.ranking, trace=trace, model=path | model)


def margin_of(numerator: FloatArray, squared_length: FloatArray) -> FloatArray:
    """The margin N / sqrt(L).

    Parameters
    ----------
    numerator, squared_length : ndarray of float
        N and L.

    Returns
    -------
    ndarray of float
        Not a number where no direction is left.
    """
    gamma = np.full(numerator.shape, np.nan)
    np.divide(numerator, np.sqrt(np.maximum(squared_length, 0.0)), out=gamma, where=squared_length > 0.0)
    return gamma


def check_choice(key: str, value: str, allowed: tuple[str, ...]) -> None:
    """Refuse an option that is not one of the names allowed for it.

    Parameters
    ----------
    key, value : str
        The option.
    allowed : tuple of str
        The names.
    """
    if value not in allowed:
        raise ConfigError(f"{key} is {value!r}; write one of {', '.join(allowed)}.")


def check_little(value: object) -> None:
    """Refuse what does not say whether to apply the little optimisation.

    Parameters
    ----------
    value : object
        The option.
    """
    if not isinstance(value, (bool, np.bool_)):
        raise ConfigError(f"the little optimisation is {value!r}; write True or False.")


def not_separated(numerator: float) -> NotSeparableError:
    """The error for a trained classifier that does not separate its training data.

    Parameters
    ----------
    numerator : float
        min_n y_n f(x_n).

    Returns
    -------
    NotSeparableError
        To be raised.
    """
    return NotSeparableError(
        f"The trained SVM leaves training samples on the wrong side (min_n y_n f(x_n) = {numerator:.3g}); "
        "write at_zero: soft to go on with the soft-margin objective, or a larger C."
    )
