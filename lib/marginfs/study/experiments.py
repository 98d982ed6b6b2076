"""Experiments of a protocol as typed objects, checked when they are made, so that no job meets a wrong option."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from marginfs.data.generators.problems import GENERATORS
from marginfs.data.load import KINDS
from marginfs.data.normalise import STEPS
from marginfs.errors import ConfigError
from marginfs.evaluation.declared import metrics_of
from marginfs.lookup import look_up
from marginfs.study.options import Option, check_name, check_options, check_value, describe, options_of
from marginfs.study.protocol import (
    Evaluation,
    Experiment,
    Grid,
    Outline,
    Plan,
    Resources,
    Selector,
    Timing,
    Tuning,
)
from marginfs.study.registry import EVALUATIONS, SELECTORS, path_of
from marginfs.study.resolve import resolve
from marginfs.types import AtLeast

Spec = Mapping[str, Any]

COMMON = {
    "source": Option("source", str, False),
    "normalise": Option("normalise", list[str], False),
    "validation": Option("validation", Annotated[float, AtLeast(0)], False),
}
"""What the data of every experiment may say."""
DRAWN = {
    "train": Option("train", Annotated[int, AtLeast(2)], True),
    "total": Option("total", Annotated[int, AtLeast(2)], True),
    "separable": Option("separable", bool, False),
    "training_labels": Option("training_labels", Literal["random", "balanced"], False),
}
"""What the data of a generator may say beside the generator's own options."""
NOT_METHOD_OPTIONS = ("method", "tune", "sweep")


def experiment_from(
    spec: Spec, *, paper: str, name: str, seed: int, fidelity: str, choices: Mapping[str, Any], where: str
) -> Experiment:
    """Make an experiment from its part of a protocol.

    Parameters
    ----------
    spec : mapping
        The part, as YAML gives it.
    paper, name : str
        The paper's key and the experiment's name.
    seed : int
        The master seed.
    fidelity : str
        One of FIDELITIES.
    choices : mapping
        Choice -> its value.
    where : str
        The key that holds the part, for messages.

    Returns
    -------
    Experiment
        What the jobs run; ConfigError for whatever they could not.
    """
    spec = resolve(spec, fidelity, choices, where)
    grid, data_grid = (_grid(spec.get(key, {}), f"{where}.{key}") for key in ("grid", "data_grid"))
    _check_data(spec["data"], data_grid, where)
    tuning = spec.get("tuning", {})
    judged = _grid(spec["evaluation"].get("tune", {}), f"{where}.evaluation.tune")
    selectors = {
        label: _selector(label, entry, grid, tuning, judged, f"{where}.selectors.{label}")
        for label, entry in spec["selectors"].items()
    }
    evaluation = _evaluation(spec["evaluation"], grid, selectors, f"{where}.evaluation")
    _check_tuning(tuning, selectors, evaluation, {**spec["data"], **data_grid}, f"{where}.tuning")
    timing = spec.get("timing")
    return Experiment(
        plan=Plan(paper, name, seed, spec["data"], data_grid, grid),
        trials=spec["trials"],
        selectors=selectors,
        evaluation=evaluation,
        resources=Resources(**spec.get("resources", {})),
        timing=Timing(**timing) if timing else None,
    )


def sharing_experiment(
    spec: Spec, base: Experiment, *, fidelity: str, choices: Mapping[str, Any], where: str
) -> Experiment:
    """Make an experiment that goes on with selections of another.

    Parameters
    ----------
    spec : mapping
        Its part of the protocol, as YAML gives it: `shares`, selectors of its own and the evaluation of all.
    base : Experiment
        The other experiment, whose units are those of this one.
    fidelity : str
        One of FIDELITIES.
    choices : mapping
        Choice -> its value.
    where : str
        The key that holds the part, for messages.

    Returns
    -------
    Experiment
        What the jobs run; ConfigError for whatever they could not.
    """
    spec = resolve(spec, fidelity, choices, where)
    name, shared = spec["shares"]["experiment"], spec["shares"]["selectors"]
    for key in ("trials", "data", "data_grid", "grid", "tuning", "timing", "resources"):
        if key in spec:
            raise ConfigError(f"{where}.{key}: the units are those of the experiment {name}; remove the key")
    for label in shared:
        check_name(label, base.selectors, f"{where}.shares.selectors", f"selector of {name}")
        if label in spec.get("selectors", {}):
            raise ConfigError(f"{where}.selectors.{label}: the experiment {name} shares one of this name; rename it")
    own = {
        label: _selector(label, entry, base.plan.grid, {}, {}, f"{where}.selectors.{label}")
        for label, entry in spec.get("selectors", {}).items()
    }
    selectors = {**{label: base.selectors[label] for label in shared}, **own}
    evaluation = _evaluation(spec["evaluation"], base.plan.grid, selectors, f"{where}.evaluation")
    return replace(base, selectors=selectors, evaluation=evaluation, timing=None, shared=dict.fromkeys(shared, name))


def outline_of(experiments: Iterable[Experiment]) -> Outline:
    """Say what tables, figures and claims can refer to.

    Parameters
    ----------
    experiments : iterable of Experiment
        The same experiment at every fidelity.

    Returns
    -------
    Outline
        Selectors, keys with their values, and metrics at any fidelity.
    """
    selectors: dict[str, None] = {}
    keys: dict[str, dict[str, Any]] = {}
    metrics: set[str] = set()
    for experiment in experiments:
        selectors.update(dict.fromkeys(experiment.selectors))
        for grid in (experiment.plan.data_grid, experiment.plan.grid):
            for key, values in grid.items():
                keys.setdefault(key, {}).update({str(value): value for value in values})
        metrics |= _metrics(experiment.evaluation)
        tuned = [selector.tuning for selector in experiment.selectors.values() if selector.tuning]
        metrics |= {f"tuned_{option}" for tuning in tuned for option in tuning.chosen}
        metrics |= {"cpu_seconds"} if experiment.timing else set()
    return Outline(tuple(selectors), {key: tuple(values.values()) for key, values in keys.items()}, frozenset(metrics))


def _metrics(evaluation: Evaluation) -> frozenset[str]:
    return metrics_of(look_up(evaluation.method), evaluation.options)


def _grid(grid: Any, where: str) -> Grid:
    _check_keys(grid, where)
    for key, values in grid.items():
        if not isinstance(values, list) or not values:
            raise ConfigError(f"{where}.{key} is {values!r}; write a list with at least one value")
    return dict(grid)


def _check_keys(value: Any, where: str) -> None:
    """What a choice or a fidelity's entry puts in place of a mapping must be one, which the schema cannot tell."""
    if not isinstance(value, Mapping):
        raise ConfigError(f"{where} is {value!r}; write {describe(dict)}")


def _check_data(data: Spec, data_grid: Grid, where: str) -> None:
    """Every option of the data must be one that its source has, with values of the right kind."""
    _check_keys(data, f"{where}.data")
    sources = data_grid.get("source", [data.get("source")])
    for source in sources:
        if isinstance(source, list | dict):
            raise ConfigError(f"{where}.data.source is {source!r}; write the name of a data set or of a generator")
        known = {**COMMON, **(_generator_options(source) if source in GENERATORS else _split_options(data))}
        at = f"{where}.data"
        check_options(known, {key: value for key, value in data.items() if key != "split"}, at, varied=data_grid)
        for key, values in data_grid.items():
            check_name(key, known, f"{where}.data_grid.{key}", "option of the data")
            for value in values:
                check_value(known[key], value, f"{where}.data_grid.{key}")
        if source not in GENERATORS:
            _check_split(data.get("split"), f"{at}.split")
    trained = [value for value in (*data_grid.get("train", ()), data.get("train")) if isinstance(value, int)]
    if isinstance(data.get("total"), int) and trained and max(trained) > data["total"]:
        raise ConfigError(f"{where}.data.total is {data['total']}; write at least the {max(trained)} training points")
    for step in data.get("normalise", ()):
        check_name(step, STEPS, f"{where}.data.normalise", "step")


def _generator_options(source: str) -> dict[str, Option]:
    own = options_of(look_up(GENERATORS[source]))
    if "labels" in own:
        return {**DRAWN, **{name: option for name, option in own.items() if name != "labels"}}
    return {"train": DRAWN["train"], "total": DRAWN["total"], **own}


def _split_options(data: Spec) -> dict[str, Option]:
    return {"split": Option("split", dict[str, Any], "split" not in data)}


def _check_split(split: Any, where: str) -> None:
    if not isinstance(split, Mapping) or "kind" not in split:
        raise ConfigError(f"{where} is {split!r}; write {{kind: <{' | '.join(KINDS)}>, ...}}")
    check_name(split["kind"], KINDS, f"{where}.kind", "kind of split")
    options = {key: value for key, value in split.items() if key != "kind"}
    check_options(options_of(look_up(KINDS[split["kind"]])), options, where)
    for part in ("train", "subset"):
        if options.get(part, 1) <= 0:
            raise ConfigError(f"{where}.{part} is {options[part]!r}; write a share below 1 or a number of rows")


def _selector(label: str, entry: Spec, grid: Grid, tuning: Spec, judged: Grid, where: str) -> Selector:
    path = path_of(entry["method"], SELECTORS, f"{where}.method", "selector")
    known = options_of(look_up(path))
    options = {key: value for key, value in entry.items() if key not in NOT_METHOD_OPTIONS}
    tried = _grid(entry.get("tune", {}), f"{where}.tune")
    check_options(known, options, where, varied=[*grid, *tried])
    for place, varied in (("grid", grid), ("tune", tried)):
        for key, values in varied.items():
            at = f"{where}.tune.{key}" if place == "tune" else f"{where.partition('.selectors.')[0]}.grid.{key}"
            check_name(key, known, at, f"option of {entry['method']}")
            for value in values:
                check_value(known[key], value, at)
    if "sweep" in entry:
        check_name(entry["sweep"], tried, f"{where}.sweep", "option to tune")
    is_tuned = tried or judged or tuning.get("size")
    return Selector(label, path, options, _tuning(entry, tried, judged, tuning, where) if is_tuned else None)


def _tuning(entry: Spec, tried: Grid, judged: Grid, tuning: Spec, where: str) -> Tuning:
    if not tuning:
        raise ConfigError(f"{where}.tune: the experiment has no key 'tuning'; write tuning: {{folds: 10}} there")
    alone = {key: values for key, values in judged.items() if key not in tried}
    ties = tuning.get("ties", {})
    return Tuning(
        grid=tried,
        sweep=entry.get("sweep"),
        folds=tuning.get("folds"),
        metric=tuning.get("metric", "test_error"),
        goal=tuning.get("goal", "min"),
        ties={key: side for key, side in ties.items() if key in {*tried, *alone}},
        judged=alone,
        size=tuning.get("size"),
    )


def _check_tuning(
    tuning: Spec, selectors: Mapping[str, Selector], evaluation: Evaluation, data: Spec, where: str
) -> None:
    """What the experiment says about tuning must be about options that are tuned, and leave data to try them on."""
    tuned = {option for selector in selectors.values() if selector.tuning for option in selector.tuning.chosen}
    if not tuned:
        if tuning:
            raise ConfigError(f"{where}: no selector has a key 'tune'; name the options to try there")
        return
    check_name(tuning.get("metric", "test_error"), _metrics(evaluation), f"{where}.metric", "metric")
    for option in tuning.get("ties", ()):
        check_name(option, tuned, f"{where}.ties", "option to tune")
    if "folds" not in tuning and not data.get("validation"):
        raise ConfigError(f"{where}: nothing to try the options on; write folds: 10, or data.validation")


def _evaluation(entry: Spec, grid: Grid, selectors: Mapping[str, Selector], where: str) -> Evaluation:
    path = path_of(entry["method"], EVALUATIONS, f"{where}.method", "evaluation")
    options = {key: value for key, value in entry.items() if key not in ("method", "follows", "tune")}
    follows = [*entry.get("follows", []), *entry.get("tune", {})]
    for selector in selectors.values():
        varied = {*grid, *(selector.tuning.chosen if selector.tuning else ())}
        for key in follows:
            check_name(key, varied, f"{where}.follows", f"varied option of the selector {selector.name}")
    known = options_of(look_up(path))
    check_options(known, options, where, varied=follows)
    for key, values in entry.get("tune", {}).items():
        check_name(key, known, f"{where}.tune.{key}", f"option of {entry['method']}")
        for value in values:
            check_value(known[key], value, f"{where}.tune.{key}")
    return Evaluation(path, options, tuple(follows))
