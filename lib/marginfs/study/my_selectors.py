"""A user's own selectors in the papers' protocols: one more selector, row and curve wherever they fit.

A selector fits an experiment that compares selectors by their rankings, or by a model that the user says it gives, and
whose grids vary options that it has. Elsewhere it is left out, and the reason is kept.
"""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from marginfs.data.catalogue import DatasetSpec
from marginfs.data.generators.problems import GENERATORS
from marginfs.errors import ConfigError
from marginfs.lookup import look_up
from marginfs.study.options import check_name, options_of
from marginfs.study.paper import Paper
from marginfs.study.protocol import SIZE
from marginfs.study.registry import SELECTORS, loadable, path_of

OWN_KEYS = ("method", "papers", "label", "provides")
"""What an entry says beside the options of its method."""
NEEDS = {
    "hyperplane": "hyperplane",
    "kernel_machine": "kernel_machine",
    "margin_curves": "margin_path",
    "stop_estimate": "elimination",
}
"""Evaluation -> what it reads of a selection beside the ranking."""
COMPARED = {"validation_phase": "least_cost"}
"""Evaluation -> the metric by which selectors are compared, lower being better, where it is not the test error."""


@dataclass(frozen=True)
class Mine:
    """One of the user's selectors.

    Attributes
    ----------
    name : str
        Its label in the experiments.
    entry : mapping
        What an experiment's `selectors` would say of it.
    papers : list of str or "all"
        Where it is to run.
    label : str
        What tables and figures call it.
    provides : tuple of str
        What its selections hold beside the ranking: hyperplane, kernel_machine, margin_path, elimination.
    """

    name: str
    entry: Mapping[str, Any]
    papers: list[str] | str
    label: str
    provides: tuple[str, ...]

    @classmethod
    def from_config(cls, name: str, given: Mapping[str, Any]) -> Mine:
        """Read an entry of `my_selectors`.

        Parameters
        ----------
        name : str
            Its key.
        given : mapping
            The entry.

        Returns
        -------
        Mine
            The selector; ConfigError where its method cannot be loaded.
        """
        where = f"config/config.yaml: my_selectors.{name}"
        entry = entry_of({key: value for key, value in given.items() if key not in OWN_KEYS or key == "method"}, where)
        label = str(given.get("label", f"{name} (new)"))
        return cls(name, entry, given.get("papers", "all"), label, tuple(given.get("provides", ())))

    def refused_by(self, name: str, paper: Paper) -> str:
        """Say why the selector does not run in an experiment.

        Parameters
        ----------
        name : str
            The experiment.
        paper : Paper
            Its paper.

        Returns
        -------
        str
            The reason; empty where it runs.
        """
        experiment = paper.protocol["experiments"][name]
        shares = experiment.get("shares", {})
        base = paper.protocol["experiments"].get(shares.get("experiment"), experiment)
        present = [*_plain(shares.get("selectors", []), paper), *experiment.get("selectors", {})]
        if len(present) < 2 or experiment["evaluation"]["method"] == "class_images":
            return "it compares no selectors"
        if self.name in present:
            return f"it has a selector called {self.name} already"
        needed = _needed(experiment["evaluation"])
        if needed and needed not in self.provides:
            return f"its evaluation reads more than a ranking; if the selections hold it, write provides: [{needed}]"
        known = options_of(look_up(path_of(self.entry["method"], SELECTORS, "", "selector")))
        followed = _plain(experiment["evaluation"].get("follows", []), paper)
        foreign = [key for key in dict.fromkeys([*base.get("grid", {}), *followed]) if key not in {*known, SIZE}]
        return f"it varies {', '.join(foreign)}, which the selector does not have" if foreign else ""


def entry_of(given: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Read a selector that may be an estimator.

    Parameters
    ----------
    given : mapping
        `method` (a selector's name, or module:name of a function or an estimator) and its options.
    where : str
        The key of the configuration that holds it.

    Returns
    -------
    dict
        What an experiment's `selectors` say of it; ConfigError where the method cannot be loaded.
    """
    method, options = str(given["method"]), {key: value for key, value in given.items() if key != "method"}
    path = loadable(method, SELECTORS, f"{where}.method", "selector")
    thing = look_up(path)
    if _has_our_signature(thing):
        return {"method": method, **options}
    if not callable(thing):
        raise ConfigError(f"{where}.method is {method!r}; write a class, or a function that makes an estimator")
    try:
        inspect.signature(thing).bind(**options)
    except TypeError as error:
        raise ConfigError(f"{where}: {method} cannot be made with these options: {error}") from None
    home = f"{thing.__module__}:{thing.__qualname__}" if isinstance(thing, type) else path
    return {"method": "estimator", "estimator": home, "parameters": options}


def with_mine(
    paper: Paper, mine: Mapping[str, Mine], catalogue: Mapping[str, DatasetSpec]
) -> tuple[Paper, list[dict[str, str]]]:
    """Add the user's selectors to a paper.

    Parameters
    ----------
    paper : Paper
        Its protocol and claims.
    mine : mapping
        Name -> selector.
    catalogue : mapping
        Data set -> its entry in datasets.yaml, which says how many points there are.

    Returns
    -------
    paper : Paper
        With the selectors in every experiment, table and figure that they fit, and a claim that each is better than
        every selector beside it.
    places : list of dict
        Selector, paper, experiment and, where it does not run, the reason.
    """
    wanted = [one for one in mine.values() if one.papers == "all" or paper.key in one.papers]
    if not wanted:
        return paper, []
    made, claims, places = _copied(paper.protocol), list(paper.claims), []
    for name, experiment in made["experiments"].items():
        base = made["experiments"].get(experiment.get("shares", {}).get("experiment"), experiment)
        published = [
            *_plain(experiment.get("shares", {}).get("selectors", []), paper),
            *experiment.get("selectors", {}),
        ]
        for one in wanted:
            reason = one.refused_by(name, paper)
            places.append({"selector": one.name, "paper": paper.key, "experiment": name, "left_out_because": reason})
            if not reason:
                experiment["selectors"] = {**experiment.get("selectors", {}), one.name: one.entry}
                claims += _comparisons(one, name, {**base, **experiment}, published, overlap_of(base, paper, catalogue))
    runs = {(place["experiment"], place["selector"]) for place in places if not place["left_out_because"]}
    for one in wanted:
        ran_in = {experiment for experiment, name in runs if name == one.name}
        for table in made.get("tables", {}).values():
            _show_in_table(table, one, ran_in)
        for figure in made.get("figures", {}).values():
            _show_in_figure(figure, one, ran_in)
    return replace(paper, protocol=made, claims=claims), places


def where_they_run(places: Sequence[Mapping[str, str]], selected: Collection[str]) -> list[str]:
    """Say before a run in how many experiments each selector takes part, and why not where it takes part in none.

    Parameters
    ----------
    places : sequence of mapping
        As of `with_mine`, of all papers.
    selected : collection of str
        The papers that are run.

    Returns
    -------
    list of str
        A line a selector.
    """
    lines = []
    for name in dict.fromkeys(place["selector"] for place in places):
        reasons = [one["left_out_because"] for one in places if one["selector"] == name and one["paper"] in selected]
        runs = sum(not reason for reason in reasons)
        line = f"{name} runs in {runs} of {len(reasons)} experiments, see tables/my_selectors.csv"
        lines.append(line if runs else f"{line}; for example: {next(iter(reasons), 'its papers are not selected')}")
    return lines


def check_papers(mine: Mapping[str, Mine], papers: Mapping[str, Any]) -> None:
    """Raise ConfigError where a selector is to run in a paper that does not exist.

    Parameters
    ----------
    mine : mapping
        Name -> selector.
    papers : mapping
        Key -> paper.
    """
    for one in mine.values():
        for paper in [] if one.papers == "all" else one.papers:
            check_name(paper, papers, f"config/config.yaml: my_selectors.{one.name}.papers", "paper")


def _needed(evaluation: Mapping[str, Any]) -> str:
    """What an evaluation reads of a selection beside the ranking; nothing where it is empty."""
    if evaluation.get("ranking_term") or evaluation.get("sizes") == "elimination":
        return "elimination"
    return NEEDS.get(evaluation["method"], "")


def _plain(value: Any, paper: Paper) -> Any:
    """A value of the protocol, or the default of the choice that stands for it."""
    is_choice = isinstance(value, Mapping) and set(value) == {"choice"}
    return paper.defaults[value["choice"]] if is_choice else value


def _has_our_signature(thing: Any) -> bool:
    """Whether it is a function (X, y, *, rng, ...)."""
    return inspect.isfunction(thing) and "rng" in inspect.signature(thing).parameters


def _show_in_table(table: dict[str, Any], one: Mine, ran_in: set[str]) -> None:
    named = table["experiment"]
    if ran_in & ({named} if isinstance(named, str) else set(named)):
        for axis in (table["rows"], table["columns"]):
            _show(axis, one)


def _show_in_figure(figure: dict[str, Any], one: Mine, ran_in: set[str]) -> None:
    """Every panel whose experiment it ran in; curves that all panels share are kept shared where it ran in all."""
    panels = [column for column in figure.get("columns", ()) if isinstance(column, dict)]
    shared = [panel for panel in panels if "curves" not in panel]
    shown = [panel for panel in panels if panel.get("experiment", figure.get("experiment")) in ran_in]
    together = bool(shared) and all(panel in shown for panel in shared)
    if together:
        _show(figure.get("curves", {}), one)
    for panel in shown:
        if "curves" in panel or not together:
            panel["curves"] = _copied(panel.get("curves", figure.get("curves", {})))
            _show(panel["curves"], one)


def _show(axis: dict[str, Any], one: Mine) -> None:
    """Give the selector a place on an axis that goes by selector and names what it shows."""
    if axis.get("by") != "selector":
        return
    if axis.get("labels") or not axis.get("values"):
        axis["labels"] = {**axis.get("labels", {}), one.name: one.label}
    if axis.get("values"):
        axis["values"] = [*axis["values"], one.name]


def _comparisons(
    one: Mine, name: str, experiment: Mapping[str, Any], published: list[str], overlap: float
) -> Iterator[Mapping[str, Any]]:
    """The selector against every other, at every point of the grids: by the final number, or the mean of the curve."""
    evaluation = experiment["evaluation"]
    metric = COMPARED.get(evaluation["method"], "test_error")
    final = metric != "test_error" or "final" in evaluation or evaluation["method"] in NEEDS
    varied = [*experiment.get("data_grid", {}), *experiment.get("grid", {})]
    for other in published:
        yield {
            "id": f"{one.name}-against-{other}-{name}".replace("_", "-"),
            "source": "my_selectors",
            "statement": f"{one.label} has a lower {metric.replace('_', ' ')} than {other}.",
            "experiment": name,
            "metric": metric,
            "lower": {"selector": one.name},
            "higher": {"selector": other},
            **({"at": dict.fromkeys(varied, "all")} if varied else {}),
            **({} if final else {"over": ["step"]}),
            "overlap": overlap,
        }


def overlap_of(experiment: Mapping[str, Any], paper: Paper, catalogue: Mapping[str, DatasetSpec]) -> float:
    """Test size over training size of splits that share data, for Nadeau and Bengio's correction.

    Parameters
    ----------
    experiment : mapping
        Its part of the protocol.
    paper : Paper
        Its paper.
    catalogue : mapping
        Data set -> its entry in datasets.yaml.

    Returns
    -------
    float
        0 where every split is drawn anew; where the sizes are not known, 0.5, that of thirds.
    """
    data = experiment["data"]
    if data.get("source") in GENERATORS:
        return 0.0
    split = data.get("split", {})
    if split.get("kind") == "kfold":
        return 1.0 / float(split["k"] - 1)
    train, spec = _plain(split.get("train"), paper), catalogue.get(str(data.get("source")))
    if isinstance(train, float) and 0.0 < train < 1.0:
        return (1.0 - train) / train
    if isinstance(train, int) and spec is not None and spec.shape[0] > train:
        return float(spec.shape[0] - train) / train
    return 0.5


def _copied(value: Any) -> Any:
    """A copy in which parts that YAML's anchors share are apart."""
    if isinstance(value, Mapping):
        return {key: _copied(entry) for key, entry in value.items()}
    return [_copied(entry) for entry in value] if isinstance(value, list) else value
