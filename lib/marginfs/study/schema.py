"""YAML files against their JSON schemas, with one sentence for the first mistake."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any, cast

import jsonschema
import yaml

from marginfs.errors import ConfigError
from marginfs.files import read_yaml
from marginfs.study.options import describe, hint

_Validator = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
    jsonschema.Draft202012Validator,
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    ),
)
"""For JSON Schema 2.0 is an integer, for Python it is none."""

TYPES = {
    "array": list,
    "boolean": bool,
    "integer": int,
    "null": type(None),
    "number": float,
    "object": dict,
    "string": str,
}
"""JSON Schema's word -> the type that is described to the reader."""
NAMES = {
    "^[a-z][a-z0-9_]*$": "small letters, digits and _, a letter first",
    "^[a-z0-9_]+$": "small letters, digits and _",
    "^[a-z0-9_.]+$": "small letters, digits, _ and full stops",
}
"""Pattern of the names that a user may give -> what to write."""


def read_config(path: Path, where: str) -> Any:
    """Read a YAML file.

    Parameters
    ----------
    path : Path
        The file.
    where : str
        Its name in messages.

    Returns
    -------
    object
        Its content; ConfigError, with the line, where it is not valid YAML.
    """
    try:
        return read_yaml(path)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        raise ConfigError(f"{where}{line}: not valid YAML: {getattr(error, 'problem', error)}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{where}: cannot be read as a text file in UTF-8: {error}") from None


def check_schema(value: Any, schema: Path, where: str) -> None:
    """Raise ConfigError for what the schema does not allow.

    Parameters
    ----------
    value : object
        Content of a YAML file.
    schema : Path
        The schema's file.
    where : str
        The YAML file's name in messages.
    """
    errors = [*_Validator(_rules(schema)).iter_errors(value)]
    if errors:
        try:
            error = jsonschema.exceptions.best_match(errors)
        except TypeError:  # It orders errors by their keys, and some of these are numbers.
            error = errors[0]
        raise ConfigError(f"{where}: {_explain(error)}")


def default_of(key: str, schema: Path) -> Any:
    """Read the default that a schema gives to a key.

    Parameters
    ----------
    key : str
        A property of the schema.
    schema : Path
        The schema's file.

    Returns
    -------
    object
        The default.
    """
    return _rules(schema)["properties"][key]["default"]


@functools.cache
def _rules(schema: Path) -> Any:
    return read_yaml(schema)


def _explain(error: jsonschema.ValidationError) -> str:
    """One sentence for one schema violation: the key, what stands there, what to write."""
    key = ".".join(map(str, error.absolute_path))
    if "propertyNames" in error.schema_path:
        allowed = NAMES.get(str(error.validator_value), f"a text, such as '{error.instance}'")
        return f"{key}: the name {error.instance!r} cannot be used; write {allowed}"
    found = f"{key or 'the file'} is {error.instance!r}"
    if error.validator == "additionalProperties" and isinstance(error.instance, dict):
        known = set(cast(dict[str, Any], error.schema).get("properties", {}))
        unknown = next(name for name in error.instance if name not in known)
        return f"unknown key '{f'{key}.' if key else ''}{unknown}'{hint(str(unknown), known)}"
    if error.validator == "required":
        missing = error.message.split("'")[1]
        return f"the key '{f'{key}.' if key else ''}{missing}' is missing"
    if error.validator == "enum":
        return f"{found}; write one of: {', '.join(map(str, cast(list[Any], error.validator_value)))}"
    if error.validator == "minimum":
        return f"{found}; write a number of at least {error.validator_value}"
    if error.validator == "maximum":
        return f"{found}; write a number of at most {error.validator_value}"
    if error.validator in ("minLength", "maxLength"):
        return f"{found}; write a text of length {error.validator_value}"
    types = _types(error)
    if types:
        return f"{found}; write {', or '.join(describe(TYPES[name]) for name in types)}"
    return f"{found}: {error.message}"


def _types(error: jsonschema.ValidationError) -> list[str]:
    """The types that the schema allows where it asks for a type, or for one of several."""
    if error.validator == "type":
        wanted = cast(str | list[str], error.validator_value)
        return [wanted] if isinstance(wanted, str) else wanted
    return [*dict.fromkeys(name for inner in error.context or () if not inner.path for name in _types(inner))]
