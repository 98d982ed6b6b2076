"""What jobs run in, how a workflow script starts, and how it ends: well, or with one message that says what to mend."""

from __future__ import annotations

import contextlib
import errno
import importlib.abc
import os
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from marginfs.errors import MarginfsError
from marginfs.seals import check, seal, unseal
from marginfs.study.kernel_cache import compiling_once, kernel_folder, pinned_instructions
from marginfs.study.reach import PACKAGE

UNIT_RULES = ("tune", "select", "evaluate", "time", "sample")
"""Rules whose jobs call compiled kernels."""
REMEDIES = {
    errno.ENOSPC: "free some space on this disk",
    errno.EDQUOT: "free some of your quota",
    errno.EROFS: "make the disk writable or run elsewhere (--directory)",
    errno.EACCES: "give yourself the right to write there",
    errno.EPERM: "give yourself the right to write there",
    errno.ENOTDIR: "remove the file that stands where a folder belongs",
    errno.EEXIST: "remove the file that stands where a folder belongs",
    errno.EISDIR: "remove the folder that stands where a file belongs",
    errno.EIO: "check the disk",
}
"""What the user can do about an error of the file system."""


def environment() -> dict[str, str]:
    """Make the environment variables of jobs, which must be set before numpy and numba are imported.

    Jobs run beside each other, so each has one thread. numba does not see a change in what a cached kernel calls, so
    each state of the kernels has a cache of its own. Freed memory stays with the process, because arrays of a few
    megabytes come and go, and fresh pages can take longer than the work on them. Sets of names have one order, or some
    drawings would change from run to run. Jobs find marginfs in this checkout, whatever environment they run in, and
    the user's own modules where the user said.

    Returns
    -------
    dict
        Name -> value.
    """
    return {
        **{f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "NUMBA")},
        "PYTHONPATH": os.pathsep.join(filter(None, [str(PACKAGE.parent), os.environ.get("PYTHONPATH")])),
        "NUMBA_CACHE_DIR": str(kernel_folder()),
        **pinned_instructions(),
        "PYTHONHASHSEED": "0",
        "MALLOC_MMAP_THRESHOLD_": str(1 << 25),
        "MALLOC_TRIM_THRESHOLD_": str(1 << 30),
    }


def start_lean() -> None:
    """Make numba start in half the time: it imports scipy and yaml where it finds them, and needs neither.

    Only numba is told that there are none; a user's own selector may import what it likes.
    """
    sys.meta_path.insert(0, _HiddenFromNumba())


class _HiddenFromNumba(importlib.abc.MetaPathFinder):
    """Finds no module for anybody, and says so to numba."""

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> None:
        if fullname.partition(".")[0] in ("scipy", "yaml") and _importer().partition(".")[0] == "numba":
            raise ModuleNotFoundError(f"{fullname} is hidden from numba", name=fullname)


def _importer() -> str:
    """The module whose import statement is being carried out."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_globals.get("__name__", "").startswith("importlib."):
        frame = frame.f_back
    return "" if frame is None else str(frame.f_globals.get("__name__", ""))


@contextlib.contextmanager
def job(snakemake: Any) -> Iterator[None]:
    """Run a workflow script: inputs are checked against their seals, outputs get theirs, problems go to the log.

    Parameters
    ----------
    snakemake : object
        What Snakemake hands to the script.

    Yields
    ------
    None
        To the work.
    """
    with logged(snakemake.log[0]):
        check(snakemake.input)
        unseal(snakemake.output)
        with _kernels_for(snakemake):
            yield
        seal(snakemake.output)


def _kernels_for(snakemake: Any) -> contextlib.AbstractContextManager[None]:
    """Jobs that call the same kernels have rule, paper, experiment and selector in common; other rules call none."""
    if snakemake.rule not in UNIT_RULES:
        return contextlib.nullcontext()
    named = [snakemake.wildcards.get(key) for key in ("paper", "experiment", "selector")]
    return compiling_once(Path(os.environ["NUMBA_CACHE_DIR"]), "-".join([snakemake.rule, *filter(None, named)]))


@contextlib.contextmanager
def logged(path: str) -> Iterator[None]:
    """Write what goes wrong to a log and exit: a message where the user can mend it, else a traceback.

    Parameters
    ----------
    path : str
        The log; where it cannot be written, the message goes to the terminal.

    Yields
    ------
    None
        To the work.
    """
    problem = ""
    try:
        Path(path).write_text("", encoding="utf-8")
        yield
    except Exception as error:
        problem = explain(error)
    if problem:
        try:
            Path(path).write_text(f"{problem}\n", encoding="utf-8")
        except OSError:
            print(problem, file=sys.stderr)
        sys.exit(1)


def explain(error: Exception) -> str:
    """Say what went wrong in words that help to mend it.

    Parameters
    ----------
    error : exception
        What was raised.

    Returns
    -------
    str
        A message, or the traceback where the cause lies in the program.
    """
    if isinstance(error, MarginfsError):
        return str(error)
    if isinstance(error, MemoryError):
        return f"not enough memory ({error}); run fewer jobs at a time, or raise resources.mem_mb of the experiment."
    if isinstance(error, OSError) and error.errno in REMEDIES:
        name = f"{error.filename}: " if error.filename else ""
        return f"{name}{error.strerror}; {REMEDIES[error.errno]}, then run the same command again."
    return "".join(traceback.format_exception(error))
