"""Values of a protocol that depend on the run: {choice: name}, and {smoke: ..., quick: ..., paper: ...}."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marginfs.errors import ConfigError
from marginfs.study.options import check_name
from marginfs.study.protocol import FIDELITIES


def resolve(value: Any, fidelity: str, choices: Mapping[str, Any], where: str) -> Any:
    """Put in what was chosen, and the fidelity's own entries.

    Parameters
    ----------
    value : object
        Part of a protocol, as YAML gives it.
    fidelity : str
        One of FIDELITIES.
    choices : mapping
        Choice -> its value.
    where : str
        The key that holds the part, for messages.

    Returns
    -------
    object
        The same part with plain values only; ConfigError where a choice or a fidelity's entry does not exist.
    """
    if isinstance(value, Mapping):
        if set(value) == {"choice"}:
            check_name(value["choice"], choices, f"{where}.choice", "choice")
            return choices[value["choice"]]
        if value and set(value) <= set(FIDELITIES):
            if fidelity not in value:
                known = ", ".join(value)
                raise ConfigError(f"{where}: found a value for {known} and none for {fidelity}; write one for each")
            return resolve(value[fidelity], fidelity, choices, f"{where}.{fidelity}")
        return {key: resolve(entry, fidelity, choices, f"{where}.{key}") for key, entry in value.items()}
    if isinstance(value, list):
        return [resolve(entry, fidelity, choices, f"{where}.{place}") for place, entry in enumerate(value)]
    return value
