"""The machines at the common start, all weights one: they depend on C alone, so that every mu of a grid shares them."""

from __future__ import annotations

import numpy as np

from marginfs.criteria.feature_weights import gaussian
from marginfs.solvers.smoothed_svm import SmoothedSolution, solve_smoothed
from marginfs.types import FloatArray


class FirstMachines:
    """Smoothed machines at weights of one, trained when first asked for, each from the one of the nearest C.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : ndarray of shape (n,)
        Labels -1.0 and +1.0.
    epsilon : float
        Half the width of the loss's quadratic part.
    """

    def __init__(self, X: FloatArray, y: FloatArray, *, epsilon: float = 0.5) -> None:
        self.X, self.y, self.epsilon = X, y, epsilon
        self._K: FloatArray | None = None
        self._known: dict[float, SmoothedSolution] = {}

    def at(self, C: float) -> SmoothedSolution:
        """The machine for one C.

        Parameters
        ----------
        C : float
            Penalty of the losses.

        Returns
        -------
        SmoothedSolution
            The machine.
        """
        if C not in self._known:
            if self._K is None:
                self._K = gaussian(self.X, self.X)
            nearest = min(self._known, key=lambda known: abs(np.log(known / C)), default=None)
            start = None if nearest is None else self._known[nearest]
            self._known[C] = solve_smoothed(self._K, self.y, C=C, epsilon=self.epsilon, start=start)
        return self._known[C]
