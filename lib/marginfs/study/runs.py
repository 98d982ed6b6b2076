"""Names of runs: the fidelity, and what is read otherwise than by default.

A run with the default choices and seed writes to results/<fidelity>/, any other to results/<fidelity>+<name>/, the name
made of what was changed, so that nothing is written over.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Choices = Mapping[str, Mapping[str, Any]]
"""Paper or data set -> choice -> value."""

LONGEST = 100
"""A longer name is cut and told apart by a hash."""


@dataclass(frozen=True)
class Reading:
    """What differs from the default.

    Attributes
    ----------
    choices : mapping
        Paper or data set -> choice -> the alternative taken.
    seed : int or None
        Another master seed.
    new : tuple of str
        Selectors of the user's own.
    """

    choices: Choices = field(default_factory=dict)
    seed: int | None = None
    new: tuple[str, ...] = ()

    def of(self, owner: str) -> Mapping[str, Any]:
        """Look up the alternatives taken for one paper or data set.

        Parameters
        ----------
        owner : str
            Its key.

        Returns
        -------
        mapping
            Choice -> alternative.
        """
        return self.choices.get(owner, {})

    def changes(self, names: Mapping[str, int]) -> dict[str, Any]:
        """List what differs, by the names that a reader sees.

        Parameters
        ----------
        names : mapping
            Choice -> how many papers and data sets have one of this name.

        Returns
        -------
        dict
            Choice, with its owner where others have one of this name, "seed" or "new" -> value.
        """
        changed = {
            (name if names.get(name, 1) == 1 else f"{owner}.{name}"): value
            for owner, made in sorted(self.choices.items())
            for name, value in sorted(made.items())
        }
        if self.seed is not None:
            changed["seed"] = self.seed
        return {**changed, "new": ", ".join(self.new)} if self.new else changed


def reading_name(changes: Mapping[str, Any]) -> str:
    """Make a name for a folder from what was changed.

    Parameters
    ----------
    changes : mapping
        What `Reading.changes` gives.

    Returns
    -------
    str
        For example "svm_bias=false"; empty where nothing was changed.
    """
    name = ",".join(f"{key}={_value(value)}" for key, value in changes.items())
    if len(name) <= LONGEST:
        return name
    return f"{name[: LONGEST - 9]}~{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def run_name(fidelity: str, reading: str) -> str:
    """Join a fidelity and the name of a reading.

    Parameters
    ----------
    fidelity : str
        One of the fidelities.
    reading : str
        What `reading_name` gives.

    Returns
    -------
    str
        The folder's name under results/.
    """
    return f"{fidelity}+{reading}" if reading else fidelity


def split_run(run: str) -> tuple[str, str]:
    """Take a run's name apart again.

    Parameters
    ----------
    run : str
        What `run_name` gives.

    Returns
    -------
    (str, str)
        The fidelity and the reading.
    """
    fidelity, _, reading = run.partition("+")
    return fidelity, reading


def alternatives(choices: Mapping[str, Mapping[str, Any]]) -> Iterator[Reading]:
    """Go through every alternative of every choice, one at a time.

    Parameters
    ----------
    choices : mapping
        Paper or data set -> choice -> its default, then the alternatives.

    Yields
    ------
    Reading
        One alternative.
    """
    for owner, made in choices.items():
        for name, values in made.items():
            for value in values[1:]:
                yield Reading({owner: {name: value}})


def shared_names(choices: Mapping[str, Mapping[str, Any]]) -> Counter[str]:
    """Count how many papers and data sets have a choice of each name.

    Parameters
    ----------
    choices : mapping
        Paper or data set -> its choices.

    Returns
    -------
    Counter
        Choice -> number of owners.
    """
    return Counter(name for made in choices.values() for name in made)


def _value(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return re.sub(r"[^A-Za-z0-9.-]+", "_", text).strip("_")
