"""NDCC as tayal2014 uses it: training, validation and test part of one draw."""

from __future__ import annotations

import numpy as np

from marginfs.data.generators.ndcc import ndcc


def ndcc_parts(seed, sizes=(200, 200, 1000), noise=100):
    """The parts as (X, y) each, standardised by the training part; the first 20 columns are true."""
    draw = ndcc(np.random.default_rng(seed), sum(sizes), noise=noise)
    train, ends = draw.X[: sizes[0]], np.cumsum(sizes)[:-1]
    X = (draw.X - train.mean(axis=0)) / train.std(axis=0)
    return list(zip(np.split(X, ends), np.split(draw.y, ends), strict=True))
