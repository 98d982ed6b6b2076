"""The start of a run after a bad end: what a killed run left behind is put right, without a word from the user."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TextIO

from marginfs.seals import RESULTS, remove_damaged

STATE = ".snakemake"
LOCKED_FILES = "locks/*.lock"
"""Where Snakemake lists the files of a run; the list stays behind when Snakemake is killed."""

LEAST_SPACE = 1 << 20
"""Bytes: with less, not even Snakemake can keep its books."""


def start_run(folder: str | Path) -> TextIO | None:
    """See that a run can start, and that nothing stale or damaged counts.

    Parameters
    ----------
    folder : path
        The folder of the run.

    Returns
    -------
    file or None
        To be kept open for as long as the run lives.
    """
    _check_folders(Path(folder, RESULTS))
    sign = remove_stale_locks(folder)
    for path, sentence in remove_damaged(folder).items():
        if sentence:
            _say(f"{path} was damaged and is removed; it is made again where it is needed")
    return sign


def remove_stale_locks(folder: str | Path) -> TextIO | None:
    """Remove the locks of Snakemake if no run is alive that could have set them.

    Every run holds a shared lock of the operating system, which ends with the process however it ends. Who can have it
    alone is the only run.

    Parameters
    ----------
    folder : path
        The folder of the run.

    Returns
    -------
    file or None
        The sign that this run is alive, while it is open; None on a file system without locks.
    """
    state = Path(folder, STATE)
    state.mkdir(exist_ok=True)
    sign = (state / "alive").open("w")
    try:
        fcntl.flock(sign, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        stale = []
    except OSError as error:
        if error.errno not in (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS):
            raise
        return None
    else:
        stale = sorted(state.glob(LOCKED_FILES))
    for path in stale:
        path.unlink()
    if stale:
        _say("the last run here was killed; its lock is removed, and the run goes on where it ended")
    fcntl.flock(sign, fcntl.LOCK_SH)
    return sign


def _check_folders(results: Path) -> None:
    """Raise OSError where results cannot be written, or a file stands where they need a folder."""
    results.mkdir(exist_ok=True)
    tempfile.TemporaryFile(dir=results).close()
    if shutil.disk_usage(results).free < LEAST_SPACE:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(results))
    for pattern in ("[!.]*", "[!.]*/[!.]*", "[!.]*/[!.]*/[!.]*"):
        for path in results.glob(pattern):
            if path.is_file() and not path.suffix:
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))


def _say(text: str) -> None:
    print(f"marginfs: {text}", file=sys.stderr)
