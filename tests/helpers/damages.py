"""What can happen to a file that nobody meant to change."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path


def _written(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    return lambda path: path.write_bytes(change(path.read_bytes())) and None


def _flip_one_bit(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


def _rot(path: Path) -> None:
    """A bit changes on the disk: the time of the file does not."""
    before = path.stat()
    path.write_bytes(_flip_one_bit(path.read_bytes()))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


DAMAGES: dict[str, Callable[[Path], None]] = {
    "cut in half": _written(lambda content: content[: len(content) // 2]),
    "last line lost": _written(lambda content: content[: content.rstrip(b"\n").rfind(b"\n") + 1]),
    "last byte lost": _written(lambda content: content[:-1]),
    "emptied": _written(lambda content: b""),
    "one bit": _written(_flip_one_bit),
    "one bit, time kept": _rot,
    "zeros": _written(lambda content: bytes(len(content))),
    "written twice": _written(lambda content: content + content),
    "other line ends": _written(lambda content: content.replace(b"\n", b"\r\n") + b"\r\n"),
    "garbage after it": _written(lambda content: content + b"\xff\xfe\x00"),
}
