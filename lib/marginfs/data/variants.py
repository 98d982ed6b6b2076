"""The name of a prepared data set and its file: `colon`, or `colon@transform=none` where something was chosen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from marginfs.errors import ConfigError

OPTIONS_PATTERN = r"(?:@[a-z_]+=[a-z0-9_]+(?:,[a-z_]+=[a-z0-9_]+)*)?"
"""What may follow the name of a data set, as a regular expression."""


def variant_pattern(names: Iterable[str]) -> str:
    """Write the regular expression of data sets and their variants, for the wildcards of rules.

    Parameters
    ----------
    names : iterable of str
        The data sets.

    Returns
    -------
    str
        It matches each name, alone or with options.
    """
    return f"(?:{'|'.join(map(re.escape, names))}){OPTIONS_PATTERN}"


def variant_name(name: str, options: Mapping[str, object]) -> str:
    """Name a variant of a data set.

    Parameters
    ----------
    name : str
        The data set.
    options : mapping
        What was chosen and is not the default.

    Returns
    -------
    str
        `name@key=value,key=value`, keys sorted; the name alone without options.
    """
    chosen = ",".join(f"{key}={options[key]}" for key in sorted(options))
    return f"{name}@{chosen}" if chosen else name


def split_variant(variant: str) -> tuple[str, dict[str, str]]:
    """Take the name of a variant apart.

    Parameters
    ----------
    variant : str
        What `variant_name` gave, or somebody wrote.

    Returns
    -------
    name : str
        The data set.
    options : dict
        What was chosen.
    """
    name, _, chosen = variant.partition("@")
    if not re.fullmatch(OPTIONS_PATTERN, variant[len(name) :]):
        raise ConfigError(f"found the data set {variant!r}; write NAME or NAME@key=value,key=value.")
    return name, dict(item.split("=") for item in chosen.split(",")) if chosen else {}
