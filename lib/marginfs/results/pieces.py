"""What the published results of a paper were made with: every publication is a piece, with files of its own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from marginfs.errors import DataError
from marginfs.files import write_json

PROVENANCE = "provenance.json"
PIECES = "pieces"


@dataclass(frozen=True)
class Piece:
    """The files and claims that one publication brought, and what they were made with.

    Attributes
    ----------
    commit : str
        The state of the project.
    versions : mapping
        Package -> version.
    study : mapping
        Fidelity, seed and choices.
    trials : mapping
        Experiment behind the files and claims -> how many of its trials were run.
    work : mapping
        Jobs, time, memory and machine of the run.
    files, claims : tuple of str
        Names of the files, ids of the claims.
    """

    commit: str
    versions: Mapping[str, str]
    study: Mapping[str, Any]
    trials: Mapping[str, float]
    work: Mapping[str, Any]
    files: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()

    def without(self, files: Iterable[str], claims: Iterable[str]) -> Piece:
        """Leave out what another publication has brought since.

        Parameters
        ----------
        files, claims : iterable of str
            What is no longer of this piece.

        Returns
        -------
        Piece
            The rest.
        """
        gone, told = {*files}, {*claims}
        return replace(
            self,
            files=tuple(name for name in self.files if name not in gone),
            claims=tuple(name for name in self.claims if name not in told),
        )


def read_pieces(folder: str | Path) -> list[Piece]:
    """Read the pieces of a published run.

    Parameters
    ----------
    folder : path
        results/reference/<paper>.

    Returns
    -------
    list of Piece
        The oldest first; none where nothing was published.
    """
    path = Path(folder) / PROVENANCE
    if not path.exists():
        return []
    record = json.loads(path.read_text(encoding="utf-8"))
    try:
        return [
            Piece(**{**piece, "files": tuple(piece["files"]), "claims": tuple(piece["claims"])})
            for piece in record[PIECES]
        ]
    except (KeyError, TypeError) as error:
        raise DataError(
            f"{path} does not list the pieces that were published ({error}); take it from the repository again"
        ) from None


def commits(folder: str | Path) -> list[str]:
    """List the states of the project that a published run comes from.

    Parameters
    ----------
    folder : path
        results/reference/<paper>.

    Returns
    -------
    list of str
        Commits, the oldest piece's first.
    """
    return list(dict.fromkeys(piece.commit for piece in read_pieces(folder)))


def write_pieces(folder: str | Path, pieces: Iterable[Piece]) -> None:
    """Write the pieces of a published run, without those of which nothing is left.

    Parameters
    ----------
    folder : path
        results/reference/<paper>.
    pieces : iterable of Piece
        The oldest first.
    """
    kept = [asdict(piece) for piece in pieces if piece.files or piece.claims]
    write_json(Path(folder) / PROVENANCE, {PIECES: kept})
