"""How a workflow script starts, and how it ends: well, or with one message in its log that says what to mend."""

from __future__ import annotations

import contextlib
import sys
import traceback
from collections.abc import Iterator
from typing import Any

from marginfs.errors import MarginfsError


def start_lean() -> None:
    """Make numba start in half the time: it imports scipy and yaml wherever it finds them, and unit jobs need neither.

    For processes that run units and nothing else: whatever asks for these packages later is told that there are none.
    """
    absent: dict[str, Any] = {"scipy": None, "yaml": None}
    sys.modules.update(absent)


@contextlib.contextmanager
def logged(path: str) -> Iterator[None]:
    """Write what goes wrong to the log at `path` and exit: a message where the user can mend it, else a traceback."""
    with open(path, "w", encoding="utf-8") as log:
        try:
            yield
        except MarginfsError as error:
            log.write(f"{error}\n")
            sys.exit(1)
        except Exception:
            traceback.print_exc(file=log)
            sys.exit(1)
