"""Margin-based elimination of features from a trained linear SVM (Aksu et al. 2008, sections 2.3 and 3.1).

The hyperplane (w, b) is trained once; removing feature m then only sets w_m to zero. With delta_nm = y_n x_nm w_m, the
functional margins g_n = y_n f(x_n) and the squared length L = ||w||^2 follow by recursion,

    g_n <- g_n - delta_nm,   L <- L - w_m^2,   gamma = min_n g_n / sqrt(L),

and MFE removes the feature that leaves the largest gamma > 0. RFE without retraining removes the smallest |w_m|
instead. With the little optimisation both the choice and the recorded margin are those
of the best slope and intercept for the direction that is left.

Ties go to the feature with the lowest index. g and L are recomputed from the data whenever half of the features or half
of L is gone, so that rounding does not build up over thousands of steps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from marginfs.errors import ConfigError, NotSeparableError
from marginfs.searches.margin_path import (
    AtZero,
    MarginPath,
    check_choice,
    check_little,
    margin_of,
    not_separated,
)
from marginfs.searches.margin_states import STEP, Steps, as_path, describe
from marginfs.searches.margin_steps import Block, eliminate_block, follow_block, numerators_after_removal
from marginfs.types import FloatArray, IntArray

Candidates = Literal["exact", "sufficient"]
Retrain = Callable[[IntArray], tuple[FloatArray, float]]


@dataclass(frozen=True)
class Walk:
    """How to walk: options that the searches share.

    Attributes
    ----------
    little : bool
        Apply the little optimisation at every step.
    at_zero : {"stop", "soft"}
        What to do when no removal keeps the margin positive. "stop" ends the path there, as the paper does, and ranks
        what is left by the last criterion. "soft" goes on with the soft-margin objective (see `by_margin`).
    soft_penalty : float
        Weight C of the hinge losses in that objective.
    retrain : callable, optional
        Gives (w, b) of a new training on the features that are left.
    retrain_every : int
        After how many removals to do so; 0 never does.
    """

    little: bool = False
    at_zero: AtZero = "stop"
    soft_penalty: float = 1.0
    retrain: Retrain | None = None
    retrain_every: int = 0

    def __post_init__(self) -> None:
        check_little(self.little)
        check_choice("at_zero", self.at_zero, ("stop", "soft"))
        if not 0.0 < self.soft_penalty < np.inf:
            raise ConfigError(f"soft_penalty is {self.soft_penalty}; write a positive finite number.")
        if self.retrain_every < 0 or (self.retrain_every > 0 and self.retrain is None):
            raise ConfigError(f"retrain_every is {self.retrain_every}; write 0, or a count together with a trainer.")


def by_margin(
    X: FloatArray, y: FloatArray, w: FloatArray, b: float, *, candidates: Candidates = "exact", walk: Walk | None = None
) -> MarginPath:
    """MFE: at every step remove the feature that leaves the largest margin.

    Soft steps: where no candidate is left, the removed feature minimises the primal soft-margin objective of the
    hyperplane as it stands,

        J = L/2 + C sum_n max(0, 1 - g_n),

    with w at its trained scale and the last bias that separated the data. It is what the SVM itself minimises once
    constraints may be violated, it needs no division by a shrinking length, and for C = max_n alpha_n the trained
    hard-margin hyperplane is already a minimiser of J over all (w, b), so that nothing jumps at the change.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training samples.
    y : ndarray of shape (n,)
        Labels, -1.0 or +1.0, of both classes.
    w : ndarray of shape (d,)
        Weights of the trained hyperplane.
    b : float
        Its bias.
    candidates : {"exact", "sufficient"}
        "exact" considers every feature whose removal keeps min_n g_n > 0. "sufficient" is the paper's set
        S(i) = {m : max_n delta_nm <= min_n g_n}, which guarantees that but may miss the best removal, and which can be
        empty while the margin could still stay positive; `MarginPath.differs` counts those steps in either mode.
    walk : Walk, optional
        How to walk.

    Returns
    -------
    MarginPath
        The record of all states.
    """
    check_choice("candidates", candidates, ("exact", "sufficient"))
    walk = walk or Walk()
    soft_C = walk.soft_penalty if walk.at_zero == "soft" else 0.0

    def _remove(block: Block, budget: int, steps: Steps) -> int:
        return int(eliminate_block(block, candidates == "sufficient", soft_C, budget, steps))

    def _rest(block: Block) -> IntArray:
        left = block.squared.sum() - block.squared
        gamma = margin_of(numerators_after_removal(block), left)
        return np.lexsort((block.features, -np.nan_to_num(gamma, nan=-np.inf)))

    return _Walker(X, y, w, b, walk).run(Rule(_remove, _rest))


def by_weight(X: FloatArray, y: FloatArray, w: FloatArray, b: float, *, walk: Walk | None = None) -> MarginPath:
    """RFE without retraining: at every step remove the feature with the smallest |w_m|, and record the margin left.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training samples.
    y : ndarray of shape (n,)
        Labels, -1.0 or +1.0, of both classes.
    w : ndarray of shape (d,)
        Weights of the trained hyperplane.
    b : float
        Its bias.
    walk : Walk, optional
        How to walk.

    Returns
    -------
    MarginPath
        The record of all states.
    """
    walk = walk or Walk()
    return _Walker(X, y, w, b, walk).run(_fixed(lambda block: np.lexsort((block.features, block.squared)), walk))


@dataclass(frozen=True)
class Rule:
    """Which features go next.

    Attributes
    ----------
    remove : callable
        Eliminates up to a budget of a block's features, writes their steps, and returns how many went.
    rest : callable
        The order (positions in the block) in which what is left would go once the path has ended.
    """

    remove: Callable[[Block, int, Steps], int]
    rest: Callable[[Block], IntArray]


def _fixed(order: Callable[[Block], IntArray], walk: Walk) -> Rule:
    """The rule that removes features in an order known beforehand."""

    def _remove(block: Block, budget: int, steps: Steps) -> int:
        return int(follow_block(block, order(block)[:budget], walk.at_zero == "stop", steps))

    return Rule(_remove, order)


class _Walker:
    """Blocks of elimination steps between recomputations of delta, g and L, and the record of all of them."""

    def __init__(self, X: FloatArray, y: FloatArray, w: FloatArray, b: float, walk: Walk) -> None:
        self.n_pos = int(np.count_nonzero(y > 0))
        positives_first = np.argsort(-y, kind="stable")
        self.y = y[positives_first]
        self.signed = np.ascontiguousarray((X[positives_first] * self.y[:, None]).T)
        self.walk = walk
        self.features: IntArray = np.arange(X.shape[1], dtype=np.int64)
        self.steps: Steps = np.zeros(X.shape[1], dtype=STEP)
        self.done = 0
        self.weights: list[FloatArray] = []
        self._set_plane(np.array(w, dtype=np.float64), float(b))

    def run(self, rule: Rule) -> MarginPath:
        until_retrain = self.walk.retrain_every or self.features.size
        block = self._synchronise()
        if self.steps[0]["numerator"] <= 0.0 and self.walk.at_zero == "stop":
            raise not_separated(self.steps[0]["numerator"])
        while self.features.size > 1 and self.steps[self.done]["length"] > 0.0:
            steps = self.steps[self.done :]
            removals = rule.remove(block, min(max(self.features.size // 2, 1), until_retrain), steps)
            if removals == 0:
                break
            gone = steps["feature"][1 : removals + 1]
            self.features = self.features[~np.isin(self.features, gone, assume_unique=True)]
            self.done += removals
            until_retrain -= removals
            if until_retrain == 0:
                self._retrain()
                until_retrain = self.walk.retrain_every
            block = self._synchronise()
        survivors = block.features[rule.rest(block)[::-1]]
        return as_path(self.steps[: self.done + 1], survivors, np.array(self.weights), self.walk.little)

    def _set_plane(self, w: FloatArray, b: float) -> None:
        self.weights.append(w)
        self.bias = b
        state = self.steps[self.done]
        state["sign"], state["shift"], state["epoch"] = 1.0, b, len(self.weights) - 1

    def _retrain(self) -> None:
        """A full retraining on what is retained; where that is no longer separable the hyperplane stays."""
        assert self.walk.retrain is not None
        try:
            weights, b = self.walk.retrain(self.features)
        except NotSeparableError:
            return
        w = np.zeros(self.signed.shape[0])
        w[self.features] = weights
        self._set_plane(w, b)

    def _synchronise(self) -> Block:
        """delta, g and L of the present state from the data, and the state's record with them."""
        weights = self.weights[-1][self.features]
        delta = self.signed[self.features] * weights[:, None]
        g = delta.sum(axis=0)
        if not self.walk.little:
            g += self.y * self.bias
        state = self.steps[self.done : self.done + 1]
        state["length"] = weights @ weights
        describe(g, self.n_pos, self.walk.little, state[0])
        return Block(
            delta=delta,
            squared=np.square(weights),
            features=self.features,
            y=self.y,
            g=g,
            n_pos=self.n_pos,
            little=self.walk.little,
        )
