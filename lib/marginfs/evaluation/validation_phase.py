"""Rankings judged apart from the elimination that made them: the validation phase of planas2021 (section 4.4.3)."""

from __future__ import annotations

from typing import Literal, Unpack, get_args

import numpy as np

from marginfs.data.load import SplitData
from marginfs.errors import ConfigError
from marginfs.evaluation.declared import produces
from marginfs.labels import encode, signs
from marginfs.solvers.kernel_svm import KernelSvm
from marginfs.solvers.large_svm import LargeSvm, LargeSvmKeys
from marginfs.solvers.moving_gram import MovingGram
from marginfs.solvers.primal_svm import PrimalSvm
from marginfs.types import FloatArray, IntArray, Labels, Measure, Selection

Sizes = Literal["grid", "elimination"]
TrainOn = Literal["all", "sample"]


@produces(
    "accuracy",
    "train_accuracy",
    "cost",
    "least_cost",
    "best_size",
    "best_accuracy",
    "capped",
    "elimination_accuracy",
    "iterations",
    "capped_iterations",
)
def validation_phase(
    selection: Selection,
    data: SplitData,
    *,
    sizes: Sizes = "grid",
    first: int = 1,
    stride: int = 1,
    accuracy_weight: float = 0.8,
    stop_early: bool = False,
    train_on: TrainOn = "all",
    **keys: Unpack[LargeSvmKeys],
) -> list[Measure]:
    """Accuracy and cost of a machine trained on the first features of the ranking, at many numbers of features.

    Cost is w (1 - accuracy) + (1 - w) f / d on the test part (equation 4.38). The machine grows with the features, from
    few to many.

    Parameters
    ----------
    selection : Selection
        A ranking.
    data : SplitData
        The split it was made on.
    sizes : {"grid", "elimination"}
        Numbers of features f: first, first + stride, ... up to all; or those that the elimination itself visited, minus
        one.
    first : int
        Smallest number of features of the grid.
    stride : int
        Distance between those of the grid.
    accuracy_weight : float
        Weight w of the error.
    stop_early : bool
        Whether to stop once (1 - w) f / d alone exceeds the least cost so far: no later size can then be better.
    train_on : {"all", "sample"}
        Train on the whole training part, or on the rows that the selector sampled beforehand, where it did.
    **keys : LargeSvmKeys
        The machine; of more than two classes, linear with squared hinge loss, one against the rest.

    Returns
    -------
    list of Measure
        accuracy (on the test part), train_accuracy and cost, at step f; least_cost, and best_size and best_accuracy
        there, at step 0; with a kernel also how many of its machines stopped at the cap, capped, at step 0. Of an
        elimination the training accuracy at the sizes that it visited itself, elimination_accuracy, their number,
        iterations, and how many of its own kernel machines stopped at the cap, capped_iterations, both at step 0.
    """
    if not 0 <= accuracy_weight <= 1:
        raise ConfigError(f"accuracy_weight is {accuracy_weight}: write a weight between 0 and 1.")
    total = selection.ranking.size
    X, y = _training_part(selection, data, train_on)
    classifier = GrowingClassifier(X, y, data.X_test, LargeSvm.of(**keys))
    measures, best, capped = _elimination(selection), (np.inf, 0, 0.0), 0
    for size in _sizes(selection, sizes, first, stride):
        if stop_early and (1.0 - accuracy_weight) * size / total > best[0]:
            break
        classifier.grow(selection.ranking[:size])
        accuracy = float(np.mean(classifier.predict_test() == data.y_test))
        cost = accuracy_weight * (1.0 - accuracy) + (1.0 - accuracy_weight) * size / total
        measures += [
            Measure("accuracy", size, accuracy),
            Measure("train_accuracy", size, float(np.mean(classifier.predict_train() == y))),
            Measure("cost", size, cost),
        ]
        best = min(best, (cost, size, accuracy))
        capped += not classifier.converged
    if not classifier.is_primal:
        measures.append(Measure("capped", 0, float(capped)))
    names = ("least_cost", "best_size", "best_accuracy")
    return [*measures, *(Measure(name, 0, float(value)) for name, value in zip(names, best, strict=True))]


def _elimination(selection: Selection) -> list[Measure]:
    """What an elimination saw itself, where it kept a trace."""
    trace, total = selection.trace, selection.ranking.size
    if "train_accuracy" not in trace:
        return []
    visited = np.unique(trace["retained"])
    seen = [(int(size), float(trace["train_accuracy"][total - size])) for size in visited]
    measures = [Measure("elimination_accuracy", size, accuracy) for size, accuracy in seen]
    measures.append(Measure("iterations", 0, float(visited.size)))
    if "converged" in trace:
        measures.append(Measure("capped_iterations", 0, float(np.sum(~trace["converged"].astype(bool)))))
    return measures


def _training_part(selection: Selection, data: SplitData, train_on: TrainOn) -> tuple[FloatArray, Labels]:
    if train_on not in get_args(TrainOn):
        raise ConfigError(f"train_on is {train_on!r}: write one of {', '.join(get_args(TrainOn))}.")
    y: Labels = data.y_train
    if train_on == "all" or "sample" not in selection.trace:
        return data.X_train, y
    rows = selection.trace["sample"]
    return data.X_train[rows], y[rows]


def _sizes(selection: Selection, sizes: Sizes, first: int, stride: int) -> list[int]:
    """Numbers of features, ascending."""
    if sizes == "grid":
        if first < 1 or stride < 1:
            raise ConfigError(f"first is {first} and stride {stride}: write whole numbers from 1.")
        return list(range(first, selection.ranking.size + 1, stride))
    if sizes != "elimination":
        raise ConfigError(f"sizes is {sizes!r}: write one of {', '.join(get_args(Sizes))}.")
    if "retained" not in selection.trace:
        raise ConfigError("sizes is 'elimination', but the selector eliminates nothing: write sizes: grid.")
    return [int(size) - 1 for size in np.unique(selection.trace["retained"]) if size > 1]


class GrowingClassifier:
    """A classifier that features join, and its predictions on a training and a test part.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : ndarray of shape (n,)
        Their labels.
    X_test : ndarray of shape (t, d)
        Test points.
    svm : LargeSvm
        The machine for two classes.
    """

    def __init__(self, X: FloatArray, y: Labels, X_test: FloatArray, svm: LargeSvm) -> None:
        self._classes, codes = encode(y)
        self._X, self._X_test, self._svm = X, X_test, svm
        if svm.is_primal and self._classes.size > 2:
            self._labels = [np.where(codes == code, 1.0, -1.0) for code in range(self._classes.size)]
        else:
            self._labels = [signs(y)]
        self._features: IntArray = np.empty(0, dtype=np.int64)

    @property
    def is_primal(self) -> bool:
        """Whether its machines are solved in the primal, which has no cap."""
        return self._svm.is_primal

    @property
    def converged(self) -> bool:
        """Whether all machines met their tolerance before the cap."""
        return all(m.solution.converged for m in self._machines if isinstance(m, KernelSvm))

    def grow(self, features: IntArray) -> None:
        """Train on more features, those of the last time being the first of them.

        Parameters
        ----------
        features : ndarray of int
            All features to use.
        """
        new = features[self._features.size :]
        columns, test = self._X[:, new], self._X_test[:, new]
        if self._features.size == 0:
            self._machines = [self._svm.train(columns, labels) for labels in self._labels]
            if not self._svm.is_primal:
                kernel, scaled = self._svm.kernel_function, self._svm.scaled
                self._cross = MovingGram(test, columns, kernel=kernel, scaled=scaled)
        else:
            for machine in self._machines:
                machine.add(columns)
            if not self._svm.is_primal:
                self._cross.add(test, columns)
        self._features = features

    def predict_train(self) -> Labels:
        """Labels that the training points get.

        Returns
        -------
        ndarray of shape (n,)
            The labels.
        """
        return self._decide([machine.scores for machine in self._machines])

    def predict_test(self) -> Labels:
        """Labels that the test points get.

        Returns
        -------
        ndarray of shape (t,)
            The labels.
        """
        return self._decide([self._test_scores(machine) for machine in self._machines])

    def _test_scores(self, machine: PrimalSvm | KernelSvm) -> FloatArray:
        if isinstance(machine, KernelSvm):
            return np.asarray(self._cross.matrix() @ machine.coefficients + machine.bias)
        return np.asarray(self._X_test[:, self._features] @ machine.weights + machine.bias)

    def _decide(self, scores: list[FloatArray]) -> Labels:
        if len(scores) == 1:
            return np.asarray(self._classes[(scores[0] > 0.0).astype(int)])
        return np.asarray(self._classes[np.argmax(scores, axis=0)])
