"""Compiles the numba kernels into their cache, so that jobs which start together find them there."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from marginfs.protocol import Job
from marginfs.registry import selector


def compile_kernels(jobs: Iterable[Job]) -> int:
    """Run the selector of every job on a tiny problem, each combination of options once; return how many there were."""
    rng = np.random.default_rng(0)
    y = np.where(np.arange(8) % 2 == 0, 1.0, -1.0)
    X = rng.standard_normal((8, 4))
    X[:, 1] += 5.0 * y
    done = set()
    for job in jobs:
        options = next(job.units(0, 1)).options
        key = (job.method, repr(sorted(options.items())))
        if key not in done:
            done.add(key)
            selector(job.method)(X, y, rng=rng, **options)
    return len(done)
