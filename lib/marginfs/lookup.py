"""Functions by name: "module:function" as text, loaded when it is called.

Tables of names lead from the words of a configuration to such texts, so that a job loads only what it calls.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from marginfs.errors import ConfigError


def look_up(path: str) -> Any:
    """Load what `path` names.

    Parameters
    ----------
    path : str
        "module:name", or "module" for the module itself.

    Returns
    -------
    object
        The function, class or module.
    """
    module, _, name = path.partition(":")
    loaded = importlib.import_module(module)
    return getattr(loaded, name) if name else loaded


def by_name(table: Mapping[str, str], kind: str, name: str) -> Any:
    """Load what a table has under a name.

    Parameters
    ----------
    table : mapping
        Name -> "module:name".
    kind : str
        What the table lists, for the message.
    name : str
        What is wanted.

    Returns
    -------
    object
        The function; ConfigError lists what exists if the table does not have it.
    """
    if name not in table:
        raise ConfigError(f"{kind}: found {name!r}; write one of {', '.join(sorted(table))}.")
    return look_up(table[name])
