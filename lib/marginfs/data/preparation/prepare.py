"""From a verified table to the data set that the unit jobs read: the named choices of each data set, applied.

Standardisation is no part of it: it is fitted on each training part (marginfs.data.normalise).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from marginfs.data.catalogue import DatasetSpec
from marginfs.data.dataset import NO_SPLITS, Dataset, Provenance
from marginfs.data.normalise import fit_standardiser
from marginfs.data.preparation.columns import (
    Columns,
    drop_constant,
    fill_missing,
    one_hot,
    select_columns,
    take_logarithm,
)
from marginfs.data.sources.download import Patience
from marginfs.data.sources.obtain import obtain
from marginfs.data.sources.realisations import Pair, obtain_realisations
from marginfs.data.table import Table
from marginfs.errors import ConfigError
from marginfs.types import IntArray

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "columns": ("features", "numeric", "all"),
    "categories": ("codes", "onehot"),
    "transform": ("none", "log"),
    "missing": ("mean", "median", "train_mean", "drop_rows"),
    "constant": ("drop", "keep"),
    "scale": ("none", "zscore"),
}
"""What each choice may be, the default first; a data set with `targets` has the choice `target` as well."""


def fetch_and_prepare(
    spec: DatasetSpec,
    *,
    mirror: str | Path | None = None,
    cache: str | Path | None = None,
    choices: Mapping[str, str] | None = None,
    patience: Patience | None = None,
) -> tuple[Dataset, Provenance]:
    """Obtain a data set with its published splits and prepare it.

    Parameters
    ----------
    spec : DatasetSpec
        What the catalogue says of the data set.
    mirror : path, optional
        A folder of the user's that is searched first.
    cache : path, optional
        The cache folder; the user's own if left out.
    choices : mapping, optional
        Choices other than the catalogue's.
    patience : Patience, optional
        How long to wait for servers.

    Returns
    -------
    dataset : Dataset
        The same bytes wherever it came from.
    provenance : Provenance
        Where everything came from.
    """
    values = resolve_choices(spec, choices)
    found = obtain(spec, mirror=mirror, cache=cache, patience=patience)
    splits, splits_source, failures = obtain_realisations(
        spec, found.table, mirror=mirror, cache=cache, patience=patience
    )
    dataset = prepare(spec, found.table, found.sha256, choices=values, splits=splits)
    provenance = Provenance(
        name=spec.name,
        status="ok",
        source=found.source,
        sha256=found.sha256,
        splits_source=splits_source,
        failures=(*found.failures, *failures),
    )
    return dataset, provenance


def resolve_choices(spec: DatasetSpec, overrides: Mapping[str, str] | None = None) -> dict[str, str]:
    """Resolve the choices of a data set.

    Parameters
    ----------
    spec : DatasetSpec
        The data set.
    overrides : mapping, optional
        Choices other than the catalogue's.

    Returns
    -------
    dict
        The value of every choice: the override, else the catalogue's, else the first of OPTIONS.
    """
    allowed: dict[str, tuple[str, ...]] = dict(OPTIONS)
    if spec.targets:
        allowed["target"] = tuple(spec.targets)
    values = {key: options[0] for key, options in allowed.items()}
    values |= {key: choice.value for key, choice in spec.choices.items()} | dict(overrides or {})
    for key, value in values.items():
        if key not in allowed:
            raise ConfigError(f"{spec.name}: found the choice {key!r}; write one of {', '.join(allowed)}.")
        if value not in allowed[key]:
            raise ConfigError(f"{spec.name}.{key}: found {value!r}; write one of {', '.join(allowed[key])}.")
    return values


def prepare(
    spec: DatasetSpec,
    table: Table,
    sha256: str,
    *,
    choices: Mapping[str, str] | None = None,
    splits: Pair = (NO_SPLITS, NO_SPLITS),
) -> Dataset:
    """Apply the choices: target, columns, categories, transform, missing values, constant columns, scale.

    Parameters
    ----------
    spec : DatasetSpec
        The data set.
    table : Table
        Its verified content.
    sha256 : str
        The content's hash.
    choices : mapping, optional
        Choices other than the catalogue's.
    splits : pair of ndarray
        Published splits of the table's rows.

    Returns
    -------
    Dataset
        Ready for splitting and standardising.
    """
    values = resolve_choices(spec, choices)
    y, target_names, rows = _select_target(spec, table, values.get("target"))
    columns = Columns(X=table.X[rows], names=table.names, nominal=frozenset(spec.nominal), levels=table.levels)
    columns = select_columns(columns, spec.identifiers, values["columns"])
    missing = int(np.isnan(columns.X).sum())
    if values["categories"] == "onehot":
        columns = one_hot(columns)
    if values["transform"] == "log":
        columns = take_logarithm(columns)
    complete = ~np.isnan(columns.X).any(axis=1) if values["missing"] == "drop_rows" else np.ones(len(y), dtype=bool)
    columns, y = replace(columns, X=columns.X[complete]), y[complete]
    columns = fill_missing(columns, values["missing"])
    if values["constant"] == "drop":
        columns = drop_constant(columns)
    if values["scale"] == "zscore":
        columns = replace(columns, X=fit_standardiser(columns.X, ddof=1)(columns.X))
    train, test = _fixed_splits(table, splits, rows[complete])
    published = spec.realisations
    return Dataset(
        name=spec.name,
        X=np.ascontiguousarray(columns.X),
        y=y,
        feature_names=columns.names,
        target_names=target_names,
        train=train,
        test=test,
        meta={
            "title": spec.title,
            "sha256": sha256,
            "choices": values,
            "missing": missing,
            "notes": list(columns.notes),
            "realisations": {"count": published.count, "train": published.train} if published else None,
        },
    )


def _select_target(spec: DatasetSpec, table: Table, target: str | None) -> tuple[IntArray, tuple[str, ...], IntArray]:
    """Return labels, class names and the rows that take part."""
    labels = np.array(table.labels)
    everything = np.arange(len(labels))
    if target is not None:
        chosen = spec.targets[target]
        positive = np.isin(labels, chosen.positive)
        negative = np.isin(labels, chosen.negative) if chosen.negative else ~positive
        rows = np.flatnonzero(positive | negative)
        return np.where(positive[rows], 1, -1), (f"not_{target}", target), rows
    names = tuple(spec.classes)
    if len(names) == 2:
        return np.where(labels == names[1], 1, -1), names, everything
    return np.array([names.index(label) for label in table.labels], dtype=np.int64), names, everything


def _fixed_splits(table: Table, splits: Pair, rows: IntArray) -> Pair:
    """Return the published splits: the realisations, or the parts of the table; none if preparation left out rows."""
    if len(rows) != len(table.parts):
        return NO_SPLITS, NO_SPLITS
    if table.parts.any():
        return np.flatnonzero(table.parts == 0)[None, :], np.flatnonzero(table.parts == 1)[None, :]
    return splits
