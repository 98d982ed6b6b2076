"""How the time of an elimination grows with the number of features and of points."""

from __future__ import annotations

import time

import numpy as np
from peers import expression

from marginfs import SVMRFE


def slopes(quick: bool) -> list[dict[str, float | str]]:
    """Times along d and along n, with the exponent of the power law through them."""
    wide = [100, 200, 400] if quick else [500, 1000, 2000, 4000]
    tall = [1000, 2000, 4000] if quick else [5000, 10_000, 20_000, 40_000]
    rows: list[dict[str, float | str]] = []
    for name, sizes, shape in (
        ("features d, 60 points (dual)", wide, lambda size: (60, size)),
        ("points n, 30 features (primal)", tall, lambda size: (size, 30)),
    ):
        times = [_seconds(*shape(size)) for size in sizes]
        slope = float(np.polyfit(np.log(sizes), np.log(times), 1)[0])
        rows += [
            {"along": name, "size": size, "seconds": seconds, "slope": round(slope, 2)}
            for size, seconds in zip(sizes, times, strict=True)
        ]
    return rows


def _seconds(n: int, d: int) -> float:
    X, y = expression(n, d)
    times = []
    for _ in range(3):
        start = time.process_time()
        SVMRFE(1).fit(X, y)
        times.append(time.process_time() - start)
    return float(f"{min(times):.4g}")
