"""Recursive feature elimination with every extension of planas2021, each an option of one loop."""

from __future__ import annotations

from typing import Unpack, get_args

import numpy as np

from marginfs.criteria.joined_weights import Join, PairwiseMachines
from marginfs.criteria.removal_cost import Reading, removal_costs
from marginfs.errors import ConfigError
from marginfs.labels import encode, signs
from marginfs.searches.backward import eliminate
from marginfs.searches.resampling import RankingMachine, Resampled, Sampling, When
from marginfs.searches.step_rules import Word, dynamic_rule
from marginfs.searches.tie_order import TieOrder
from marginfs.selectors.guard import guarded
from marginfs.solvers.large_svm import LargeSvm, LargeSvmKeys
from marginfs.types import FloatArray, IntArray, Labels, Selection


@guarded
def svm_rfe(
    X: FloatArray,
    y: Labels,
    *,
    rng: np.random.Generator,
    step: int | float | Word = 1,
    floor: int = 100,
    percentage: float = 0.1,
    centre: int = 0,
    minimum: int = 1,
    sampling: When = "never",
    share: float = 1.0,
    stratified: bool = False,
    standardised: bool = False,
    dstop: int = 0,
    criterion: Reading = "written",
    join: Join = "sum",
    power: float = 1.0,
    normalised: bool = False,
    tie_order: TieOrder = "stable",
    **keys: Unpack[LargeSvmKeys],
) -> Selection:
    """Train, drop the features of smallest criterion, until all are ranked (algorithms 1-4, 6 and 7).

    A linear machine gives w_k^2, joined over all pairs of classes; a kernel machine, for two classes, equation 4.37.
    The thesis's combination (section 5.7) is a kernel with a reflective step and internal sampling.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : ndarray of shape (n,)
        Their labels; two classes, or more with the linear kernel.
    rng : Generator
        Source of the samples.
    step : int, float or str
        Features dropped at once: a number, a share, or a word (see `dynamic_rule`); "all" makes it a filter.
    floor : int
        Number of features from which on "halving" and "entropy" drop one at a time.
    percentage : float
        Share of the reflective step.
    centre : int
        Number of features around which the reflective step is smallest.
    minimum : int
        Smallest reflective step.
    sampling : {"never", "beforehand", "internal"}
        Whether points are sampled once, or anew at every iteration.
    share : float
        Share of the points in a sample.
    stratified : bool
        Whether a sample has equally many points of every class.
    standardised : bool
        Whether every sample, or without sampling the whole, is standardised.
    dstop : int
        Number of features at which internal sampling ends.
    criterion : {"written", "run", "run_positive"}
        Reading of equation 4.37 (see `removal_costs`).
    join : {"sum", "maximum", "mean_over_deviation", "deviation_over_mean"}
        How weights of several machines are joined (see `join_weights`).
    power : float
        Degree k of the sum of (w^2)^k.
    normalised : bool
        Whether every machine's squared weights are first brought to length one.
    tie_order : {"stable", "introsort"}
        Order in which equal features leave.
    **keys : LargeSvmKeys
        The machine.

    Returns
    -------
    Selection
        The ranking. The trace is that of `eliminate`, with the accuracy on the points trained on as train_accuracy;
        with a kernel also converged, whether the machine of each iteration met its tolerance before the cap; where
        points were sampled beforehand, their rows as sample.
    """
    svm = LargeSvm.of(**keys)
    if criterion not in get_args(Reading) or (svm.kernel == "linear" and criterion != "written"):
        raise ConfigError(
            f"criterion is {criterion!r} with kernel {svm.kernel!r}: write one of {', '.join(get_args(Reading))}; with "
            "the linear kernel only the first has a meaning."
        )
    _, codes = encode(y)

    def machine(points: FloatArray, classes: IntArray) -> RankingMachine:  # numpydoc ignore=PR01,RT01
        """Train on some points."""
        if svm.kernel == "linear":
            return PairwiseMachines(points, classes, svm.train, join=join, power=power, normalised=normalised)
        return KernelRanking(points, signs(classes), svm, criterion)

    rule = dynamic_rule(step, floor=floor, percentage=percentage, centre=centre, minimum=minimum)
    plan = Sampling(sampling, share, stratified, standardised, dstop)
    model = Resampled(np.asarray(X, dtype=np.float64), codes, machine, plan, rng)
    converged: list[bool] = []

    def relevance(state: Resampled) -> FloatArray:  # numpydoc ignore=PR01,RT01
        """What features are worth; notes whether the machine is trained to the end."""
        if isinstance(state.machine, KernelRanking):
            converged.append(state.machine.converged)
        return state.machine.relevance()

    found = eliminate(model, relevance, step=rule, value=lambda state: state.machine.accuracy(), tie_order=tie_order)
    trace = dict(found.trace)
    trace["train_accuracy"] = trace.pop("value")
    if converged:
        trace["converged"] = np.array(converged)
    if model.sample is not None:
        trace["sample"] = model.sample
    return Selection(ranking=found.ranking, trace=trace)


class KernelRanking:
    """A kernel machine, and what its objective loses with each feature.

    Parameters
    ----------
    X : ndarray of shape (n, f)
        Training points.
    y : ndarray of shape (n,)
        Labels -1.0 and +1.0.
    svm : LargeSvm
        The machine.
    reading : {"written", "run", "run_positive"}
        Reading of equation 4.37.
    """

    def __init__(self, X: FloatArray, y: FloatArray, svm: LargeSvm, reading: Reading) -> None:
        self._y, self._reading = y, reading
        self._machine = svm.train_dual(X, y)

    @property
    def converged(self) -> bool:
        """Whether the machine met its tolerance before the cap."""
        return self._machine.solution.converged

    def relevance(self) -> FloatArray:
        """What every feature is worth.

        Returns
        -------
        ndarray of shape (f,)
            DJ(k) of equation 4.37.
        """
        return removal_costs(self._machine, self._reading)

    def accuracy(self) -> float:
        """Share of training points on the right side.

        Returns
        -------
        float
            The accuracy, between 0 and 1.
        """
        return float(np.mean((self._machine.scores > 0.0) == (self._y > 0.0)))

    def remove(self, positions: IntArray) -> None:
        """Go on without the features at these positions.

        Parameters
        ----------
        positions : ndarray of int
            Positions among the present features.
        """
        self._machine.remove(positions)
