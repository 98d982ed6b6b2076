"""Margin-based elimination of features from a trained linear SVM (Aksu et al. 2008, sections 2.3 and 3.1).

The hyperplane (w, b) is trained once; removing feature m then only sets w_m to zero. With delta_nm = y_n x_nm w_m, the
functional margins g_n = y_n f(x_n) and the squared length L = ||w||^2 follow by recursion,

    g_n <- g_n - delta_nm,   L <- L - w_m^2,   gamma = min_n g_n / sqrt(L),

and MFE removes the feature that leaves the largest gamma > 0. RFE without retraining removes the smallest |w_m|
instead; `follow` walks any given order. With the little optimisation both the choice and the recorded margin are those
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
    margin_of,
    not_separated,
    require_both_classes,
)
from marginfs.searches.margin_steps import (
    STEP,
    Block,
    Steps,
    as_path,
    describe,
    eliminate_block,
    follow_block,
    numerators_after_removal,
)
from marginfs.types import FloatArray, IntArray

Candidates = Literal["exact", "sufficient"]
Retrain = Callable[[IntArray], tuple[FloatArray, float]]


@dataclass(frozen=True)
class Walk:
    """How to walk: options that the three public searches share.

    little: apply the little optimisation at every step.
    at_zero: what to do when no removal keeps the margin positive. "stop" ends the path there, as the paper does, and
        ranks what is left by the last criterion. "soft" goes on with the soft-margin objective (see `by_margin`).
    soft_penalty: weight C of the hinge losses in that objective.
    retrain, retrain_every: after every so many removals, retrain(features) gives (w, b) on the retained features.
    """

    little: bool = False
    at_zero: AtZero = "stop"
    soft_penalty: float = 1.0
    retrain: Retrain | None = None
    retrain_every: int = 0

    def __post_init__(self) -> None:
        check_choice("at_zero", self.at_zero, ("stop", "soft"))
        if not 0.0 < self.soft_penalty < np.inf:
            raise ConfigError(f"soft_penalty is {self.soft_penalty}; write a positive finite number.")
        if self.retrain_every < 0 or (self.retrain_every > 0 and self.retrain is None):
            raise ConfigError(f"retrain_every is {self.retrain_every}; write 0, or a count together with a trainer.")


def by_margin(
    X: FloatArray, y: FloatArray, w: FloatArray, b: float, *, candidates: Candidates = "exact", walk: Walk | None = None
) -> MarginPath:
    """MFE: at every step remove the feature that leaves the largest margin.

    candidates: "exact" considers every feature whose removal keeps min_n g_n > 0. "sufficient" is the paper's set
    S(i) = {m : max_n delta_nm <= min_n g_n}, which guarantees that but may miss the best removal, and which can be
    empty while the margin could still stay positive; `MarginPath.differs` counts those steps in either mode.

    Soft steps: where no candidate is left, the removed feature minimises the primal soft-margin objective of the
    hyperplane as it stands,

        J = L/2 + C sum_n max(0, 1 - g_n),

    with w at its trained scale and the last bias that separated the data. It is what the SVM itself minimises once
    constraints may be violated, it needs no division by a shrinking length, and for C = max_n alpha_n the trained
    hard-margin hyperplane is already a minimiser of J over all (w, b), so that nothing jumps at the change.
    """
    check_choice("candidates", candidates, ("exact", "sufficient"))
    walk = walk or Walk()
    soft_C = walk.soft_penalty if walk.at_zero == "soft" else 0.0

    def remove(block: Block, budget: int, steps: Steps) -> int:
        return int(eliminate_block(block, candidates == "sufficient", soft_C, budget, steps))

    def rest(block: Block) -> IntArray:
        left = block.squared.sum() - block.squared
        gamma = margin_of(numerators_after_removal(block), left)
        return np.lexsort((block.names, -np.nan_to_num(gamma, nan=-np.inf)))

    return _Walker(X, y, w, b, walk).run(Rule(remove, rest))


def by_weight(X: FloatArray, y: FloatArray, w: FloatArray, b: float, *, walk: Walk | None = None) -> MarginPath:
    """RFE without retraining: at every step remove the feature with the smallest |w_m|, and record the margin left."""
    walk = walk or Walk()
    return _Walker(X, y, w, b, walk).run(_fixed(lambda block: np.lexsort((block.names, block.squared)), walk))


def follow(
    X: FloatArray, y: FloatArray, w: FloatArray, b: float, sequence: IntArray, *, walk: Walk | None = None
) -> MarginPath:
    """Remove the features in the given order (all but its last), and record the margins along it."""
    if not np.array_equal(np.sort(sequence), np.arange(X.shape[1])):
        raise ConfigError(f"sequence has {sequence.size} entries; write each of the {X.shape[1]} features once.")
    walk = walk or Walk()
    position = np.argsort(sequence, kind="stable")
    return _Walker(X, y, w, b, walk).run(_fixed(lambda block: np.argsort(position[block.names]), walk))


@dataclass(frozen=True)
class Rule:
    """Which features go next.

    remove: eliminate up to a budget of a block's features, write their steps, and return how many went.
    rest: the order (positions in the block) in which what is left would go once the path has ended.
    """

    remove: Callable[[Block, int, Steps], int]
    rest: Callable[[Block], IntArray]


def _fixed(order: Callable[[Block], IntArray], walk: Walk) -> Rule:
    """The rule that removes features in an order known beforehand."""

    def remove(block: Block, budget: int, steps: Steps) -> int:
        return int(follow_block(block, order(block)[:budget], walk.at_zero == "stop", steps))

    return Rule(remove, order)


class _Walker:
    """Blocks of elimination steps between recomputations of delta, g and L, and the record of all of them."""

    def __init__(self, X: FloatArray, y: FloatArray, w: FloatArray, b: float, walk: Walk) -> None:
        self.n_pos = int(np.count_nonzero(y > 0))
        require_both_classes(self.n_pos, y.size)
        positives_first = np.argsort(-y, kind="stable")
        self.y = y[positives_first]
        self.signed = np.ascontiguousarray((X[positives_first] * self.y[:, None]).T)
        self.walk = walk
        self.retained: IntArray = np.arange(X.shape[1], dtype=np.int64)
        self.steps: Steps = np.zeros(X.shape[1], dtype=STEP)
        self.done = 0
        self.weights: list[FloatArray] = []
        self._set_plane(np.array(w, dtype=np.float64), float(b))

    def run(self, rule: Rule) -> MarginPath:
        until_retrain = self.walk.retrain_every or self.retained.size
        block = self._synchronise()
        if self.steps[0]["numerator"] <= 0.0 and self.walk.at_zero == "stop":
            raise not_separated(self.steps[0]["numerator"])
        while self.retained.size > 1 and self.steps[self.done]["length"] > 0.0:
            steps = self.steps[self.done :]
            removals = rule.remove(block, min(max(self.retained.size // 2, 1), until_retrain), steps)
            if removals == 0:
                break
            gone = steps["feature"][1 : removals + 1]
            self.retained = self.retained[~np.isin(self.retained, gone, assume_unique=True)]
            self.done += removals
            until_retrain -= removals
            if until_retrain == 0:
                self._retrain()
                until_retrain = self.walk.retrain_every
            block = self._synchronise()
        remaining = block.names[rule.rest(block)[::-1]]
        return as_path(self.steps[: self.done + 1], remaining, np.array(self.weights), self.walk.little)

    def _set_plane(self, w: FloatArray, b: float) -> None:
        self.weights.append(w)
        self.bias = b
        state = self.steps[self.done]
        state["sign"], state["shift"], state["epoch"] = 1.0, b, len(self.weights) - 1

    def _retrain(self) -> None:
        """A full retraining on what is retained; where that is no longer separable the hyperplane stays."""
        assert self.walk.retrain is not None
        try:
            weights, b = self.walk.retrain(self.retained)
        except NotSeparableError:
            return
        w = np.zeros(self.signed.shape[0])
        w[self.retained] = weights
        self._set_plane(w, b)

    def _synchronise(self) -> Block:
        """delta, g and L of the present state from the data, and the state's record with them."""
        weights = self.weights[-1][self.retained]
        delta = self.signed[self.retained] * weights[:, None]
        g = delta.sum(axis=0)
        if not self.walk.little:
            g += self.y * self.bias
        state = self.steps[self.done : self.done + 1]
        state["length"] = weights @ weights
        describe(g, self.n_pos, self.walk.little, state[0])
        return Block(
            delta=delta,
            squared=np.square(weights),
            names=self.retained,
            y=self.y,
            g=g,
            n_pos=self.n_pos,
            little=self.walk.little,
        )
