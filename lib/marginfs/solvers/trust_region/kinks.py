"""How near a kink of the objective must be for its far side to count in the model.

Where the slope of an objective bends at a border, as that of a hinge does, a model that knows only the near side sends
every step across some border, and the iteration crawls along them with a tiny radius. So the curvature of the far side
counts within a width. It is a second measure of trust: it widens where a step fails and narrows where the model is too
stiff. A convergence is declared at the least width only, where the model is the objective's own.
"""

from __future__ import annotations

FIRST, LARGEST = 0.3, 1.0
NARROW, LEAST = 1e-3, 1e-4
"""Below the first of them a convergence counts; the second is the least width."""
WIDEN, STIFF, SETTLED = 2.0, 0.25, 0.125
"""Factors after a step that failed, one that the model was too stiff for, and a convergence at too large a width."""


class KinkWidth:
    """The width along an iteration.

    Parameters
    ----------
    used : bool
        Whether the objective has kinks; otherwise the width is zero.
    """

    def __init__(self, used: bool) -> None:
        self.value = FIRST if used else 0.0

    @property
    def narrow(self) -> bool:  # numpydoc ignore=RT01
        """Whether a convergence counts."""
        return self.value <= NARROW

    def after(self, ratio: float, failed: bool, inside: bool) -> None:
        """Follow a step.

        Parameters
        ----------
        ratio : float
            Actual over predicted decrease.
        failed : bool
            Whether the ratio is too low to keep the radius.
        inside : bool
            Whether the step ended inside the ball: the model held it back, not the radius.
        """
        if failed:
            self.value = min(WIDEN * self.value, LARGEST)
        elif inside and ratio > 1.0:
            self._shrink(STIFF)

    def settle(self) -> None:
        """Follow a convergence that did not count."""
        self._shrink(SETTLED)

    def _shrink(self, factor: float) -> None:
        if self.value > LEAST:
            self.value = max(factor * self.value, LEAST)
