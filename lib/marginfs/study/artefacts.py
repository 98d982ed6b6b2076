"""The tables, figures and claims of a paper, as typed objects that refer only to what its experiments have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from marginfs.errors import ConfigError
from marginfs.study.claim_specs import Claim
from marginfs.study.figure_specs import FigureSpec
from marginfs.study.protocol import Outline
from marginfs.study.table_specs import TableSpec

Config = Mapping[str, Any]


@dataclass(frozen=True)
class Artefacts:
    """What a paper shows and says.

    Attributes
    ----------
    tables : mapping of str to TableSpec
        By the number that the paper gives them.
    figures : mapping of str to FigureSpec
        By the number that the paper gives them.
    claims : tuple of Claim
        In the order of their file.
    """

    tables: Mapping[str, TableSpec]
    figures: Mapping[str, FigureSpec]
    claims: tuple[Claim, ...]


def check_artefacts(
    protocol: Config, claims: Sequence[Config], outlines: Mapping[str, Outline], where: str, claims_where: str
) -> Artefacts:
    """Build the artefacts of a paper, and check them against its experiments.

    Parameters
    ----------
    protocol : mapping
        The paper's protocol, of which `tables` and `figures` are read.
    claims : sequence
        The claims file.
    outlines : mapping of str to Outline
        What each experiment varies and measures.
    where : str
        The protocol's file, for messages.
    claims_where : str
        The claims file, for messages.

    Returns
    -------
    Artefacts
        The typed objects; ConfigError at the first mistake.
    """
    tables, figures = (protocol.get(kind, {}) for kind in ("tables", "figures"))
    made = Artefacts(
        tables={number: TableSpec.from_config(spec, f"{where}: tables.{number}") for number, spec in tables.items()},
        figures={
            number: FigureSpec.from_config(spec, f"{where}: figures.{number}") for number, spec in figures.items()
        },
        claims=tuple(Claim.from_config(claim, claims_where) for claim in claims),
    )
    for number, table in made.tables.items():
        table.check(outlines, f"{where}: tables.{number}")
    for number, figure in made.figures.items():
        figure.check(outlines, f"{where}: figures.{number}")
    _check_ids((claim.id for claim in made.claims), claims_where)
    for claim in made.claims:
        claim.check(outlines, claims_where)
    return made


def experiments_of(spec: Config) -> list[str]:
    """List the experiments behind a table or figure.

    Parameters
    ----------
    spec : mapping
        The table or figure as it stands in the protocol; the columns of a table are a mapping.

    Returns
    -------
    list of str
        Their names.
    """
    if isinstance(spec.get("columns"), Mapping):
        return list(TableSpec.from_config(spec, "tables").sources)
    return list(FigureSpec.from_config(spec, "figures").experiments)


def _check_ids(ids: Iterable[str], where: str) -> None:
    seen: set[str] = set()
    for name in ids:
        if name in seen:
            raise ConfigError(f"{where}: two claims are called '{name}'; give each an id of its own")
        seen.add(name)
