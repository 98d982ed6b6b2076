"""Files appear whole or not at all: every write goes to a temporary name beside the target, then `os.replace`."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

DEEPEST, LARGEST = 60, 1_000_000
"""Levels and values, aliases written out, beyond which a YAML file is a mistake or an attack."""


@contextlib.contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """A temporary path that takes the place of another when the block ends well, and is removed otherwise.

    Parameters
    ----------
    path : path
        The file to be written.

    Yields
    ------
    Path
        A name beside it to write to.
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.stem}.", suffix=target.suffix)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o644)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write a file.

    Parameters
    ----------
    path : path
        The file.
    content : bytes
        What to write.
    """
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def write_text(path: str | Path, text: str) -> None:
    """Write a text file in UTF-8.

    Parameters
    ----------
    path : path
        The file.
    text : str
        What to write.
    """
    write_bytes(path, text.encode())


def write_frame(path: str | Path, frame: pd.DataFrame) -> None:
    """Write CSV with nine digits: enough for every use, and too few to show how another machine rounds.

    Parameters
    ----------
    path : path
        The file.
    frame : pandas.DataFrame
        What to write.
    """
    write_text(path, frame.to_csv(index=False, lineterminator="\n", float_format="%.9g"))


def write_json(path: str | Path, value: Any) -> None:
    """Write JSON that people can read, keys sorted.

    Parameters
    ----------
    path : path
        The file.
    value : object
        What to write, in JSON types.
    """
    write_text(path, json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n")


def write_json_lines(path: str | Path, records: Iterable[Any]) -> None:
    """Write one JSON object a line; floats are written so that reading gives the same bits back.

    Parameters
    ----------
    path : path
        The file.
    records : iterable
        What to write, in JSON types.
    """
    write_text(path, "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records))


def read_yaml(path: str | Path) -> Any:
    """Read a YAML file, by libyaml where it is installed: the catalogue alone takes a third of a second without it.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    object
        Its content, in plain values; YAMLError also where it is nested too deeply, its aliases stand for too much, a
        key occurs twice in one place, or a value is NaN.
    """
    import yaml

    text = Path(path).read_text(encoding="utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    if _is_too_large(yaml.parse(text, Loader=loader)):
        raise yaml.YAMLError(f"more than {DEEPEST} levels or {LARGEST} values")
    reader = loader(text)
    node = reader.get_single_node()
    if node is None:
        return None
    _check_node(node, set())
    return reader.construct_document(node)


def _check_node(node: Any, seen: set[int]) -> None:
    """Raise YAMLError for what YAML's own rules or a reader's eye let pass: a key given twice, a value that is NaN."""
    import yaml

    if id(node) in seen:
        return
    seen.add(id(node))
    if node.tag == "tag:yaml.org,2002:float" and node.value.lower() == ".nan":
        raise yaml.MarkedYAMLError(problem="a value is NaN; write a number", problem_mark=node.start_mark)
    if isinstance(node, yaml.MappingNode):
        keys: set[tuple[str, str]] = set()
        for key, value in node.value:
            name = (key.tag, str(key.value))
            if name in keys and isinstance(key, yaml.ScalarNode):
                problem = f"the key {key.value!r} occurs twice; remove one"
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=key.start_mark)
            keys.add(name)
            _check_node(value, seen)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            _check_node(value, seen)


def _is_too_large(events: Iterable[Any]) -> bool:
    """Whether a YAML file is nested too deeply, or holds too much once its aliases are written out."""
    counts, anchors, sizes = [0], list[str | None](), dict[str | None, int]()
    for event in events:
        kind = type(event).__name__
        if kind in ("MappingStartEvent", "SequenceStartEvent"):
            anchors.append(event.anchor)
            counts.append(1)
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            sizes[anchors.pop()] = counts[-1]
            counts[-2:] = [sum(counts[-2:])]
        elif kind in ("AliasEvent", "ScalarEvent"):
            counts[-1] += sizes.get(event.anchor, 1) if kind == "AliasEvent" else 1
        if len(counts) > DEEPEST or counts[-1] > LARGEST:
            return True
    return False


def read_json_lines(path: str | Path) -> Iterator[Any]:
    """Read what `write_json_lines` wrote.

    Parameters
    ----------
    path : path
        The file.

    Yields
    ------
    object
        One record after the other.
    """
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
