"""Files appear whole or not at all: every write goes to a temporary name beside the target, then `os.replace`."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


@contextlib.contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """A temporary path beside `path` that takes its place when the block ends well, and is removed otherwise."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.stem}.", suffix=target.suffix)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o644)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def write_bytes(path: str | Path, content: bytes) -> None:
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def write_text(path: str | Path, text: str) -> None:
    write_bytes(path, text.encode())


def write_frame(path: str | Path, frame: pd.DataFrame) -> None:
    """CSV with nine digits: enough for every use, and too few to show how another machine rounds."""
    write_text(path, frame.to_csv(index=False, lineterminator="\n", float_format="%.9g"))


def write_json(path: str | Path, value: Any) -> None:
    write_text(path, json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n")


def write_json_lines(path: str | Path, records: Iterable[Any]) -> None:
    """One JSON object a line; floats are written so that reading gives the same bits back."""
    write_text(path, "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records))


def read_json_lines(path: str | Path) -> Iterator[Any]:
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
