"""Elimination with LIBSVM and a loop over features, as the text of planas2021 describes it: slow, and independent."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import polynomial_kernel
from sklearn.svm import SVC


def slow_polynomial_rfe(X, y, *, C, degree, step, cap, labels):
    """Ranking by equation 4.37 with the kernel (x.z / f + C)^degree; labels multiply the signed dual coefficients."""
    features, removed = np.arange(X.shape[1]), []
    while features.size > 1:
        Z = X[:, features]
        K = polynomial_kernel(Z, degree=degree, coef0=C)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            machine = SVC(C=C, kernel="precomputed", max_iter=cap).fit(K, y)
        used = machine.support_
        a = machine.dual_coef_[0] * labels[used]
        costs = []
        for k in range(features.size):
            without = np.delete(Z[used], k, axis=1)
            costs.append(a @ K[np.ix_(used, used)] @ a - a @ (without @ without.T / features.size + C) ** degree @ a)
        leaving = np.argsort(costs, kind="stable")[: min(step, features.size - 1)]
        removed += list(features[leaving])
        features = np.delete(features, leaving)
    return np.array([*removed, *features])[::-1]
