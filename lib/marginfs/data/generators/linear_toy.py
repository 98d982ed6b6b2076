"""The linear problem of Weston et al. that klement2010 and rakotomamonjy2003 use."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from marginfs.data.generators.draw import Draw, Labels, draw_labels
from marginfs.types import AtLeast

MEANS = np.array([1.0, 2.0, 3.0, 1.0, 2.0, 3.0])


def linear_toy(
    rng: np.random.Generator,
    n: int,
    *,
    labels: Labels = "random",
    noise: Annotated[int, AtLeast(0)] = 196,
    noise_std: float = 20.0,
) -> Draw:
    """Draw the linear problem (klement2010, section 4; rakotomamonjy2003, section 3.1).

    With probability 0.7 a point has x_i = y * N(i, 1) for i = 1..3 and x_4..x_6 ~ N(0, 1); otherwise x_1..x_3 ~ N(0, 1)
    and x_i = y * N(i-3, 1) for i = 4..6. The relevant six columns come first, then the noise N(0, noise_std^2).

    Parameters
    ----------
    rng : numpy.random.Generator
        Where all randomness comes from.
    n : int
        Number of points.
    labels : {"random", "balanced"}
        Each label a fair coin, or half of each class.
    noise : int
        Number of noise columns.
    noise_std : float
        Their standard deviation.

    Returns
    -------
    Draw
        Six relevant columns and the noise.
    """
    y = draw_labels(rng, n, labels)
    first = rng.random(n) < 0.7
    carries_label = np.column_stack([first, first, first, ~first, ~first, ~first])
    normal = rng.standard_normal((n, len(MEANS)))
    relevant = np.where(carries_label, y[:, None] * (normal + MEANS), normal)
    return Draw(np.hstack([relevant, noise_std * rng.standard_normal((n, noise))]), y, len(MEANS))
