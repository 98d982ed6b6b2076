"""Seals: beside every file that a job writes stands its digest, so that nothing damaged is read as if it were whole.

The seal of table_1.csv is .table_1.csv.sha256, as sha256sum writes and checks it, with the size as a comment. It is
made after the file and before the job ends, so a file without the right seal is one that something else has touched.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath

from marginfs.errors import DamagedFileError
from marginfs.files import write_text

RESULTS = "results"
UNSEALED = ("reference", "logs")
"""Folders of results whose files have no seal: git has those of the one, and nothing reads the other."""


def seal_of(path: str | Path) -> Path:
    """Name the seal of a file.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    Path
        A hidden file beside it.
    """
    file = Path(path)
    return file.with_name(f".{file.name}.sha256")


def is_ours(path: str | Path) -> bool:
    """Tell whether a file is one that the workflow writes and seals.

    Parameters
    ----------
    path : path
        As a rule names it, relative to the folder of the run.

    Returns
    -------
    bool
        True under results/, but for what is published there and for logs.
    """
    parts = PurePath(path).parts
    return parts[:1] == (RESULTS,) and len(parts) > 2 and not {*UNSEALED} & {*parts}


def seal(paths: Iterable[str | Path]) -> None:
    """Seal the files that a job has written.

    Parameters
    ----------
    paths : iterable of paths
        Its outputs.
    """
    for path in filter(is_ours, paths):
        write_text(seal_of(path), _size(Path(path)) + _digest(Path(path)))


def unseal(paths: Iterable[str | Path]) -> None:
    """Take away the seals of files that a job is going to write.

    Parameters
    ----------
    paths : iterable of paths
        Its outputs.
    """
    for path in filter(is_ours, paths):
        seal_of(path).unlink(missing_ok=True)


def check(paths: Iterable[str | Path]) -> None:
    """Refuse to read damaged files; their seals are broken, so that the next run removes them.

    Parameters
    ----------
    paths : iterable of paths
        The inputs of a job; what the workflow did not write is left alone.
    """
    found = {path: sentence for path in filter(is_ours, paths) if (sentence := damage(path))}
    if found:
        for beside in map(seal_of, found):
            if beside.exists():
                write_text(beside, "")
        raise DamagedFileError("\n".join(found.values()))


def damage(path: str | Path) -> str:
    """Compare a file with its seal.

    Parameters
    ----------
    path : path
        A file that was sealed.

    Returns
    -------
    str
        One sentence on what is wrong and what to do; empty where nothing is.
    """
    file, beside = Path(path), seal_of(path)
    if not file.exists():
        return f"{file} is missing; run the same command again."
    if not beside.exists():
        return f"{file} has no seal ({beside.name}), so it may be damaged; delete it and run the same command again."
    if beside.read_bytes() == (_size(file) + _digest(file)).encode():
        return ""
    return f"{file} is damaged: its {file.stat().st_size} bytes are not what its job wrote; run the same command again."


def remove_damaged(folder: str | Path, *, thorough: bool = False) -> dict[Path, str]:
    """Remove what is damaged under results/, so that a run makes again what it needs of it.

    Parameters
    ----------
    folder : path
        The folder of a run, with results/ in it.
    thorough : bool
        Whether to read every file, or only those that have another size than when they were sealed.

    Returns
    -------
    dict
        Every file that was looked at, relative to the folder -> what is wrong with it, if anything. A file without a
        seal may hold what took days, and stays.
    """
    looked: dict[Path, str] = {}
    for path in sealed_files(folder):
        file, beside = Path(folder, path), seal_of(Path(folder, path))
        sealed = beside.exists()
        if thorough or (sealed and not beside.read_bytes().startswith(_size(file).encode())):
            looked[path] = damage(file)
            if sealed and looked[path]:
                file.unlink()
                beside.unlink()
    return looked


def sealed_files(folder: str | Path) -> Iterator[Path]:
    """Go through the files that must have a seal.

    Parameters
    ----------
    folder : path
        The folder of a run, with results/ in it.

    Yields
    ------
    Path
        One file after the other, relative to the folder.
    """
    for path in sorted(Path(folder, RESULTS).rglob("*")):
        relative = path.relative_to(folder)
        if is_ours(relative) and not path.name.startswith(".") and path.is_file():
            yield relative


def _size(path: Path) -> str:
    return f"# {path.stat().st_size} bytes\n"


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return f"{hashlib.file_digest(file, 'sha256').hexdigest()}  {path.name}\n"
