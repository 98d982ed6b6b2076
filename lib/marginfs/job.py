"""How a workflow script ends: well, or with one message in its log that says what to mend."""

from __future__ import annotations

import contextlib
import sys
import traceback
from collections.abc import Iterator

from marginfs.errors import MarginfsError


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
