"""Test errors along an elimination path, with the classifier that each removal left (Aksu et al. 2008, figures 1-3).

Features are added back from the last retained one to the first removed one, so that every step costs one feature and no
rounding error is carried from large sums to small ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from marginfs.labels import signs
from marginfs.types import FloatArray, IntArray, Labels


def path_errors(
    model: Mapping[str, npt.NDArray[Any]],
    X_train: FloatArray,
    y_train: Labels,
    X_test: FloatArray,
    y_test: Labels,
) -> FloatArray:
    """Share of wrong test labels for each state of the path; f = 0 counts as the greater label.

    The cost is O(n_test d) for a linear path per training of its SVM, O(n_sv n_test d) for a kernel path.

    Parameters
    ----------
    model : Mapping of str to ndarray
        `Selection.model` of a margin-elimination selector trained on (X_train, y_train).
    X_train : ndarray of shape (n, d)
        Training points.
    y_train : ndarray of shape (n,)
        Their labels.
    X_test : ndarray of shape (n_test, d)
        Test points.
    y_test : ndarray of shape (n_test,)
        Their labels.

    Returns
    -------
    ndarray of float
        One error per state, aligned with the trace's `retained`.
    """
    responses = _kernel_responses(model, X_train, X_test) if "kernel" in model else _linear_responses(model, X_test)
    f = model["scale"][:, None] * responses + model["bias"][:, None]
    return np.asarray(np.mean(np.where(f >= 0.0, 1.0, -1.0) != signs(y_test, like=y_train), axis=1))


def path_lengths(model: Mapping[str, npt.NDArray[Any]], X_train: FloatArray) -> FloatArray:
    """Squared weight length of each state of a kernel path, from kernels that are computed anew.

    Parameters
    ----------
    model : Mapping of str to ndarray
        `Selection.model` of a kernel elimination trained on X_train.
    X_train : ndarray of shape (n, d)
        Training points.

    Returns
    -------
    ndarray of float
        scale^2 a'Ka with a = alpha * y, aligned with the trace's `retained`.
    """
    a = model["coefficients"][0]
    support = np.flatnonzero(a)
    return np.asarray(model["scale"] ** 2 * (_kernel_responses(model, X_train, X_train[support]) @ a[support]))


def _linear_responses(model: Mapping[str, npt.NDArray[Any]], X: FloatArray) -> FloatArray:
    """w.x of every state (rows) and test sample, w restricted to the state's retained features."""
    removed, survivors = model["removed"], model["survivors"]
    responses = np.empty((removed.size + 1, X.shape[0]))
    for epoch, w in enumerate(model["coefficients"]):
        states = np.flatnonzero(model["epoch"] == epoch)
        first, last = states[0], states[-1]
        left = np.concatenate([removed[last:], survivors])
        responses[last] = X[:, left] @ w[left]
        for state in range(last - 1, first - 1, -1):
            responses[state] = responses[state + 1] + w[removed[state]] * X[:, removed[state]]
    return responses


def _kernel_responses(model: Mapping[str, npt.NDArray[Any]], X_train: FloatArray, X: FloatArray) -> FloatArray:
    """sum_k alpha_k y_k K(s_k, x) of every state (rows) and test sample."""
    removed: IntArray = model["removed"]
    gaussian, parameter = str(model["kernel"]) == "gaussian", float(model["parameter"])
    a = model["coefficients"][0]
    support = np.flatnonzero(a)
    S, a = X_train[support], a[support]
    matrix = np.full((support.size, X.shape[0]), 0.0 if gaussian else 1.0)

    def add(feature: int) -> None:
        s, x = S[:, feature, None], X[:, feature]
        np.add(matrix, np.square(s - x) if gaussian else s * x, out=matrix)

    for feature in model["survivors"]:
        add(feature)
    responses = np.empty((removed.size + 1, X.shape[0]))
    for state in range(removed.size, -1, -1):
        responses[state] = a @ (np.exp(-parameter * matrix) if gaussian else matrix ** int(parameter))
        if state > 0:
            add(removed[state - 1])
    return responses
