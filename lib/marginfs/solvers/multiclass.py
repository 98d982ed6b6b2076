"""Classifiers of any number of classes, made of machines for two: one against one, or one against the rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, get_args

import numpy as np

from marginfs.errors import ConfigError
from marginfs.kernels import LINEAR, Kernel
from marginfs.labels import encode
from marginfs.solvers.svm_dual import solve_dual
from marginfs.solvers.svm_options import Svm
from marginfs.types import FloatArray, IntArray, Labels

Multiclass = Literal["one_vs_one", "one_vs_rest"]


@dataclass(frozen=True, slots=True)
class Classifier:
    """Trained machines for two classes, and how they decide together.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        Training points.
    K : ndarray of shape (n, n)
        Their kernel matrix.
    kernel : Kernel
        The kernel.
    classes : ndarray of shape (k,)
        The labels, ascending.
    multiclass : {"one_vs_one", "one_vs_rest"}
        What each machine tells apart; two classes need one machine in either case.
    coefficients : ndarray of shape (m, n)
        alpha_i y_i of every machine, zero for the points that it was not trained on.
    bias : ndarray of shape (m,)
        Offsets of the machines.
    """

    X: FloatArray
    K: FloatArray
    kernel: Kernel
    classes: Labels
    multiclass: Multiclass
    coefficients: FloatArray
    bias: FloatArray

    def decisions(self, Z: FloatArray) -> FloatArray:
        """The decision values sum_i alpha_i y_i k(x_i, z) + b.

        Parameters
        ----------
        Z : ndarray of shape (t, d)
            Points.

        Returns
        -------
        ndarray of shape (m, t)
            One row per machine, over the support vectors only.
        """
        used = np.flatnonzero(self.coefficients.any(axis=0))
        coefficients, support = self.coefficients[:, used], self.X[used]
        if self.kernel.code == LINEAR:
            responses = [Z @ (c @ support) for c in coefficients]
        else:
            cross = self.kernel.matrix(Z, support)
            responses = [cross @ c for c in coefficients]
        return np.array(responses) + self.bias[:, None]

    def error(self, Z: FloatArray, y: Labels) -> float:
        """Share of points that are not given their own class.

        Machines one against the rest choose the largest decision value; machines one against one vote, ties going to
        the class with the larger sum of decision values; what is still equal goes to the first class. Of two classes, a
        point that lies on the plane between them belongs to neither.

        Parameters
        ----------
        Z : ndarray of shape (t, d)
            Points.
        y : ndarray of shape (t,)
            Their labels.

        Returns
        -------
        float
            The error, between 0 and 1.
        """
        decisions = self.decisions(Z)
        if self.classes.size == 2:
            wrong = (self.classes[(decisions[0] > 0.0).astype(int)] != y) | (decisions[0] == 0.0)
        elif self.multiclass == "one_vs_rest":
            wrong = self.classes[decisions.argmax(axis=0)] != y
        else:
            wrong = self.classes[_elected(decisions, self.classes.size)] != y
        return float(np.mean(wrong))


def train(X: FloatArray, y: Labels, svm: Svm, multiclass: Multiclass = "one_vs_one") -> Classifier:
    """Train the machines of a classifier.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : ndarray of shape (n,)
        Their labels, of any number of classes.
    svm : Svm
        The machine for two classes.
    multiclass : {"one_vs_one", "one_vs_rest"}
        A machine for every pair of classes, or for every class against all others; the same for two classes.

    Returns
    -------
    Classifier
        The machines.
    """
    if multiclass not in get_args(Multiclass):
        raise ConfigError(f"multiclass is {multiclass!r}: write one of {', '.join(get_args(Multiclass))}.")
    classes, codes = encode(y)
    K = svm.kernel.matrix(X)
    coefficients, biases = [], []
    for rows, signs in _problems(codes, classes.size, multiclass):
        solution = solve_dual(K if rows.size == len(K) else K[np.ix_(rows, rows)], signs, svm)
        whole = np.zeros(len(K))
        whole[rows] = solution.alpha * signs
        coefficients.append(whole)
        biases.append(solution.bias)
    return Classifier(X, K, svm.kernel, classes, multiclass, np.array(coefficients), np.array(biases))


def _problems(codes: IntArray, k: int, multiclass: Multiclass) -> Iterator[tuple[IntArray, FloatArray]]:
    """The rows and signs of every machine; of a pair the second class is positive."""
    if k > 2 and multiclass == "one_vs_rest":
        for code in range(k):
            yield np.arange(codes.size), np.where(codes == code, 1.0, -1.0)
        return
    for pair in combinations(range(k), 2):
        rows = np.flatnonzero(np.isin(codes, pair))
        yield rows, np.where(codes[rows] == pair[1], 1.0, -1.0)


def _elected(decisions: FloatArray, k: int) -> IntArray:
    """The class with most votes of the pairs, then with the largest sum of decision values, then the first."""
    votes, total = np.zeros((2, k, decisions.shape[1]))
    for (first, second), values in zip(combinations(range(k), 2), decisions, strict=True):
        votes[first] += values <= 0.0
        votes[second] += values > 0.0
        total[first] -= values
        total[second] += values
    return np.asarray(np.where(votes == votes.max(axis=0), total, -np.inf).argmax(axis=0))
