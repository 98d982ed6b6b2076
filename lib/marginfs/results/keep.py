"""Keeping what tuning has found before a full run is whole, so that it is not lost with the machine.

An experiment is published when all its units are evaluated, hours after the first scores of tuning. Until then its
kept scores stand beside what is published. Each machine restores them, adds its own, and keeps the whole again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from marginfs.errors import DataError
from marginfs.files import read_json_lines, write_json, write_json_lines, write_text
from marginfs.results.gather import TIMES, total
from marginfs.results.kept_scores import Scores, is_of, read_scores, scores_text, tuning_units
from marginfs.results.restore import Order, is_whole, order_of, same_reading
from marginfs.seals import damage, seal
from marginfs.study.protocol import Tuning
from marginfs.study.publication import ENDINGS, RUN, SCORES, lasting_experiments
from marginfs.study.study import Study


def tuned_orders(study: Study, papers: Iterable[str]) -> list[Order]:
    """List the experiments whose scores can be kept.

    Parameters
    ----------
    study : Study
        The configuration.
    papers : iterable of str
        Keys of papers.

    Returns
    -------
    list of Order
        Those that are tuned, without those that the run leaves out.
    """
    pairs = [(paper, name) for paper in papers for name in lasting_experiments(study, paper)]
    orders = [order_of(study, paper, name) for paper, name in pairs]
    return [order for order in orders if order.experiment.trials and order.tuned()]


def has_scores(order: Order, reference: str | Path) -> bool:
    """Tell whether scores of an experiment are kept.

    Parameters
    ----------
    order : Order
        The experiment.
    reference : path
        results/reference.

    Returns
    -------
    bool
        Whether there is a file of them.
    """
    return _files(order, reference)[0].exists()


def keep(orders: Iterable[Order], reference: str | Path, commit: str) -> Iterator[str]:
    """Add the scores that are on disk to the kept ones, for experiments that are not published whole.

    Parameters
    ----------
    orders : iterable of Order
        The experiments.
    reference : path
        results/reference.
    commit : str
        The state of the project.

    Yields
    ------
    str
        For every experiment, how many units of tuning are kept, or why none are.
    """
    for order in orders:
        if is_whole(order, reference):
            yield f"{order.label}: its evaluation is published whole, no scores are kept"
        elif has_scores(order, reference) and (reason := _unusable(order, reference)):
            name = _files(order, reference)[0].name
            yield f"{order.label}: {name} stays as it is, {reason}; delete it to keep the scores of this run"
        else:
            scores = _keep(order, reference, commit)
            wanted = _counts(order)
            done = sum(index < wanted[name] for name, records in scores.items() for index in records)
            yield f"{order.label}: the scores of {done} of {sum(wanted.values())} units of tuning are kept"


def restore_scores(orders: Iterable[Order], reference: str | Path, missing: Iterable[str] = ()) -> Iterator[str]:
    """Restore kept scores as the files of tuning jobs, and overwrite nothing there.

    Where the choice is made already, its scores are not restored: Snakemake would choose again from newer ones. Every
    unit takes its share of the time that all kept ones took, so that the published experiment has the whole.

    Parameters
    ----------
    orders : iterable of Order
        The experiments.
    reference : path
        results/reference.
    missing : iterable of str
        Data sets that this run could not obtain.

    Yields
    ------
    str
        For every selector with kept scores how many of its jobs are done by that, or why none are.
    """
    for order in orders:
        if not has_scores(order, reference):
            continue
        path, provenance = _files(order, reference)
        reason = order.lacks(missing) or _unusable(order, reference)
        if reason:
            yield f"{order.label}: kept scores are not restored, {reason}"
            continue
        record = json.loads(provenance.read_text(encoding="utf-8"))
        kept = read_scores(path, order.experiment.plan, order.tuned())
        for name, scores in kept.items():
            yield f"{order.label}: {_restore(order, name, scores, record, sum(map(len, kept.values())))}"


def forget(orders: Iterable[Order], reference: str | Path) -> Iterator[str]:
    """Remove the kept scores of experiments that are published whole.

    Parameters
    ----------
    orders : iterable of Order
        The experiments.
    reference : path
        results/reference.

    Yields
    ------
    str
        A sentence for every file of scores that was removed.
    """
    for order in orders:
        files = _files(order, reference)
        if any(path.exists() for path in files) and is_whole(order, reference):
            for path in files:
                path.unlink(missing_ok=True)
            yield f"{order.label}: its evaluation is published whole, and its kept scores are removed"


def _files(order: Order, reference: str | Path) -> tuple[Path, Path]:
    """The kept scores of an experiment, and what they took."""
    path, provenance = (Path(reference, order.paper, SCORES.format(f"{order.name}{ending}")) for ending in ENDINGS)
    return path, provenance


def _counts(order: Order) -> dict[str, int]:
    """How many units of tuning each selector has when nothing is left out."""
    units = order.all_trials * len(order.experiment.plan.points())
    return {name: units * tuning.trials for name, tuning in order.tuned().items()}


def _made_with(order: Order) -> dict[str, Any]:
    """What scores depend on, but for the code."""
    inner = {name: {"folds": tuning.folds, "metric": tuning.metric} for name, tuning in order.tuned().items()}
    return {**order.study, "data": order.experiment.plan.data, "tuning": inner}


def _unusable(order: Order, reference: str | Path) -> str:
    """Why kept scores cannot be those of this run; empty where they are."""
    path, provenance = _files(order, reference)
    try:
        kept, wanted = json.loads(provenance.read_text(encoding="utf-8"))["study"], _made_with(order)
        if not same_reading(kept, wanted):
            return "they were kept with other choices, or another seed"
        if not all(_agree(kept[part], wanted[part]) for part in ("data", "tuning")):
            return "they were kept with other data, or other inner folds"
        read_scores(path, order.experiment.plan, order.tuned())
    except (OSError, KeyError, ValueError):
        return f"{provenance.name} does not say what they were kept with"
    except DataError as error:
        return str(error)
    return ""


def _agree(kept: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return all(kept[key] == wanted[key] for key in kept.keys() & wanted.keys())


def _keep(order: Order, reference: str | Path, commit: str) -> Scores:
    """Write kept scores with those on disk that are new, if there are any; they count with what their jobs took."""
    path, provenance = _files(order, reference)
    plan, tunings = order.experiment.plan, order.tuned()
    scores = read_scores(path, plan, tunings) if path.exists() else {}
    earlier = [provenance] if path.exists() else []
    new = []
    for name, tuning in tunings.items():
        known = scores.setdefault(name, {})
        for beside, records in _on_disk(order, name, tuning):
            if any(known.get(index) != record for index, record in records.items()):
                known.update(records)
                new.append(beside)
    if new:
        commits = [one for kept in earlier for one in json.loads(kept.read_text(encoding="utf-8"))["commits"]]
        told = {"commits": list(dict.fromkeys([*commits, commit])), "study": _made_with(order)}
        write_json(provenance, {**total(map(str, [*earlier, *new])), **told})
        write_text(path, scores_text(scores, plan, tunings))
    return scores


def _on_disk(order: Order, name: str, tuning: Tuning) -> Iterator[tuple[Path, dict[int, dict[str, Any]]]]:
    """The provenance and the records of every undamaged file of tuning jobs, whatever their size was."""
    units = tuning_units(order.experiment.plan, tuning)
    for path in sorted(_folder("tuning", order, name).glob("[0-9]*-*.jsonl")):
        beside = path.with_name(f"{path.stem}.provenance.json")
        if damage(path) or damage(beside):
            continue
        start, stop = map(int, path.stem.split("-"))
        records = dict(enumerate(read_json_lines(path), start))
        if len(records) == stop - start:
            yield beside, {index: record for index, record in records.items() if is_of(record, index, units)}


def _restore(
    order: Order, name: str, scores: Mapping[int, dict[str, Any]], provenance: Mapping[str, Any], kept: int
) -> str:
    """Write the files of the tuning jobs all of whose units are kept, but for those that no choice waits for."""
    unit = {key: provenance[key] / kept for key in TIMES}
    restored = there = jobs = 0
    for units in order.chunks:
        chosen = (_folder("tuned", order, name) / f"{units[0]}-{units[1]}.jsonl").exists()
        for start, stop in order.experiment.tuning_chunks(name, *units, order.size):
            path = _folder("tuning", order, name) / f"{start}-{stop}.jsonl"
            beside = path.with_name(f"{path.stem}.provenance.json")
            jobs += 1
            if chosen or path.exists() or beside.exists():
                there += 1
            elif all(index in scores for index in range(start, stop)):
                write_json_lines(path, (scores[index] for index in range(start, stop)))
                took = {key: seconds * (stop - start) for key, seconds in unit.items()}
                write_json(beside, {**provenance, **took, "jobs": 0})
                seal([path, beside])
                restored += 1
    return f"the scores of tuning for {name} are restored in {restored} of {jobs} chunks, {there} needed none"


def _folder(kind: str, order: Order, name: str) -> Path:
    return Path("results", RUN, kind, order.paper, order.name, name)
