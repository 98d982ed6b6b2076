"""From a verified table to the data set that the unit jobs read: the named choices of each data set, applied.

Standardisation is no part of it: it is fitted on each training part (marginfs.data.scaling).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from marginfs.data.catalogue import DatasetSpec
from marginfs.data.dataset import NO_SPLITS, Dataset, Provenance
from marginfs.data.download import Patience
from marginfs.data.fetch import obtain
from marginfs.data.realisations import Pair, obtain_realisations
from marginfs.data.scaling import fit_standardiser
from marginfs.data.table import Table
from marginfs.errors import ConfigError, DataError
from marginfs.types import FloatArray, IntArray

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "columns": ("features", "numeric", "all"),
    "categories": ("codes", "onehot"),
    "transform": ("none", "log"),
    "missing": ("mean", "median", "train_mean", "drop_rows"),
    "constant": ("drop", "keep"),
    "scale": ("none", "zscore"),
}


@dataclass(frozen=True)
class Columns:
    """The matrix on its way: values, names, which columns are nominal, and notes on what was done."""

    X: FloatArray
    names: tuple[str, ...]
    nominal: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def keep(self, mask: IntArray) -> Columns:
        """Return the columns where the mask is true."""
        return replace(self, X=self.X[:, mask], names=tuple(np.array(self.names, dtype=object)[mask].tolist()))


def fetch_and_prepare(
    spec: DatasetSpec,
    *,
    mirror: str | Path | None = None,
    cache: str | Path | None = None,
    choices: Mapping[str, str] | None = None,
    patience: Patience | None = None,
) -> tuple[Dataset, Provenance]:
    """Obtain a data set with its published splits and prepare it; say apart from it where everything came from."""
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
    """Return the value of every choice: the override, else the catalogue's, else the first option."""
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
    """Apply the choices: target, columns, categories, transform, missing values, constant columns, scale."""
    values = resolve_choices(spec, choices)
    y, target_names, rows = select_target(spec, table, values.get("target"))
    columns = Columns(X=table.X[rows], names=table.names, nominal=frozenset(spec.nominal), levels=table.levels)
    columns = select_columns(columns, spec.identifiers, values["columns"])
    missing = int(np.isnan(columns.X).sum())
    if values["categories"] == "onehot":
        columns = one_hot(columns)
    if values["transform"] == "log":
        columns = logarithm(columns)
    complete = ~np.isnan(columns.X).any(axis=1) if values["missing"] == "drop_rows" else np.ones(len(y), dtype=bool)
    columns, y = replace(columns, X=columns.X[complete]), y[complete]
    columns = fill_missing(columns, values["missing"])
    if values["constant"] == "drop":
        columns = drop_constant(columns)
    if values["scale"] == "zscore":
        columns = replace(columns, X=fit_standardiser(columns.X, ddof=1)(columns.X))
    train, test = fixed_splits(table, splits, rows[complete])
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


def select_target(spec: DatasetSpec, table: Table, target: str | None) -> tuple[IntArray, tuple[str, ...], IntArray]:
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


def select_columns(columns: Columns, identifiers: tuple[str, ...], choice: str) -> Columns:
    """Leave out the columns that identify a row (`features`), also the nominal ones (`numeric`), or none (`all`)."""
    unwanted = {"features": set(identifiers), "numeric": {*identifiers, *columns.nominal}, "all": set[str]()}[choice]
    return columns.keep(np.array([name not in unwanted for name in columns.names]))


def one_hot(columns: Columns) -> Columns:
    """Replace a nominal column by one 0/1 column per level, or one alone if it has two levels; holes stay holes."""
    blocks: list[FloatArray] = []
    names: list[str] = []
    for j, name in enumerate(columns.names):
        column = columns.X[:, j]
        if name not in columns.nominal:
            blocks.append(column[:, None])
            names.append(name)
            continue
        codes = np.unique(column[~np.isnan(column)])
        shown = codes[1:] if len(codes) == 2 else codes
        texts = columns.levels.get(name)
        blocks.append(np.where(np.isnan(column)[:, None], np.nan, (column[:, None] == shown).astype(np.float64)))
        names += [f"{name}={texts[int(code)] if texts else f'{code:g}'}" for code in shown]
    return replace(columns, X=np.hstack(blocks), names=tuple(names))


def logarithm(columns: Columns) -> Columns:
    """Take the natural logarithm of every value."""
    if np.nanmin(columns.X) <= 0:
        raise DataError("transform: found values of 0 or below, which have no logarithm; write none.")
    return replace(columns, X=np.log(columns.X))


def fill_missing(columns: Columns, choice: str) -> Columns:
    """Fill holes with the column's mean or median over all rows; `train_mean` leaves them to the standardiser."""
    holes = np.isnan(columns.X)
    if not holes.any() or choice == "train_mean":
        return columns
    centre = np.nanmedian(columns.X, axis=0) if choice == "median" else np.nanmean(columns.X, axis=0)
    return replace(columns, X=np.where(holes, centre, columns.X))


def drop_constant(columns: Columns) -> Columns:
    """Drop the columns that have one value in all rows, and note their names."""
    varies = np.nanmax(columns.X, axis=0) > np.nanmin(columns.X, axis=0)
    dropped = [name for name, keep in zip(columns.names, varies, strict=True) if not keep]
    if not dropped:
        return columns
    note = f"constant columns dropped: {', '.join(dropped)}"
    return replace(columns.keep(varies), notes=(*columns.notes, note))


def fixed_splits(table: Table, splits: Pair, rows: IntArray) -> Pair:
    """Return the published splits: the realisations, or the parts of the table; none if preparation left out rows."""
    if len(rows) != len(table.parts):
        return NO_SPLITS, NO_SPLITS
    if table.parts.any():
        return np.flatnonzero(table.parts == 0)[None, :], np.flatnonzero(table.parts == 1)[None, :]
    return splits
