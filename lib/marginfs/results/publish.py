"""The publication of a full run under results/reference, in one piece or in many.

A run may have left experiments out, or have fewer trials of them than an earlier one on another machine. What it would
make poorer stays as it was published, so a publication only ever adds to what is known.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from marginfs.errors import DataError
from marginfs.files import write_bytes, write_text
from marginfs.results.pieces import Piece, read_pieces, write_pieces

CLAIMS = "claims.csv"
Behind = Mapping[str, Sequence[str]]
"""File or claim -> the experiments that it shows or tests."""


@dataclass(frozen=True)
class Offer:
    """What a full run has to publish.

    Attributes
    ----------
    files : mapping of str to path
        The name under which each table, figure and evaluation is published -> where it is.
    behind : mapping
        The names of all files that the paper can have, those that this run does not offer among them -> experiments.
    claims : path or None
        The tested claims.
    tests : mapping
        The ids of all claims, in order -> experiments.
    provenance : path
        What the run was made with, and how many trials it has of each experiment.
    """

    files: Mapping[str, str | Path]
    behind: Behind
    claims: str | Path | None
    tests: Behind
    provenance: str | Path


def publish(offer: Offer, target: str | Path) -> list[str]:
    """Publish a full run: replace what it has at least as many trials of, and remove what the paper no longer has.

    Parameters
    ----------
    offer : Offer
        The run.
    target : path
        The folder; files in it that no publication wrote are left alone.

    Returns
    -------
    list of str
        A sentence for every file and claim that stays as it was published, because this run has fewer trials of it.
    """
    folder = Path(target)
    missing = [str(path) for path in offer.files.values() if not Path(path).is_file()]
    if missing:
        raise DataError(f"nothing was published, because the run lacks {', '.join(missing)}")
    run = json.loads(Path(offer.provenance).read_text(encoding="utf-8"))
    earlier = read_pieces(folder)
    poorer = {
        **_poorer(offer.behind, {name: piece for piece in earlier for name in piece.files}, run["trials"]),
        **_poorer(offer.tests, {name: piece for piece in earlier for name in piece.claims}, run["trials"]),
    }
    files = [name for name in offer.files if name not in poorer]
    tests = [name for name in offer.tests if name not in poorer]
    for name in files:
        write_bytes(folder / name, Path(offer.files[name]).read_bytes())
    if offer.claims:
        _merge_claims(folder / CLAIMS, Path(offer.claims), offer.tests, {*tests})
    stale = {name for piece in earlier for name in piece.files} - offer.behind.keys()
    for name in stale:
        if Path(name).name == name:
            (folder / name).unlink(missing_ok=True)
    piece = Piece(
        run["commit"], run["versions"], run["study"], run["trials"], run["work"], tuple(sorted(files)), tuple(tests)
    )
    gone = {name for old in earlier for name in old.claims} - offer.tests.keys()
    kept = [old.without({*files, *stale}, {*tests, *gone}) for old in earlier]
    write_pieces(folder, [_with_own_trials(one, offer) for one in (*kept, piece)])
    return list(poorer.values())


def _with_own_trials(piece: Piece, offer: Offer) -> Piece:
    """The piece with the trials of the experiments behind its files and claims alone."""
    behind = [*(offer.behind[name] for name in piece.files), *(offer.tests[name] for name in piece.claims)]
    read = {name for names in behind for name in names}
    return replace(piece, trials={name: count for name, count in piece.trials.items() if name in read})


def _poorer(behind: Behind, published: Mapping[str, Piece], trials: Mapping[str, float]) -> dict[str, str]:
    """What is published with more trials of some experiment than this run has -> a sentence that says so."""
    found = {}
    for name, piece in published.items():
        fewer = [one for one in behind.get(name, ()) if trials.get(one, 0) < piece.trials.get(one, 0)]
        if fewer:
            said = ", ".join(f"{one} ({trials.get(one, 0)} trials, published {piece.trials[one]})" for one in fewer)
            found[name] = f"{name} stays as it was published at {piece.commit}: this run has less of {said}"
    return found


def _merge_claims(target: Path, offered: Path, order: Iterable[str], taken: set[str]) -> None:
    """Write the lines of every claim: those of this run where it is `taken`, else the published ones."""
    header, new = _lines(offered)
    _, old = _lines(target) if target.exists() else ("", {})
    lines = [line for claim in order for line in (new if claim in taken else old).get(claim, ())]
    write_text(target, "".join([header, *lines]))


def _lines(path: Path) -> tuple[str, dict[str, list[str]]]:
    """The header of a list of claims, and the lines of each of them."""
    header, *lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    found: dict[str, list[str]] = {}
    for line in lines:
        found.setdefault(line.partition(",")[0], []).append(line)
    return header, found
