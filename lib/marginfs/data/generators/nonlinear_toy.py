"""The nonlinear problem of Weston et al. that rakotomamonjy2003 uses."""

from __future__ import annotations

import numpy as np

from marginfs.data.generators.draw import Draw, Labels, draw_labels

CENTRES = {-1: np.array([0.75, 3.0]), 1: np.array([3.0, -3.0])}


def nonlinear_toy(
    rng: np.random.Generator, n: int, *, labels: Labels = "random", noise: int = 50, noise_std: float = 20.0
) -> Draw:
    """Draw the nonlinear problem (rakotomamonjy2003, section 3.1).

    The first two columns are N(s * c, I) with a fair sign s and the centre c = (3/4, 3) for class -1, (3, -3) for
    class +1; the noise N(0, noise_std^2) follows.

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
        Two relevant columns and the noise.
    """
    y = draw_labels(rng, n, labels)
    sign = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    centres = np.where(y[:, None] > 0, CENTRES[1], CENTRES[-1])
    relevant = sign[:, None] * centres + rng.standard_normal((n, 2))
    return Draw(np.hstack([relevant, noise_std * rng.standard_normal((n, noise))]), y, 2)
