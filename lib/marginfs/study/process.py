"""What jobs run in, how a workflow script starts, and how it ends: well, or with one message that says what to mend."""

from __future__ import annotations

import contextlib
import importlib.abc
import os
import sys
import traceback
from collections.abc import Iterator
from types import FrameType
from typing import Any

from marginfs.errors import MarginfsError
from marginfs.study.reach import PACKAGE, kernels, source_hash


def environment() -> dict[str, str]:
    """Make the environment variables of jobs, which must be set before numpy and numba are imported.

    Jobs run beside each other, so each has one thread. numba does not see a change in what a cached kernel calls, so
    each state of the kernels has a cache of its own. Freed memory stays with the process, because arrays of a few
    megabytes come and go, and fresh pages can take longer than the work on them. Jobs find marginfs in this checkout,
    whatever environment they run in, and the user's own modules where the user said.

    Returns
    -------
    dict
        Name -> value.
    """
    return {
        **{f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "NUMBA")},
        "PYTHONPATH": os.pathsep.join(filter(None, [str(PACKAGE.parent), os.environ.get("PYTHONPATH")])),
        "NUMBA_CACHE_DIR": str(PACKAGE / "__pycache__" / source_hash(kernels())),
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
def logged(path: str) -> Iterator[None]:
    """Write what goes wrong to a log and exit: a message where the user can mend it, else a traceback.

    Parameters
    ----------
    path : str
        The log.

    Yields
    ------
    None
        To the work.
    """
    with open(path, "w", encoding="utf-8") as log:
        try:
            yield
        except MarginfsError as error:
            log.write(f"{error}\n")
            sys.exit(1)
        except Exception:
            traceback.print_exc(file=log)
            sys.exit(1)
