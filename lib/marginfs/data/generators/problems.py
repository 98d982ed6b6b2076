"""The table of simulated problems that a unit draws for itself."""

from __future__ import annotations

from collections.abc import Mapping

GENERATORS: Mapping[str, str] = {
    "linear_toy": "marginfs.data.generators.linear_toy:linear_toy",
    "nonlinear_toy": "marginfs.data.generators.nonlinear_toy:nonlinear_toy",
    "ndcc": "marginfs.data.generators.ndcc:ndcc",
}
"""Problem -> its function: (rng, n, *, options) -> Draw."""
