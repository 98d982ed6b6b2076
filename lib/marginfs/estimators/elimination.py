"""Recursive elimination as one set of options, and the solver that suits the shape of the data.

    minimise  1/2 ||w||^2 + C sum_i xi_i^p     p = 2 (squared hinge) or 1 (hinge), the bias free

The linear machine with squared hinge loss is solved in the primal, in O(nd + d^2) memory and O(nd) for a step, or in
the dual, in O(n^2 + nd) memory and O(n^2) for a step. Both find the same weights, and so the same ranking.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from marginfs.criteria import load_criterion
from marginfs.criteria.joined_weights import Join, LinearMachine, PairwiseMachines
from marginfs.criteria.machine import Machine
from marginfs.errors import ConfigError
from marginfs.kernels import LINEAR, Kernel
from marginfs.labels import signs
from marginfs.searches.backward import eliminate
from marginfs.searches.linear_rfe import linear_rfe
from marginfs.searches.resampling import RankingMachine, Resampled, Sampling
from marginfs.searches.step_rules import Word, dynamic_rule
from marginfs.selectors.backward_elimination import relevance
from marginfs.selectors.svm_rfe import KernelRanking
from marginfs.solvers.dual_svm import DualSvm
from marginfs.solvers.large_svm import LargeSvm, Loss
from marginfs.solvers.primal_svm import PrimalSvm
from marginfs.solvers.svm_options import Svm, check_penalty
from marginfs.types import FloatArray, IntArray, Selection

Order = Literal["first", "zero", "retrained"]
POINTS_PER_FEATURE = 3
"""From so many points per feature on, the primal is faster than the dual."""


@dataclass(frozen=True)
class Elimination:
    """What to train, what features are worth to it, and how many leave at once.

    Attributes
    ----------
    kernel : Kernel
        The kernel.
    C : float
        Penalty of the slack.
    loss : {"squared_hinge", "hinge"}
        The slack's power.
    criterion : {"w2", "r2w2", "span"}
        What is measured of a machine.
    order : {"first", "zero", "retrained"}
        How a feature's part of it is measured.
    step : int, float or str
        How many features leave at once.
    floor : int
        Number of features from which on "halving" and "entropy" drop one at a time.
    sampling : Sampling
        How points are sampled.
    join : str
        How the weights of several classes' machines are joined.
    tol : float
        Tolerance of the solvers.
    """

    kernel: Kernel
    C: float
    loss: Loss
    criterion: str
    order: Order
    step: int | float | Word
    floor: int
    sampling: Sampling
    join: Join
    tol: float

    def __post_init__(self) -> None:
        check_penalty(self.C)
        if self.loss not in get_args(Loss):
            raise ConfigError(f"loss is {self.loss!r}: write one of {', '.join(get_args(Loss))}.")
        if self.order not in get_args(Order):
            raise ConfigError(f"order is {self.order!r}: write one of {', '.join(get_args(Order))}.")

    @property
    def by_weights(self) -> bool:
        """Whether features leave by the squared weights of linear machines."""
        return self.kernel.code == LINEAR and self.criterion == "w2" and self.order != "retrained"

    @property
    def svm(self) -> Svm:
        """The machine in the terms of the dual solvers, whose quadratic slack costs C/2."""
        squared = self.loss == "squared_hinge"
        return Svm(self.kernel, 2.0 * self.C if squared else self.C, "l2" if squared else "l1", self.tol)

    def is_primal(self, n: int, d: int) -> bool:
        """Whether a linear machine is solved in the primal.

        Parameters
        ----------
        n, d : int
            Numbers of points and of features.

        Returns
        -------
        bool
            True for many points and few features, where the loss and a finite C allow it.
        """
        return self.loss == "squared_hinge" and bool(np.isfinite(self.C)) and n >= POINTS_PER_FEATURE * d

    def rank(
        self, X: FloatArray, codes: IntArray, rng: np.random.Generator, *, with_accuracy: bool = False
    ) -> Selection:
        """Rank all features.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            Training points.
        codes : ndarray of int
            Their classes, 0, 1, 2, ...
        rng : numpy.random.Generator
            Source of the samples.
        with_accuracy : bool
            Whether to measure the training accuracy along the way.

        Returns
        -------
        Selection
            The ranking with the trace of `eliminate`; with the accuracy as train_accuracy where it was asked for.
        """
        needs_machines = with_accuracy or self.sampling.when != "never"
        if needs_machines or (self.by_weights and (codes.max() > 1 or self.is_primal(*X.shape))):
            return self._by_machines(X, codes, rng, with_accuracy)
        y, rule = signs(codes), dynamic_rule(self.step, floor=self.floor)
        if self.by_weights and self.step != "entropy":
            return linear_rfe(X, y, self.svm, step=rule, factor=2.0 if self.order == "first" else 1.0)
        order = "zero_retrained" if self.order == "retrained" else self.order
        term = relevance(load_criterion(self.criterion), order, "change")
        return eliminate(Machine(X, y, self.svm), term, step=rule)

    def train(self, X: FloatArray, y: FloatArray) -> PrimalSvm | DualSvm:
        """Train a linear machine for two classes.

        Parameters
        ----------
        X : ndarray of shape (n, f)
            Training points.
        y : ndarray of shape (n,)
            Labels -1.0 and +1.0.

        Returns
        -------
        PrimalSvm or DualSvm
            The machine, which features can leave.
        """
        if self.is_primal(*X.shape):
            return PrimalSvm(X, y, C=self.C, bias="free", tol=self.tol)
        return DualSvm(X, y, self.svm)

    def _by_machines(self, X: FloatArray, codes: IntArray, rng: np.random.Generator, with_accuracy: bool) -> Selection:
        """Eliminate with a machine for every pair of classes, on all points or on samples."""
        model = Resampled(X, codes, self._machine, self.sampling, rng)
        found = eliminate(
            model,
            lambda state: state.machine.relevance(),
            step=dynamic_rule(self.step, floor=self.floor),
            value=(lambda state: state.machine.accuracy()) if with_accuracy else None,
        )
        trace = dict(found.trace)
        if with_accuracy:
            trace["train_accuracy"] = trace.pop("value")
        return Selection(ranking=found.ranking, trace=trace)

    def _machine(self, points: FloatArray, classes: IntArray) -> RankingMachine:
        if self.by_weights:
            return PairwiseMachines(points, classes, self._linear, join=self.join)
        if (self.criterion, self.order, self.loss) != ("w2", "zero", "hinge"):
            raise ConfigError(
                f"criterion is {self.criterion!r}, order {self.order!r} and loss {self.loss!r}: with a kernel, "
                "sampling and stop need criterion='w2', order='zero' and loss='hinge'."
            )
        kernel = self.kernel
        svm = LargeSvm(
            self.C, kernel.name, "hinge", kernel.degree, kernel.offset, kernel.gamma, scaled=False, tol=self.tol
        )
        return KernelRanking(points, signs(classes), svm, "written")

    def _linear(self, X: FloatArray, y: FloatArray) -> LinearMachine:
        return self.train(X, y)
