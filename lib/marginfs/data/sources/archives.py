"""Reading one member out of a zip, wheel or tar archive.

Nothing is unpacked to disk, installed or executed. An archive is refused as a whole if any member has an absolute path
or one that leads outside, is a link or a device, or if a name occurs twice.
"""

from __future__ import annotations

import gzip
import io
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from marginfs.data.sources.lzw import decompress_lzw
from marginfs.errors import DataError

MAX_MEMBER_BYTES = 256 * 2**20
MAX_ARCHIVE_BYTES = 4 * 2**30
UNREADABLE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    ValueError,
    RuntimeError,
)
"""What the standard library raises for archives that are damaged, encrypted (RuntimeError) or of an unknown kind."""


def read_member(archive: Path | bytes, member: str, *, name: str = "archive") -> bytes:
    """Read one member.

    Parameters
    ----------
    archive : Path or bytes
        The archive, as a file or its content.
    member : str
        Path inside the archive; `*/` in front stands for the one leading folder of a source archive.
    name : str
        What messages call the archive.

    Returns
    -------
    bytes
        The member's content.
    """
    source: Path | io.BytesIO = archive if isinstance(archive, Path) else io.BytesIO(archive)
    try:
        if zipfile.is_zipfile(source):
            return _from_zip(source, member, name)
        if not isinstance(source, Path):
            source.seek(0)
        return _from_tar(source, member, name)
    except UNREADABLE as error:
        raise DataError(f"{name}: the archive cannot be read ({error}).") from None


def expand(content: bytes, name: str) -> bytes:
    """Undo the compression that the first bytes announce (`.gz`, `.Z`).

    Parameters
    ----------
    content : bytes
        A file's content.
    name : str
        What messages call the file.

    Returns
    -------
    bytes
        The content expanded, or as it is.
    """
    try:
        if content[:2] == b"\x1f\x8b":
            with gzip.open(io.BytesIO(content)) as stream:
                return _limited(stream.read(MAX_MEMBER_BYTES + 1), name)
        if content[:2] == b"\x1f\x9d":
            return _limited(decompress_lzw(content, MAX_MEMBER_BYTES), name)
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise DataError(f"{name}: the compressed file is damaged ({error}).") from None
    return content


def _from_zip(source: Path | io.BytesIO, member: str, name: str) -> bytes:
    with zipfile.ZipFile(source) as archive:
        infos = archive.infolist()
        _check_names((info.filename for info in infos), name)
        _check_total(sum(info.file_size for info in infos), name)
        for info in infos:
            mode = info.external_attr >> 16
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise DataError(f"{name}: refused, because {info.filename!r} is a link or device.")
        chosen = _choose([info.filename for info in infos if not info.is_dir()], member, name)
        with archive.open(chosen) as stream:
            return _limited(stream.read(MAX_MEMBER_BYTES + 1), name)


def _from_tar(source: Path | io.BytesIO, member: str, name: str) -> bytes:
    with tarfile.open(source) if isinstance(source, Path) else tarfile.open(fileobj=source) as archive:
        infos: list[tarfile.TarInfo] = []
        total = 0
        for info in archive:
            if not (info.isreg() or info.isdir()):
                raise DataError(f"{name}: refused, because {info.name!r} is a link or device.")
            total += info.size
            _check_total(total, name)
            infos.append(info)
        _check_names((info.name for info in infos), name)
        chosen = _choose([info.name for info in infos if info.isreg()], member, name)
        stream = archive.extractfile(chosen)
        if stream is None:
            raise DataError(f"{name}: {member} is not a regular file.")
        return _limited(stream.read(MAX_MEMBER_BYTES + 1), name)


def _check_names(names: Iterable[str], name: str) -> None:
    seen: set[str] = set()
    for path in names:
        plain = path.rstrip("/")
        unsafe = plain.startswith(("/", "\\")) or "\\" in plain or ":" in plain[:3] or "\0" in plain
        if unsafe or ".." in PurePosixPath(plain).parts:
            raise DataError(f"{name}: refused, because the member path {path!r} leads outside the archive.")
        if plain in seen:
            raise DataError(f"{name}: refused, because the member {path!r} occurs twice.")
        seen.add(plain)


def _check_total(total: int, name: str) -> None:
    if total > MAX_ARCHIVE_BYTES:
        raise DataError(f"{name}: refused, because it unpacks to more than {MAX_ARCHIVE_BYTES} bytes.")


def _choose(names: list[str], member: str, name: str) -> str:
    if member.startswith("*/"):
        found = [n for n in names if n.partition("/")[2] == member[2:]]
    else:
        found = [n for n in names if n == member]
    if len(found) != 1:
        raise DataError(f"{name}: holds no member {member}.")
    return found[0]


def _limited(content: bytes, name: str) -> bytes:
    if len(content) > MAX_MEMBER_BYTES:
        raise DataError(f"{name}: refused, because the file unpacks to more than {MAX_MEMBER_BYTES} bytes.")
    return content
