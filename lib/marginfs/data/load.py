"""The one door through which a unit gets its data: a specification and a random stream in, a normalised split out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from marginfs.data import generators, splits
from marginfs.data.dataset import Dataset, load_dataset
from marginfs.data.normalise import STEPS
from marginfs.errors import ConfigError, DataError, MissingDataError
from marginfs.streams import Streams
from marginfs.types import FloatArray, IntArray

GENERATORS: Mapping[str, Callable[..., tuple[FloatArray, FloatArray]]] = {
    "linear_toy": generators.linear_toy,
    "nonlinear_toy": generators.nonlinear_toy,
    "ndcc": generators.ndcc,
}
RELEVANT: Mapping[str, int] = {"linear_toy": 6, "nonlinear_toy": 2, "ndcc": 20}
"""How many of a generator's leading columns carry information about the label."""
MAX_DRAWS = 10_000

StreamsOf = Callable[[int], Streams]


@dataclass(frozen=True)
class SplitData:
    """One training and one test set, normalised by factors of the training part; labels are -1 and +1."""

    X_train: FloatArray
    y_train: FloatArray
    X_test: FloatArray
    y_test: FloatArray
    relevant: int | None = None


def load_split(
    spec: Mapping[str, Any], split: int, streams_of: StreamsOf, *, folder: str | Path, test: bool = True
) -> SplitData:
    """Split number `split` of the data that `spec` describes.

    streams_of: the random streams of a split. folder: where prepared data sets are. test: whether the test part is
    wanted; without it a generator draws none.
    """
    options = dict(spec)
    source, normalise = options.pop("source"), options.pop("normalise", [])
    if source in GENERATORS:
        data = _generate(source, options, streams_of(split), test)
    else:
        data = _take(load_dataset(Path(folder, f"{source}.npz")), options["split"], split, streams_of)
    for step in normalise:
        X_train, X_test = STEPS[step](data.X_train, data.X_test)
        data = replace(data, X_train=X_train, X_test=X_test)
    return data


def _generate(source: str, options: dict[str, Any], streams: Streams, test: bool) -> SplitData:
    """Draw the training part, redrawn until it has both classes and, if asked, is separable; then the test part.

    NDCC draws its clusters first, so there both parts come from one draw.
    """
    train, total = options.pop("train"), options.pop("total")
    if source == "ndcc":
        X, y = generators.ndcc(streams.train, total, **options)
        return SplitData(X[:train], y[:train], X[train:], y[train:], RELEVANT[source])
    separable = options.pop("separable", False)
    training_labels = options.pop("training_labels", "random")
    generate, relevant = GENERATORS[source], RELEVANT[source]
    for _ in range(MAX_DRAWS):
        X, y = generate(streams.train, train, labels=training_labels, **options)
        if abs(y.sum()) < train and (not separable or _separates(X[:, :relevant], y)):
            break
    else:
        raise DataError(
            f"none of {MAX_DRAWS} training sets of {train} points drawn from {source} is separable in its {relevant} "
            "relevant features: use fewer points, or set separable: false and drop the selectors that need it"
        )
    X_test, y_test = generate(streams.test, total - train if test else 0, **options)
    return SplitData(X, y, X_test, y_test, relevant)


def _take(dataset: Dataset, spec: Mapping[str, Any], split: int, streams_of: StreamsOf) -> SplitData:
    """The rows of one split of a prepared data set."""
    if not dataset.target_names:
        raise MissingDataError(str(dataset.meta["reason"]))
    train, test = _rows(dataset, dict(spec), split, streams_of)
    y = dataset.y.astype(np.float64)
    return SplitData(dataset.X[train], y[train], dataset.X[test], y[test])


def _rows(dataset: Dataset, spec: dict[str, Any], split: int, streams_of: StreamsOf) -> tuple[IntArray, IntArray]:
    """Training and test rows by the rule that `spec` names."""
    kind = spec.pop("kind")
    if kind == "stratified":
        return splits.stratified_split(streams_of(split).train, dataset.y, **spec)
    if kind == "realisation":
        fixed = (dataset.train, dataset.test) if dataset.train.size else None
        found = splits.realisation(streams_of(split).train, dataset.y, split, fixed=fixed, **spec)
        return found.train, found.test
    if kind == "nested":
        return splits.nested_split(dataset.y, split, lambda index: streams_of(index).train, **spec)
    if kind == "kfold":
        k = spec.pop("k")
        folds = list(splits.kfold(streams_of(split // k).train, dataset.y, k, **spec))
        return folds[split % k].train, folds[split % k].test
    if kind == "fixed":
        return dataset.train[0], dataset.test[0]
    raise ConfigError(f"data.split.kind is {kind!r}; write one of: stratified, realisation, nested, kfold, fixed")


def _separates(X: FloatArray, y: FloatArray) -> bool:
    from marginfs.solvers.lp import separates  # HiGHS costs every job start-up time

    return separates(X, y)
