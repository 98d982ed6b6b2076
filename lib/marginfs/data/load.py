"""The one door through which a unit gets its data: a specification and a random stream in, a normalised split out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from marginfs.data import generators
from marginfs.data.normalise import STEPS
from marginfs.errors import DataError
from marginfs.solvers.lp import separates
from marginfs.streams import Streams
from marginfs.types import FloatArray

GENERATORS: Mapping[str, Callable[..., tuple[FloatArray, FloatArray]]] = {
    "linear_toy": generators.linear_toy,
    "nonlinear_toy": generators.nonlinear_toy,
}
RELEVANT: Mapping[str, int] = {"linear_toy": 6, "nonlinear_toy": 2}
"""How many of a generator's leading columns carry information about the label."""
MAX_DRAWS = 10_000


@dataclass(frozen=True)
class SplitData:
    """One training and one test set, normalised by factors of the training part; labels are -1 and +1."""

    X_train: FloatArray
    y_train: FloatArray
    X_test: FloatArray
    y_test: FloatArray
    relevant: int | None = None


def load_split(spec: Mapping[str, Any], streams: Streams, *, test: bool = True) -> SplitData:
    """The split that `spec` and `streams` define; `test=False` leaves the test part empty and undrawn."""
    options = dict(spec)
    source, normalise = options.pop("source"), options.pop("normalise", [])
    split = _generate(source, options, streams, test)
    X_train, X_test = split.X_train, split.X_test
    for step in normalise:
        X_train, X_test = STEPS[step](X_train, X_test)
    return SplitData(X_train, split.y_train, X_test, split.y_test, split.relevant)


def _generate(source: str, options: dict[str, Any], streams: Streams, test: bool) -> SplitData:
    """Draw the training part, redrawn until it has both classes and, if asked, is separable; then the test part."""
    train, total = options.pop("train"), options.pop("total")
    separable = options.pop("separable", False)
    training_labels = options.pop("training_labels", "random")
    generate, relevant = GENERATORS[source], RELEVANT[source]
    for _ in range(MAX_DRAWS):
        X, y = generate(streams.train, train, labels=training_labels, **options)
        if abs(y.sum()) < train and (not separable or separates(X[:, :relevant], y)):
            break
    else:
        raise DataError(
            f"none of {MAX_DRAWS} training sets of {train} points drawn from {source} is separable in its {relevant} "
            "relevant features: use fewer points, or set separable: false and drop the selectors that need it"
        )
    X_test, y_test = generate(streams.test, total - train if test else 0, **options)
    return SplitData(X, y, X_test, y_test, relevant)
