"""The configuration files, validated: what is wrong, where, and what to write instead, in one message."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import jsonschema
import yaml

from marginfs.artefacts import axes_of
from marginfs.data.catalogue import DatasetSpec, load_catalogue
from marginfs.data.generators import PLANAS
from marginfs.data.load import GENERATORS
from marginfs.errors import ConfigError
from marginfs.own_study import own_protocol
from marginfs.protocol import FIDELITIES, Experiment, Plan, Selector
from marginfs.registry import EVALUATIONS, SELECTORS, check, hint


@dataclass(frozen=True)
class Paper:
    """One paper's protocol, with its choices made."""

    key: str
    protocol: Mapping[str, Any]
    claims: list[Mapping[str, Any]]
    choices: Mapping[str, Any]

    def experiment(self, name: str, fidelity: str, seed: int) -> Experiment:
        """The experiment `name` with every {smoke, quick, paper} value resolved for `fidelity`."""
        spec = _resolve(self.protocol["experiments"][name], fidelity, self.choices)
        selectors = {
            label: Selector(label, options["method"], {key: options[key] for key in options if key != "method"})
            for label, options in spec["selectors"].items()
        }
        plan = Plan(self.key, name, seed, spec["data"], spec.get("data_grid", {}), spec.get("grid", {}))
        return Experiment(plan, spec["trials"], selectors, spec["evaluation"])

    def artefacts(self, kind: str) -> list[str]:
        """The ids of the paper's "tables" or "figures"."""
        return list(self.protocol.get(kind, {}))


@dataclass(frozen=True)
class Study:
    """config.yaml and every paper's protocol."""

    fidelity: str
    seed: int
    chunk_size: int
    mirror: str | None
    missing_data: str
    selected: list[str]
    papers: Mapping[str, Paper]
    own_data: Mapping[str, Mapping[str, Any]]
    catalogue: Mapping[str, DatasetSpec]
    data_choices: Mapping[str, Mapping[str, Any]]

    def experiment(self, paper: str, name: str, fidelity: str) -> Experiment:
        return self.papers[paper].experiment(name, fidelity, self.seed)

    def data_sets(self, paper: str, name: str, fidelity: str) -> list[str]:
        """The data sets, other than simulated ones, that an experiment reads."""
        return [source for source in self.experiment(paper, name, fidelity).plan.sources() if source not in GENERATORS]


def load_study(config: Mapping[str, Any], folder: str | Path) -> Study:
    """The study that `config` (config.yaml and any `--config key=value`) and the files in `folder` describe."""
    folder = Path(folder)
    _validate(config, folder / "schemas" / "config.schema.yaml", "config/config.yaml")
    papers = {path.stem: path for path in sorted((folder / "papers").glob("*.yaml"))}
    own_data = config.get("own_data") or {}
    selected = _selected(config["papers"], [*papers, *own_data])
    catalogue = load_catalogue(folder / "datasets.yaml")
    overrides = config.get("choices") or {}
    for key in overrides:
        if key not in papers and key not in catalogue:
            known = {**papers, **catalogue}
            raise ConfigError(f"config/config.yaml: choices: no paper or data set is called '{key}'{hint(key, known)}")
    study = Study(
        fidelity=config["fidelity"],
        seed=config["seed"],
        chunk_size=config["chunk_size"],
        mirror=config["mirror"],
        missing_data=config["missing_data"],
        selected=selected,
        papers={
            **{key: _load_paper(key, path, folder, overrides.get(key, {})) for key, path in papers.items()},
            **{name: _own_paper(name, entry, {*papers, *catalogue}) for name, entry in own_data.items()},
        },
        own_data=own_data,
        catalogue=catalogue,
        data_choices={name: _data_choices(spec, overrides.get(name, {})) for name, spec in catalogue.items()},
    )
    _check_sources(study)
    return study


def _selected(wanted: str | list[str], papers: list[str]) -> list[str]:
    if wanted == "all":
        return papers
    names = [wanted] if isinstance(wanted, str) else wanted
    for name in names:
        if name not in papers:
            raise ConfigError(f"config/config.yaml: papers: no paper is called '{name}'{hint(name, papers)}")
    return names


def _own_paper(name: str, entry: Mapping[str, Any], taken: set[str]) -> Paper:
    where = f"config/config.yaml: own_data.{name}"
    if name in taken:
        raise ConfigError(f"{where}: a paper or data set has this name already; choose another")
    paper = Paper(name, own_protocol(name, entry), claims=[], choices={})
    _check_references(paper, where)
    return paper


def _load_paper(key: str, path: Path, folder: Path, overrides: Mapping[str, Any]) -> Paper:
    where = f"config/papers/{key}.yaml"
    protocol = _read(path, where)
    _validate(protocol, folder / "schemas" / "paper.schema.yaml", where)
    claims_file = folder / "claims" / f"{key}.yaml"
    claims = _read(claims_file, f"config/claims/{key}.yaml") if claims_file.exists() else []
    _validate(claims, folder / "schemas" / "claims.schema.yaml", f"config/claims/{key}.yaml")
    paper = Paper(key, protocol, claims, _make_choices(protocol.get("choices", {}), overrides, key))
    _check_references(paper, where)
    return paper


def _make_choices(choices: Mapping[str, Any], overrides: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Choice name -> value: the paper's default, or the alternative that config.yaml names."""
    made = {name: choice["value"] for name, choice in choices.items()}
    for name, value in overrides.items():
        where = f"config/config.yaml: choices.{key}"
        if name not in choices:
            raise ConfigError(f"{where}: no choice is called '{name}'{hint(name, choices)}")
        allowed = [choices[name]["value"], *choices[name]["alternatives"]]
        if isinstance(value, str):
            value = yaml.safe_load(value)  # inside --config, Snakemake leaves numbers and truth values as text
        if value not in allowed:
            raise ConfigError(f"{where}.{name} is {value!r}; write one of: {', '.join(map(_as_yaml, allowed))}")
        made[name] = value
    return made


def _data_choices(spec: DatasetSpec, overrides: Mapping[str, Any]) -> dict[str, Any]:
    choices = {
        name: {"value": choice.value, "alternatives": choice.alternatives} for name, choice in spec.choices.items()
    }
    return _make_choices(choices, overrides, spec.name)


def _check_sources(study: Study) -> None:
    """Every experiment's data must be simulated here or stand in config/datasets.yaml."""
    known = {*GENERATORS, *PLANAS, *study.catalogue, *study.own_data}
    for paper in study.papers.values():
        for name in paper.protocol["experiments"]:
            for source in study.experiment(paper.key, name, "paper").plan.sources():
                if source not in known:
                    where = f"config/papers/{paper.key}.yaml: experiments.{name}.data.source"
                    raise ConfigError(f"{where}: no data set is called '{source}'{hint(str(source), known)}")


def _check_references(paper: Paper, where: str) -> None:
    """Names inside a protocol must exist: selectors, evaluations, experiments, and the keys that tables go by."""
    experiments = paper.protocol["experiments"]
    for name, spec in experiments.items():
        for label, method in spec["selectors"].items():
            check(SELECTORS, "selector", method["method"], f"{where}: experiments.{name}.selectors.{label}.method")
        check(EVALUATIONS, "evaluation", spec["evaluation"]["method"], f"{where}: experiments.{name}.evaluation.method")
    for kind in ("tables", "figures"):
        for number, spec in paper.protocol.get(kind, {}).items():
            for name, axis, by in axes_of(spec):
                _check_experiment(name, experiments, f"{where}: {kind}.{number}.experiment")
                keys = _axis_keys(experiments[name])
                if by not in keys:
                    raise ConfigError(f"{where}: {kind}.{number}.{axis}.by: nothing is called '{by}'{hint(by, keys)}")
    for claim in paper.claims:
        _check_experiment(claim["experiment"], experiments, f"config/claims/{paper.key}.yaml: {claim['id']}.experiment")


def _check_experiment(name: str, experiments: Mapping[str, Any], where: str) -> None:
    if name not in experiments:
        raise ConfigError(f"{where}: no experiment is called '{name}'{hint(name, experiments)}")


def _axis_keys(experiment: Mapping[str, Any]) -> set[str]:
    return {"experiment", "selector", "step", *experiment.get("data_grid", {}), *experiment.get("grid", {})}


def _resolve(value: Any, fidelity: str, choices: Mapping[str, Any]) -> Any:
    """`value` with {choice: name} replaced by what was chosen, and {smoke, quick, paper} by the fidelity's entry."""
    if isinstance(value, dict):
        if set(value) == {"choice"}:
            return choices[value["choice"]]
        if value and set(value) <= set(FIDELITIES):
            return _resolve(value[fidelity], fidelity, choices)
        return {key: _resolve(entry, fidelity, choices) for key, entry in value.items()}
    if isinstance(value, list):
        return [_resolve(entry, fidelity, choices) for entry in value]
    return value


def _as_yaml(value: Any) -> str:
    """How `value` is written in a configuration file."""
    return json.dumps(value) if isinstance(value, bool | None) else str(value)


def _read(path: Path, where: str) -> Any:
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        raise ConfigError(f"{where}{line}: not valid YAML: {getattr(error, 'problem', error)}") from None


def _validate(value: Any, schema_path: Path, where: str) -> None:
    schema = yaml.safe_load(schema_path.read_text(encoding="utf-8"))
    errors = jsonschema.Draft202012Validator(schema).iter_errors(value)
    error = jsonschema.exceptions.best_match(errors)
    if error is not None:
        raise ConfigError(f"{where}: {_explain(error)}")


def _explain(error: jsonschema.ValidationError) -> str:
    """One sentence for one schema violation: the key, what stands there, what to write."""
    key = ".".join(map(str, error.absolute_path))
    found = f"{key or 'the file'} is {error.instance!r}"
    if error.validator == "additionalProperties" and isinstance(error.instance, dict):
        known = set(cast(dict[str, Any], error.schema).get("properties", {}))
        unknown = next(name for name in error.instance if name not in known)
        return f"unknown key '{f'{key}.' if key else ''}{unknown}'{hint(str(unknown), known)}"
    if error.validator == "required":
        missing = error.message.split("'")[1]
        return f"the key '{f'{key}.' if key else ''}{missing}' is missing"
    if error.validator == "enum":
        return f"{found}; write one of: {', '.join(map(str, cast(list[Any], error.validator_value)))}"
    if error.validator == "minimum":
        return f"{found}; write a number of at least {error.validator_value}"
    if error.validator == "type":
        return f"{found}; write a value of type {error.validator_value}"
    return f"{found}: {error.message}"
