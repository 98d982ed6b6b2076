"""What a method's signature says about its options, and whether the values of a configuration fit."""

from __future__ import annotations

import difflib
import functools
import inspect
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, Unpack, get_args, get_origin

from marginfs.errors import ConfigError
from marginfs.types import AtLeast, NameOf

NOT_OPTIONS = ("rng",)
"""Keyword parameters that the workflow itself supplies."""
WORDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    list: "a list",
    dict: "keys with values",
    type(None): "null",
}
"""Type -> what to write in YAML."""


@dataclass(frozen=True)
class Option:
    """One option of a method: the type of its values, whether it must be given, and its default."""

    name: str
    type: Any
    required: bool
    default: Any = None


@functools.cache
def options_of(function: Callable[..., Any]) -> dict[str, Option]:
    """Read the options of a method from its signature.

    Parameters
    ----------
    function : callable
        Its keyword-only parameters are its options; `**name: Unpack[SomeTypedDict]` stands for those of the dictionary.

    Returns
    -------
    dict
        Name -> option.
    """
    hints = typing.get_type_hints(inspect.unwrap(function), include_extras=True)
    found = {}
    for parameter in inspect.signature(function).parameters.values():
        hint = hints.get(parameter.name, Any)
        if parameter.kind is parameter.KEYWORD_ONLY and parameter.name not in NOT_OPTIONS:
            required = parameter.default is parameter.empty
            found[parameter.name] = Option(parameter.name, hint, required, None if required else parameter.default)
        elif parameter.kind is parameter.VAR_KEYWORD and get_origin(hint) is Unpack:
            keys = get_args(hint)[0]
            for name, inner in typing.get_type_hints(keys, include_extras=True).items():
                found[name] = Option(name, inner, name in keys.__required_keys__)
    return found


def check_options(
    known: Mapping[str, Option], given: Mapping[str, Any], where: str, varied: Iterable[str] = ()
) -> None:
    """Raise ConfigError for an option that does not exist, is missing, or has a value of the wrong kind.

    Parameters
    ----------
    known : mapping
        The options of the method.
    given : mapping
        Name -> value.
    where : str
        The key of the configuration that holds them.
    varied : iterable of str
        Options that a grid supplies.
    """
    for name, value in given.items():
        check_name(name, known, f"{where}.{name}", "option")
        check_value(known[name], value, f"{where}.{name}")
    for option in known.values():
        if option.required and option.name not in given and option.name not in varied:
            raise ConfigError(f"{where}: the option '{option.name}' is missing")


def check_value(option: Option, value: Any, where: str) -> None:
    """Raise ConfigError where `value` is not one that the option takes.

    Parameters
    ----------
    option : Option
        What is known of the option.
    value : object
        What the configuration has.
    where : str
        The key that holds it.
    """
    if not fits(value, option.type):
        raise ConfigError(f"{where} is {value!r}; write {describe(option.type)}")


def check_name(name: str, known: Iterable[str], where: str, kind: str) -> None:
    """Raise ConfigError, with the nearest known name, where `name` is not known.

    Parameters
    ----------
    name : str
        What the configuration has.
    known : iterable of str
        What there is.
    where : str
        The key that holds it.
    kind : str
        What it names: a selector, an option, a metric.
    """
    names = [str(entry) for entry in known]
    if str(name) not in names:
        raise ConfigError(f"{where}: no {kind} is called '{name}'{hint(str(name), names)}")


def hint(name: object, known: Iterable[object]) -> str:
    """Say what a reader who misspelt `name` needs.

    Parameters
    ----------
    name : object
        What was written; in YAML it may be a number.
    known : iterable of object
        What could have been.

    Returns
    -------
    str
        The nearest known name, then all of them.
    """
    names = sorted(map(str, known))
    near = difflib.get_close_matches(str(name), names, n=1)
    meant = f"; did you mean '{near[0]}'?" if near else ";"
    return f"{meant} known: {', '.join(names) or 'none'}"


def fits(value: Any, hint: Any) -> bool:
    """Tell whether a value read from YAML is one of the type `hint`.

    Parameters
    ----------
    value : object
        A plain value.
    hint : type or typing construct
        What the signature says; a whole number is also a float, a list also a tuple.

    Returns
    -------
    bool
        True where it fits, and for types that YAML has no word for.
    """
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        names = [extra for extra in arguments[1:] if isinstance(extra, NameOf)]
        least = [extra.least for extra in arguments[1:] if isinstance(extra, AtLeast)]
        inside = fits(value, arguments[0]) and all(value >= bound for bound in least)
        return value in names[0].table if names else inside
    if origin in (Union, types.UnionType):
        return any(fits(value, part) for part in arguments)
    if origin is Literal:
        return any(value == allowed and type(value) is type(allowed) for allowed in arguments)
    if hint is None or hint is type(None):
        return value is None
    if hint in (bool, str):
        return isinstance(value, hint)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and value == value
    if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        return isinstance(value, Mapping)
    if origin is not None and isinstance(origin, type) and issubclass(origin, Iterable):
        inner = [part for part in arguments if part is not ...]
        return isinstance(value, list | tuple) and all(any(fits(v, part) for part in inner or [Any]) for v in value)
    return True


def describe(hint: Any) -> str:
    """Say in words which values a type allows.

    Parameters
    ----------
    hint : type or typing construct
        What the signature says.

    Returns
    -------
    str
        For example "a whole number" or "one of: zero, first".
    """
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        names = [extra for extra in arguments[1:] if isinstance(extra, NameOf)]
        least = [f" of at least {extra.least:g}" for extra in arguments[1:] if isinstance(extra, AtLeast)]
        return f"one of: {', '.join(names[0].table)}" if names else describe(arguments[0]) + "".join(least)
    if origin is Literal:
        return f"one of: {', '.join(map(str, arguments))}"
    if origin in (Union, types.UnionType):
        return ", or ".join(describe(part) for part in arguments)
    if origin is not None and isinstance(origin, type) and issubclass(origin, Sequence | Iterable):
        return "a list"
    return WORDS.get(hint, "another value")
