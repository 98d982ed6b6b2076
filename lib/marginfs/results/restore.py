"""Going on from what is published: a full run starts with the evaluations, and the choices of tuning, of earlier ones.

Choosing options by nested cross-validation takes core-hours, and what it chose stands among the measures. Selecting
with the chosen options, and measuring again, is cheap.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from marginfs.files import write_bytes, write_json, write_json_lines
from marginfs.results.gather import MEASURED, SUMMED
from marginfs.results.pieces import read_pieces
from marginfs.results.tuned import PREFIX
from marginfs.seals import seal
from marginfs.study.protocol import SIZE, Experiment, Range, Tuning, Unit
from marginfs.study.publication import ENDINGS, EVALUATION, RUN, lasting_experiments
from marginfs.study.study import Study
from marginfs.study.unit_jobs import columns

Key = tuple[str, ...]
"""A selector and the unit that it ran on, as an evaluation has them: name, split, and the values of the grids."""
Chosen = Mapping[Key, Mapping[str, float]]
"""Key -> option -> the value that tuning chose."""


@dataclass(frozen=True)
class Order:
    """An experiment that is to be restored.

    Attributes
    ----------
    paper, name : str
        The experiment.
    experiment : Experiment
        What the configuration says of it.
    chunks : sequence of (int, int)
        Its units, as jobs will ask for them.
    study : mapping
        Fidelity, seed and choices of this run.
    data : tuple of str
        The data sets that it reads.
    size : int or None
        Most units of a job, where the configuration says it.
    protocol_trials : int
        Trials that the protocol has; the configuration may ask for fewer in this run.
    """

    paper: str
    name: str
    experiment: Experiment
    chunks: Sequence[Range]
    study: Mapping[str, Any]
    data: tuple[str, ...] = ()
    size: int | None = None
    protocol_trials: int = 0

    @property
    def label(self) -> str:
        """How messages call it."""
        return f"{self.paper}/{self.name}"

    @property
    def all_trials(self) -> int:
        """How many trials it has when nothing is left out."""
        return max(self.experiment.trials, self.protocol_trials)

    def tuned(self) -> dict[str, Tuning]:
        """List what it tunes itself.

        Returns
        -------
        dict
            Selector -> its tuning.
        """
        selectors = self.experiment.selectors.items()
        return {name: made.tuning for name, made in selectors if made.tuning and name not in self.experiment.shared}

    def lacks(self, missing: Iterable[str]) -> str:
        """Say which of its data this run could not obtain.

        Parameters
        ----------
        missing : iterable of str
            Data sets.

        Returns
        -------
        str
            A reason to restore nothing; empty where all data is there.
        """
        absent = sorted({*missing} & {*self.data})
        return f"data is missing: {absent[0]}" if absent else ""


def orders_of(study: Study, reference: str | Path) -> list[Order]:
    """List what a full run can go on from.

    Parameters
    ----------
    study : Study
        The configuration.
    reference : path
        results/reference.

    Returns
    -------
    list of Order
        The experiments of its papers that it does not leave out and whose evaluations are published.
    """
    found = []
    for paper in study.selected:
        for name in lasting_experiments(study, paper):
            published = Path(reference, paper, EVALUATION.format(f"{name}.csv"))
            if study.experiment(paper, name, RUN).trials and published.exists():
                found.append(order_of(study, paper, name))
    return found


def order_of(study: Study, paper: str, name: str) -> Order:
    """Describe an experiment that is to be restored.

    Parameters
    ----------
    study : Study
        The configuration.
    paper, name : str
        The experiment.

    Returns
    -------
    Order
        As a full run has it.
    """
    experiment, made_with = study.experiment(paper, name, RUN), study.made_with(paper, RUN)
    return Order(
        paper,
        name,
        experiment,
        chunks=experiment.chunks(study.chunk_size),
        study=made_with,
        data=tuple(study.data_files(paper, name, RUN).values()),
        size=study.chunk_size,
        protocol_trials=study.papers[paper].experiment(name, RUN, made_with["seed"], made_with["choices"]).trials,
    )


def restore(orders: Iterable[Order], reference: str | Path, missing: Iterable[str] = ()) -> Iterator[str]:
    """Restore what is published to the folder of the run, and overwrite nothing there.

    Evaluations come last: Snakemake takes what is newer than they are for a reason to make them again.

    Parameters
    ----------
    orders : iterable of Order
        The experiments.
    reference : path
        results/reference.
    missing : iterable of str
        Data sets that this run could not obtain: Snakemake asks for them, and what is made of them, every time.

    Yields
    ------
    str
        Sentences on what was restored, and on what was not and why.
    """
    usable = []
    for order in orders:
        reason = order.lacks(missing) or _unusable(order, _published(order, reference))
        if reason:
            yield f"{order.label}: not restored, {reason}"
        else:
            usable.append(order)
    for order in usable:
        measures, provenance = _published(order, reference)
        _, chosen = _content(measures)
        for name, tuning in order.tuned().items():
            yield f"{order.label}: {_restore_tuned(order, name, tuning, chosen, provenance)}"
    for order in usable:
        yield f"{order.label}: its evaluation {_restore_evaluation(order, _published(order, reference))}"


def is_whole(order: Order, reference: str | Path) -> bool:
    """Tell whether the published evaluation of an experiment has all its trials.

    Parameters
    ----------
    order : Order
        The experiment.
    reference : path
        results/reference.

    Returns
    -------
    bool
        Whether nothing of it is left to be tuned.
    """
    published = _published(order, reference)
    if _unusable(order, published):
        return False
    found, _ = _content(published[0])
    plan = order.experiment.plan
    units = [_written(unit) for unit in plan.units(0, order.all_trials * len(plan.points()))]
    return found >= {(name, *unit) for unit in units for name in order.experiment.selectors}


def _published(order: Order, reference: str | Path) -> tuple[Path, ...]:
    """The measures of an experiment, and what they took."""
    return tuple(Path(reference, order.paper, EVALUATION.format(f"{order.name}{ending}")) for ending in ENDINGS)


def _unusable(order: Order, published: Sequence[Path]) -> str:
    """Why nothing can be taken over; empty where something can."""
    measures = published[0]
    absent = [path.name for path in published if not path.exists()]
    if absent:
        return f"{' and '.join(absent)} is not published"
    pieces = [piece for piece in read_pieces(measures.parent) if measures.name in piece.files]
    if not pieces or not same_reading(pieces[0].study, order.study):
        return "it was published with other choices, or another seed"
    with measures.open(encoding="utf-8") as lines:
        header = next(csv.reader(lines))
    return "" if header == columns(order.experiment.plan) else f"{measures.name} has other columns: {','.join(header)}"


def same_reading(published: Mapping[str, Any], run: Mapping[str, Any]) -> bool:
    """Tell whether two runs have the same seed and choices.

    Parameters
    ----------
    published, run : mapping
        What they were made with: fidelity, seed and choices.

    Returns
    -------
    bool
        A choice that only one of them knows was made in the other by its code, and counts as the same.
    """
    made, wanted = published["choices"], run["choices"]
    return published["seed"] == run["seed"] and all(made[name] == wanted[name] for name in made.keys() & wanted.keys())


def _content(path: Path) -> tuple[set[Key], Chosen]:
    """Which selectors were measured on which units, and what tuning chose for them."""
    found: set[Key] = set()
    chosen: dict[Key, dict[str, float]] = {}
    _, *rows = csv.reader(io.StringIO(path.read_text(encoding="utf-8")))
    for row in rows:
        key, (metric, _, value) = tuple(row[:-MEASURED]), row[-MEASURED:]
        found.add(key)
        if metric.startswith(PREFIX):
            chosen.setdefault(key, {})[metric.removeprefix(PREFIX)] = float(value)
    return found, chosen


def _restore_evaluation(order: Order, published: Sequence[Path]) -> str:
    """Copy the measures, if they are those of the units that the configuration has.

    What an earlier call copied is made newer than what tuning chose, which this one restored for jobs of another size.
    """
    plan, selectors = order.experiment.plan, order.experiment.selectors
    units = [_written(unit) for start, stop in order.chunks for unit in plan.units(start, stop)]
    found, _ = _content(published[0])
    if found != {(name, *unit) for unit in units for name in selectors}:
        count = len({key[1:] for key in found})
        return f"is not restored, {count} units are published and the configuration has {len(units)}"
    folder = Path("results", RUN, "evaluations", order.paper)
    paths = [folder / f"{order.name}{ending}" for ending in ENDINGS]
    copies = [*zip(published, paths, strict=True)]
    if any(path.exists() for path in paths):
        if all(path.exists() and path.read_bytes() == source.read_bytes() for source, path in copies):
            for path in paths:
                os.utime(path)
        return "is there already"
    for source, path in copies:
        write_bytes(path, source.read_bytes())
    seal(paths)
    return "is restored"


def _restore_tuned(order: Order, name: str, tuning: Tuning, chosen: Chosen, provenance: Path) -> str:
    """Write what tuning chose for every chunk of which all units are published."""
    there = restored = 0
    for start, stop in order.chunks:
        path = Path("results", RUN, "tuned", order.paper, order.name, name, f"{start}-{stop}.jsonl")
        beside = path.with_name(f"{start}-{stop}.provenance.json")
        if path.exists() or beside.exists():
            there += 1
            continue
        records = list(_records(order.experiment.plan.units(start, stop), name, tuning, chosen))
        if len(records) == stop - start:
            write_json_lines(path, records)
            record = json.loads(provenance.read_text(encoding="utf-8"))
            write_json(beside, {**record, **dict.fromkeys(SUMMED, 0)})
            seal([path, beside])
            restored += 1
    return f"what tuning chose for {name} is restored in {restored} of {len(order.chunks)} chunks, {there} were there"


def _records(units: Iterable[Unit], name: str, tuning: Tuning, chosen: Chosen) -> Iterator[dict[str, Any]]:
    """What `marginfs.study.tuning.choose` gave, but for the scores, of the units whose choice is known."""
    grid = {**tuning.grid, **tuning.judged}
    for unit in units:
        values = chosen.get((name, *_written(unit)), {})
        options = {
            option: int(value) if option == SIZE else next((known for known in grid[option] if known == value), None)
            for option, value in values.items()
            if option in tuning.chosen
        }
        if {*options} == {*tuning.chosen} and None not in options.values():
            yield {"split": unit.split, "point": dict(unit.point), "options": options}


def _written(unit: Unit) -> Key:
    """A unit as an evaluation has it."""
    line = io.StringIO()
    csv.writer(line).writerow([unit.split, *unit.point.values()])
    return tuple(next(csv.reader([line.getvalue()])))
