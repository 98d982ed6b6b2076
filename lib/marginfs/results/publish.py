"""The publication of a full run under results/reference."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from marginfs.errors import DataError
from marginfs.files import write_bytes, write_json

PROVENANCE = "provenance.json"
MANIFEST = "files"
"""The key of the published provenance that lists what was published with it."""


def publish(files: Mapping[str, str | Path], provenance: str | Path, target: str | Path) -> None:
    """Copy the results of a full run, and remove what an earlier publication wrote and this one does not.

    Parameters
    ----------
    files : mapping of str to path
        The name under which each table, figure and list of claims is published -> where it is.
    provenance : path
        What the run was made with; its copy also lists the files.
    target : path
        The folder; files in it that no publication wrote are left alone.
    """
    folder = Path(target)
    sources = {name: Path(path) for name, path in files.items()}
    missing = [str(path) for path in sources.values() if not path.is_file()]
    if missing:
        raise DataError(f"nothing was published, because the run lacks {', '.join(missing)}")
    earlier = _published(folder)
    for name, path in sources.items():
        write_bytes(folder / name, path.read_bytes())
    for name in earlier - sources.keys():
        (folder / name).unlink(missing_ok=True)
    record = json.loads(Path(provenance).read_text(encoding="utf-8"))
    write_json(folder / PROVENANCE, {**record, MANIFEST: sorted(sources)})


def _published(folder: Path) -> set[str]:
    """What an earlier publication wrote into the folder itself."""
    path = folder / PROVENANCE
    if not path.exists():
        return set()
    names = json.loads(path.read_text(encoding="utf-8")).get(MANIFEST, [])
    return {name for name in names if Path(name).name == name}
