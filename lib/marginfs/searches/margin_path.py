"""The record of a margin-based elimination: one hyperplane per number of retained features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from marginfs.errors import ConfigError, DataError, NotSeparableError
from marginfs.types import FloatArray, IntArray, Selection

AtZero = Literal["stop", "soft"]


@dataclass(frozen=True)
class MarginPath:
    """Entry i of a state array is the hyperplane after i removals; entry i of a step array the removal that follows.

    removed: features in the order of their elimination.
    remaining: the features left at the end of the path, the most relevant first.
    margin, squared_length: gamma = N/D and L = D^2 of each state.
    scale, bias: the classifier of a state is sign(scale * w.x + bias), w restricted to the retained features.
    epoch: which training of the SVM the state belongs to (row of `coefficients`).
    coefficients: one row per training: w, or alpha * y of a kernel SVM.
    soft: steps at which no removal kept the data separated and the soft-margin objective chose.
    differs: steps at which the sufficient candidate set of section 2.3 misses the margin-optimal removal.
    evaluated: candidates on the short list, whose margin was worked out over the samples until it was too small.
    """

    removed: IntArray
    remaining: IntArray
    margin: FloatArray
    squared_length: FloatArray
    scale: FloatArray
    bias: FloatArray
    epoch: IntArray
    coefficients: FloatArray
    soft: npt.NDArray[np.bool_]
    differs: npt.NDArray[np.bool_]
    evaluated: IntArray

    @property
    def retained(self) -> IntArray:
        """Number of retained features of each state; it ends above 1 where the path stopped early."""
        return self.removed.size + self.remaining.size - np.arange(self.removed.size + 1)

    @property
    def ranking(self) -> IntArray:
        """All features, best first: those left at the end, then the removed ones from last to first."""
        return np.concatenate([self.remaining, self.removed[::-1]])

    def selection(self, **model: npt.NDArray[Any]) -> Selection:
        """The path as a selector's result; `model` adds what the evaluation needs beside the path's own arrays."""
        trace: dict[str, npt.NDArray[Any]] = {
            name: getattr(self, name)
            for name in ("retained", "margin", "squared_length", "removed", "soft", "differs", "evaluated")
        }
        path: dict[str, npt.NDArray[Any]] = {
            name: getattr(self, name) for name in ("removed", "remaining", "scale", "bias", "epoch", "coefficients")
        }
        return Selection(ranking=self.ranking, trace=trace, model=path | model)


def margin_of(numerator: FloatArray, squared_length: FloatArray) -> FloatArray:
    """The margin N / sqrt(L); not a number where no direction is left."""
    gamma = np.full(numerator.shape, np.nan)
    np.divide(numerator, np.sqrt(np.maximum(squared_length, 0.0)), out=gamma, where=squared_length > 0.0)
    return gamma


def check_choice(key: str, value: str, allowed: tuple[str, ...]) -> None:
    """Refuse an option that is not one of the names allowed for it."""
    if value not in allowed:
        raise ConfigError(f"{key} is {value!r}; write one of {', '.join(allowed)}.")


def require_both_classes(positives: int, samples: int) -> None:
    """Refuse labels of a single class."""
    if not 0 < positives < samples:
        raise DataError(
            f"The training labels hold {positives} positives among {samples}; give samples of both classes."
        )


def not_separated(numerator: float) -> NotSeparableError:
    """The error for a trained classifier that does not separate its training data."""
    return NotSeparableError(
        f"The trained SVM leaves training samples on the wrong side (min_n y_n f(x_n) = {numerator:.3g}); "
        "write at_zero: soft to go on with the soft-margin objective, or a larger C."
    )
