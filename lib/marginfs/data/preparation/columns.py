"""The matrix on its way from a table to a data set, and what can be done to its columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from marginfs.errors import DataError
from marginfs.types import FloatArray


@dataclass(frozen=True)
class Columns:
    """A matrix with named columns.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        Values; NaN where one is missing.
    names : tuple of str
        Names of the columns.
    nominal : frozenset of str
        Columns whose values are codes of names.
    notes : tuple of str
        What was done that a reader should know.
    levels : mapping
        The names behind the codes, for columns that held text.
    """

    X: FloatArray
    names: tuple[str, ...]
    nominal: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def keep(self, mask: npt.NDArray[np.bool_]) -> Columns:
        """Leave out columns.

        Parameters
        ----------
        mask : ndarray of bool
            True for the columns that stay.

        Returns
        -------
        Columns
            Those that stay.
        """
        return replace(self, X=self.X[:, mask], names=tuple(np.array(self.names, dtype=object)[mask].tolist()))


def select_columns(columns: Columns, identifiers: tuple[str, ...], choice: str) -> Columns:
    """Leave out columns that are no features.

    Parameters
    ----------
    columns : Columns
        All columns.
    identifiers : tuple of str
        Columns that only identify a row.
    choice : {"features", "numeric", "all"}
        Leave out the identifiers, also the nominal columns, or none.

    Returns
    -------
    Columns
        Those that stay.
    """
    unwanted = {"features": set(identifiers), "numeric": {*identifiers, *columns.nominal}, "all": set[str]()}[choice]
    return columns.keep(np.array([name not in unwanted for name in columns.names]))


def one_hot(columns: Columns) -> Columns:
    """Replace a nominal column by one 0/1 column per level, or one alone if it has two levels; holes stay holes.

    Parameters
    ----------
    columns : Columns
        With codes in nominal columns.

    Returns
    -------
    Columns
        Without nominal columns.
    """
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


def take_logarithm(columns: Columns) -> Columns:
    """Take the natural logarithm of every value.

    Parameters
    ----------
    columns : Columns
        Positive values.

    Returns
    -------
    Columns
        Their logarithms.
    """
    if np.nanmin(columns.X) <= 0:
        raise DataError("transform: found values of 0 or below, which have no logarithm; write none.")
    return replace(columns, X=np.log(columns.X))


def fill_missing(columns: Columns, choice: str) -> Columns:
    """Fill holes with a column's mean or median over all rows.

    Parameters
    ----------
    columns : Columns
        With holes.
    choice : {"mean", "median", "train_mean", "drop_rows"}
        `train_mean` leaves the holes to the standardiser; `drop_rows` has left none.

    Returns
    -------
    Columns
        Filled.
    """
    holes = np.isnan(columns.X)
    if not holes.any() or choice == "train_mean":
        return columns
    centre = np.nanmedian(columns.X, axis=0) if choice == "median" else np.nanmean(columns.X, axis=0)
    return replace(columns, X=np.where(holes, centre, columns.X))


def drop_constant(columns: Columns) -> Columns:
    """Drop the columns that have one value in all rows, and note their names.

    Parameters
    ----------
    columns : Columns
        All columns.

    Returns
    -------
    Columns
        Those that vary.
    """
    varies = np.nanmax(columns.X, axis=0) > np.nanmin(columns.X, axis=0)
    dropped = [name for name, keep in zip(columns.names, varies, strict=True) if not keep]
    if not dropped:
        return columns
    note = f"constant columns dropped: {', '.join(dropped)}"
    return replace(columns.keep(varies), notes=(*columns.notes, note))
