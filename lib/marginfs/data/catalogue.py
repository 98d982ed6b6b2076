"""A typed view of config/datasets.yaml."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

import yaml

from marginfs.errors import ConfigError
from marginfs.files import read_yaml

Kind = Literal["mirror", "url", "package", "sklearn"]
KINDS: tuple[Kind, ...] = get_args(Kind)
DESCRIPTIVE = frozenset({"citation", "licence", "papers", "choices"})
"""What an entry says for readers, or, in the case of choices, for the study that resolves them."""

MEGABYTES = 64
"""What a server may send, unless a source says otherwise: four times the largest file of the five papers."""


@dataclass(frozen=True)
class Source:
    """One place to get a data set from.

    Attributes
    ----------
    kind : {"mirror", "url", "package", "sklearn"}
        What the places are.
    places : tuple of str
        Paths in the mirror folder, addresses, pinned packages (NAME==VERSION) or a function of sklearn.datasets.
    members : tuple of str
        The file to read out of each place that is an archive; empty where the places are the files themselves.
    parse : mapping
        The parser (`format`) and its options.
    unverified : bool
        Nobody has yet seen what this place sends; the content hash decides when somebody does.
    megabytes : int
        What a server may send.
    """

    kind: Kind
    places: tuple[str, ...]
    members: tuple[str, ...] = ()
    parse: Mapping[str, Any] = field(default_factory=dict)
    unverified: bool = False
    megabytes: int = MEGABYTES

    @property
    def format(self) -> str:
        """The parser of the files.

        Returns
        -------
        str
            A key of the table of parsers.
        """
        return str(self.parse.get("format", "delimited"))

    def __str__(self) -> str:
        inside = f" ({', '.join(self.members)})" if self.members else ""
        return f"{self.kind} {', '.join(self.places)}{inside}"


@dataclass(frozen=True)
class Choice:
    """A decision that the papers leave open.

    Attributes
    ----------
    value : str
        What is done.
    alternatives : tuple of str
        What else could be done.
    reason : str
        Why.
    """

    value: str
    alternatives: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Target:
    """A question with two answers asked of a label with more values.

    Attributes
    ----------
    positive : tuple of str
        Labels of the positive class.
    negative : tuple of str
        Labels of the negative class; all others if empty.
    """

    positive: tuple[str, ...]
    negative: tuple[str, ...] = ()


@dataclass(frozen=True)
class Realisations:
    """Splits published with the data.

    Attributes
    ----------
    count : int
        How many.
    train : int
        Size of their training part.
    benchmark : str
        What the benchmark calls the data set.
    sources : tuple of Source
        Where to get them.
    first_ten : str or None
        Digest of the training parts of realisations 1 to 10, where they are known.
    """

    count: int
    train: int
    benchmark: str
    sources: tuple[Source, ...]
    first_ten: str | None = None


@dataclass(frozen=True)
class DatasetSpec:
    """All that config/datasets.yaml says about one data set.

    Attributes
    ----------
    name : str
        Its key.
    title : str
        Its full name.
    citation : str
        Whom to cite.
    licence : str
        Under which terms it may be used.
    papers : tuple of str
        Keys of the papers that use it.
    shape : tuple of int
        Rows and feature columns.
    classes : mapping
        Class -> number of rows; of two classes the first becomes -1, the second +1.
    missing : int
        Number of missing values.
    names : str or tuple of str
        Names of the columns, or a pattern such as `pixel_{}`.
    sha256 : str or None
        Hash of the canonical content; None for data that only the user has.
    sources : tuple of Source
        Where to get it, in order.
    nominal : tuple of str
        Columns whose values are names.
    identifiers : tuple of str
        Columns that only identify a row.
    levels : mapping
        Column -> its texts in order.
    decimals : int or None
        Round all values to so many, where sources print different numbers of digits.
    targets : mapping
        Questions that can be asked of the label.
    choices : mapping
        What the papers leave open.
    realisations : Realisations or None
        Splits published with the data.
    by_hand : str
        What a user must do where nothing may be downloaded.
    recipe : mapping
        The part of the entry that decides what is prepared, in plain values: a job that has it needs no file, and is
        run again when it changes. `parse_spec` reads it.
    """

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
    recipe: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def formats(self) -> set[str]:
        """List the file formats of the data set's sources.

        Returns
        -------
        set of str
            Names of parsers.
        """
        return {source.format for source in self.sources if source.kind != "sklearn"}


def load_catalogue(path: str | Path) -> dict[str, DatasetSpec]:
    """Read config/datasets.yaml and check it against its schema.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    dict
        Data set -> what the file says of it.
    """
    try:
        raw = read_yaml(path)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not a text file in UTF-8 ({error.reason}).") from None
    except yaml.YAMLError as error:
        raise ConfigError(f"{path}: not valid YAML ({' '.join(str(error).split())}).") from None
    validate_catalogue(raw, Path(path))
    return {name: parse_spec(name, entry) for name, entry in raw["datasets"].items()}


def validate_catalogue(raw: object, path: Path) -> None:
    """Check the parsed YAML against schemas/datasets.schema.yaml beside it; ConfigError names the first bad key.

    Parameters
    ----------
    raw : object
        What the file holds.
    path : Path
        The file.
    """
    import jsonschema

    schema = yaml.safe_load((path.parent / "schemas" / "datasets.schema.yaml").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    error = jsonschema.exceptions.best_match(validator.iter_errors(raw))
    if error is not None:
        raise ConfigError(f"{path}: {'.'.join(map(str, error.absolute_path)) or 'the file'}: {error.message}.")


def parse_spec(name: str, entry: Mapping[str, Any]) -> DatasetSpec:
    """Make a specification of one entry of the file.

    Parameters
    ----------
    name : str
        The data set.
    entry : mapping
        The entry, or the recipe made of it; sources inherit its `parse`.

    Returns
    -------
    DatasetSpec
        The same in types.
    """
    inherited = entry.get("parse", {})
    realisations = entry.get("realisations")
    return DatasetSpec(
        name=name,
        title=entry["title"],
        citation=entry.get("citation", ""),
        licence=entry.get("licence", ""),
        papers=tuple(entry.get("papers", ())),
        shape=(entry["shape"][0], entry["shape"][1]),
        classes=dict(entry["classes"]),
        missing=entry.get("missing", 0),
        names=entry["names"] if isinstance(entry["names"], str) else tuple(entry["names"]),
        sha256=entry.get("sha256"),
        sources=tuple(_parse_source(source, inherited) for source in entry["sources"]),
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
            sources=tuple(_parse_source(source, {}) for source in realisations["sources"]),
            first_ten=realisations.get("first_ten"),
        )
        if realisations
        else None,
        by_hand=entry.get("by_hand", ""),
        recipe={key: value for key, value in entry.items() if key not in DESCRIPTIVE},
    )


def _parse_source(entry: Mapping[str, Any], inherited: Mapping[str, Any]) -> Source:
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
        megabytes=entry.get("megabytes", MEGABYTES),
    )


def _listed(value: str | Sequence[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)
