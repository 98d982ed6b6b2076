"""A copy of the configuration with one small paper, to be broken."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
PAPER, CLAIMS, PRINTED = "papers/klement2010.yaml", "claims/klement2010.yaml", "published/klement2010.csv"
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
OWN_TABLE = "a,y\n1,0\n2,1\n3,0\n4,1\n"


def config_folder(place: Path) -> Path:
    """The folder config/ of a project whose only paper is klement2010, with a table of a user's own beside it."""
    folder = place / "config"
    others = [path.name for path in (ROOT / "config" / "papers").glob("*.yaml") if path.stem != "klement2010"]
    shutil.copytree(ROOT / "config", folder, ignore=shutil.ignore_patterns(*others))
    shutil.copytree(ROOT / "rules", place / "rules")
    shutil.copy(ROOT / "Snakefile", place / "Snakefile")
    (place / "mine.csv").write_text(OWN_TABLE)
    return folder


def edited(file: str, change: Callable[[Any], object]) -> Callable[[Path], None]:
    """What applies `change` to the content of a YAML file of a folder."""

    def _edit(folder: Path) -> None:
        path = folder / file
        content = yaml.load(path.read_text(), LOADER)
        change(content)
        path.write_text(yaml.safe_dump(content, sort_keys=False))

    return _edit


def put(file: str, keys: str, value: Any) -> Callable[[Path], None]:
    """What sets one value of a YAML file; `keys` are joined by dots."""
    *parents, last = keys.split(".")

    def _set(content: Any) -> None:
        for key in parents:
            content = content[int(key) if isinstance(content, list) else key]
        content[last] = value

    return edited(file, _set)


def written(file: str, content: bytes) -> Callable[[Path], None]:
    """What replaces a file."""
    return lambda folder: (folder / file).write_bytes(content) and None


def made_folder(file: str) -> Callable[[Path], None]:
    """What puts a folder in place of a file."""

    def _make(folder: Path) -> None:
        (folder / file).unlink()
        (folder / file).mkdir()

    return _make
