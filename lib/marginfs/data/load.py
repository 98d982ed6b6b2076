"""The one way in which a unit gets its data: a specification and random streams in, a normalised split out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from marginfs.data import splits
from marginfs.data.dataset import Dataset, load_dataset
from marginfs.data.generators.problems import GENERATORS
from marginfs.data.normalise import STEPS
from marginfs.data.split_kinds import Streams, StreamsOf
from marginfs.errors import DataError, MissingDataError
from marginfs.lookup import by_name, look_up
from marginfs.types import FloatArray, IntArray

KINDS: Mapping[str, str] = {
    "all_rows": "marginfs.data.split_kinds:all_rows",
    "fixed": "marginfs.data.split_kinds:fixed",
    "kfold": "marginfs.data.split_kinds:kfold",
    "nested": "marginfs.data.split_kinds:nested",
    "realisation": "marginfs.data.split_kinds:realisation",
    "stratified": "marginfs.data.split_kinds:stratified",
}
"""Kind of split -> the function that draws its rows."""
MAX_DRAWS = 10_000


@dataclass(frozen=True)
class SplitData:
    """One training and one test set, normalised by factors of the training part.

    Attributes
    ----------
    X_train, X_test : ndarray of shape (n, d)
        The points.
    y_train, y_test : ndarray of shape (n,)
        Their classes: -1 and +1 where there are two, else 0, 1, 2, ...
    relevant : int, optional
        How many of the leading features are known to matter.
    """

    X_train: FloatArray
    y_train: IntArray
    X_test: FloatArray
    y_test: IntArray
    relevant: int | None = None


@dataclass(frozen=True)
class Part:
    """Points and their classes, as they come from the source."""

    X: FloatArray
    y: IntArray

    def rows(self, chosen: IntArray | slice) -> Part:
        """Take some of the points.

        Parameters
        ----------
        chosen : ndarray of int, or slice
            Their positions.

        Returns
        -------
        Part
            These points.
        """
        return Part(self.X[chosen], self.y[chosen])


@dataclass(frozen=True)
class RawSplit:
    """A split before normalisation; `valid` is empty where the specification asks for no validation part."""

    train: Part
    valid: Part
    test: Part
    relevant: int | None


class Prepared:
    """The prepared data sets of a job, each read once.

    Parameters
    ----------
    files : mapping
        Name of a data set -> its file.
    """

    def __init__(self, files: Mapping[str, str | Path]) -> None:
        self._files = files
        self._loaded: dict[str, Dataset] = {}

    def __getitem__(self, name: str) -> Dataset:
        if name not in self._loaded:
            self._loaded[name] = load_dataset(self._files[name])
        return self._loaded[name]


def load_split(
    spec: Mapping[str, Any], split: int, streams_of: StreamsOf, prepared: Prepared, *, test: bool = True
) -> SplitData:
    """Make one split of the data that `spec` describes.

    Parameters
    ----------
    spec : mapping
        `source`, its options or `split`, `normalise`, `validation`.
    split : int
        Number of the split.
    streams_of : callable
        The random streams of any split.
    prepared : Prepared
        The data sets of the job.
    test : bool
        Whether the test part is wanted; without it a generator draws none.

    Returns
    -------
    SplitData
        The training and the test part.
    """
    raw = _draw(spec, split, streams_of, prepared, test)
    return _normalised(raw.train, raw.test, spec.get("normalise", ()), raw.relevant)


def load_inner_splits(
    spec: Mapping[str, Any], split: int, streams_of: StreamsOf, prepared: Prepared, *, folds: int | None
) -> list[SplitData]:
    """Divide the training part of a split again, for tuning; the outer test part is never seen.

    Parameters
    ----------
    spec : mapping
        As for `load_split`.
    split : int
        Number of the outer split.
    streams_of : callable
        The random streams of any split.
    prepared : Prepared
        The data sets of the job.
    folds : int or None
        Stratified inner folds, or None to test on the validation part.

    Returns
    -------
    list of SplitData
        One per fold, each normalised by its own training part.
    """
    raw = _draw(spec, split, streams_of, prepared, test=False)
    steps = spec.get("normalise", ())
    if folds is None:
        return [_normalised(raw.train, raw.valid, steps, raw.relevant)]
    rng = streams_of(split).tuning
    return [
        _normalised(raw.train.rows(train), raw.train.rows(test), steps, raw.relevant)
        for train, test in splits.kfold(rng, raw.train.y, folds)
    ]


def entries_of(spec: Mapping[str, Any]) -> list[str]:
    """List the functions that loading calls by name, for the hash of a job's source.

    Parameters
    ----------
    spec : mapping
        As for `load_split`, with a single `source`.

    Returns
    -------
    list of str
        As "module:function".
    """
    source = spec["source"]
    drawn = [GENERATORS[source]] if source in GENERATORS else [KINDS[spec["split"]["kind"]]]
    return drawn + [STEPS[step] for step in spec.get("normalise", ())]


def _draw(spec: Mapping[str, Any], split: int, streams_of: StreamsOf, prepared: Prepared, test: bool) -> RawSplit:
    options = {key: value for key, value in spec.items() if key not in ("source", "normalise", "validation")}
    source, validation = spec["source"], spec.get("validation", 0)
    if source == "ndcc":
        return _draw_clusters(options, streams_of(split), validation)
    if source in GENERATORS:
        return _generate(source, options, streams_of(split), validation, test)
    return _take(prepared[source], options["split"], split, streams_of, validation)


def _draw_clusters(options: dict[str, Any], streams: Streams, validation: int) -> RawSplit:
    """NDCC draws its clusters first, so that all parts come from one draw."""
    train, total = options.pop("train"), options.pop("total")
    X, y, relevant = look_up(GENERATORS["ndcc"])(streams.train, total, **options)
    whole = _part(X, y)
    last = train + validation
    train_rows, valid_rows, test_rows = slice(0, train), slice(train, last), slice(last, total)
    return RawSplit(whole.rows(train_rows), whole.rows(valid_rows), whole.rows(test_rows), relevant)


def _generate(source: str, options: dict[str, Any], streams: Streams, validation: int, test: bool) -> RawSplit:
    """Draw the training part, redrawn until it has both classes and, if asked, is separable; then the other parts."""
    train, total = options.pop("train"), options.pop("total")
    separable = options.pop("separable", False)
    training_labels = options.pop("training_labels", "random")
    generate = look_up(GENERATORS[source])
    for _ in range(MAX_DRAWS):
        X, y, relevant = generate(streams.train, train, labels=training_labels, **options)
        if abs(y.sum()) < train and (not separable or _separates(X[:, :relevant], y)):
            break
    else:
        raise DataError(
            f"none of {MAX_DRAWS} training sets of {train} points drawn from {source} is separable in its {relevant} "
            "relevant features: use fewer points, or set separable: false and drop the selectors that need it"
        )
    tested = generate(streams.test, total - train - validation if test else 0, **options)
    valid = generate(streams.tuning, validation, **options)
    return RawSplit(_part(X, y), _part(valid.X, valid.y), _part(tested.X, tested.y), relevant)


def _take(dataset: Dataset, spec: Mapping[str, Any], split: int, streams_of: StreamsOf, validation: float) -> RawSplit:
    """The rows of one split of a prepared data set; a validation part is drawn from the training rows."""
    if not dataset.available:
        raise MissingDataError(str(dataset.meta["reason"]))
    options = {key: value for key, value in spec.items() if key != "kind"}
    train, test = by_name(KINDS, "data.split.kind", spec["kind"])(dataset, split, streams_of, **options)
    valid = train[:0]
    if validation:
        valid, train = (
            train[rows] for rows in splits.stratified_split(streams_of(split).tuning, dataset.y[train], validation)
        )
    whole = Part(dataset.X, dataset.y)
    return RawSplit(whole.rows(train), whole.rows(valid), whole.rows(test), None)


def _part(X: FloatArray, y: FloatArray) -> Part:
    """Points of a generator, whose labels are -1.0 and +1.0."""
    return Part(X, y.astype(np.int64))


def _normalised(train: Part, test: Part, steps: Sequence[str], relevant: int | None) -> SplitData:
    X_train, X_test = train.X, test.X
    for step in steps:
        X_train, X_test = look_up(STEPS[step])(X_train, X_test)
    return SplitData(X_train, train.y, X_test, test.y, relevant)


def _separates(X: FloatArray, y: FloatArray) -> bool:
    from marginfs.solvers.lp import separates  # HiGHS costs every job start-up time

    return separates(X, y)
