"""Random streams that depend on what is drawn, never on which job draws it or when."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Streams:
    """The independent generators of one split: its training part, its test part, the selector's choices, and tuning."""

    train: np.random.Generator
    test: np.random.Generator
    selector: np.random.Generator
    tuning: np.random.Generator


def streams(seed: int, paper: str, experiment: str, data: str, split: int) -> Streams:
    """Make the streams of one split, which depend on these five values alone.

    Parameters
    ----------
    seed : int
        The master seed.
    paper, experiment, data : str
        What the split belongs to.
    split : int
        Number of the split.

    Returns
    -------
    Streams
        Independent of each other and of those of every other split.
    """
    digest = hashlib.sha256("\x1f".join((paper, experiment, data, str(split))).encode()).digest()
    words = np.frombuffer(digest, dtype="<u4")
    children = np.random.SeedSequence([seed, *words.tolist()]).spawn(4)
    return Streams(*(np.random.Generator(np.random.PCG64(child)) for child in children))
