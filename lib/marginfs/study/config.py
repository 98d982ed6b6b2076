"""The configuration files as one typed study: what is wrong, where, and what to write instead, in one message."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from marginfs.data.catalogue import load_catalogue
from marginfs.data.generators.problems import GENERATORS
from marginfs.data.generators.simulated_sets import SIMULATED
from marginfs.data.variants import split_variant
from marginfs.errors import ConfigError
from marginfs.study.artefacts import check_artefacts
from marginfs.study.comparison_study import comparison_protocol, in_own_words
from marginfs.study.experiments import outline_of
from marginfs.study.my_selectors import OWN_KEYS, Mine, check_papers, with_mine
from marginfs.study.options import check_name
from marginfs.study.own_study import TEXT_KEYS, own_protocol, typed_entries
from marginfs.study.paper import Paper
from marginfs.study.printed_numbers import check_printed
from marginfs.study.protocol import FIDELITIES, Outline
from marginfs.study.runs import Reading, alternatives, reading_name, shared_names
from marginfs.study.schema import check_schema, default_of, read_config
from marginfs.study.study import Study, choices_of


def load_study(config: Mapping[str, Any], folder: str | Path) -> Study:
    """Read and check the whole configuration.

    Parameters
    ----------
    config : mapping
        What the user gives beside config.yaml: `--config`, `--configfile`, or a module's config.
    folder : path
        The folder with config.yaml and the other files.

    Returns
    -------
    Study
        Everything that the workflow asks; ConfigError where something is wrong.
    """
    folder = Path(folder)
    settings = {**read_config(folder / "config.yaml", "config/config.yaml"), **config}
    settings["trials"] = _numbers(settings.get("trials") or {})
    settings["own_data"] = typed_entries(settings.get("own_data"), TEXT_KEYS)
    settings["my_selectors"] = typed_entries(settings.get("my_selectors"), OWN_KEYS)
    schema = folder / "schemas" / "config.schema.yaml"
    check_schema(settings, schema, "config/config.yaml")
    if settings["mirror"] and not Path(settings["mirror"]).is_dir():
        raise ConfigError(
            f"config/config.yaml: mirror is {settings['mirror']!r}, which is no folder; write one, or null"
        )
    own_data = settings["own_data"]
    catalogue = load_catalogue(folder / "datasets.yaml")
    files = {path.stem: path for path in sorted((folder / "papers").glob("*.yaml"))}
    papers = {key: _load_paper(key, path, folder) for key, path in files.items()}
    taken = {*files, *catalogue, *GENERATORS, *SIMULATED, *_rules(folder)}
    comparisons = {path.stem: path for path in sorted((folder / "comparisons").glob("*.yaml"))}
    for key, path in comparisons.items():
        papers[key] = _comparison(key, path, folder, taken)
    for name, entry in own_data.items():
        papers[name] = _own_paper(name, entry, {*taken, *comparisons})
    mine = {name: Mine.from_config(name, entry) for name, entry in settings["my_selectors"].items()}
    check_papers(mine, papers)
    extended = {key: with_mine(paper, mine, catalogue) for key, paper in papers.items()}
    papers = {key: paper for key, (paper, _) in extended.items()}
    choices = choices_of(papers, catalogue)
    names, seed = shared_names(choices), default_of("seed", schema)
    reading = Reading(
        choices=_made(settings.get("choices") or {}, choices),
        seed=None if settings["seed"] == seed else settings["seed"],
        new=tuple(mine),
    )
    readings = {reading_name(one.changes(names)): one for one in (Reading(), *alternatives(choices), reading)}
    study = Study(
        fidelity=settings["fidelity"],
        reading=reading_name(reading.changes(names)),
        seed=seed,
        chunk_size=settings["chunk_size"],
        mirror=settings["mirror"],
        missing_data=settings["missing_data"],
        selected=_selected(settings["papers"], list(papers)),
        papers=papers,
        comparisons=tuple(comparisons),
        own_data=own_data,
        catalogue=catalogue,
        readings=readings,
        trials=_trials(settings["trials"], papers),
        placed=[place for _, places in extended.values() for place in places],
    )
    for paper in papers.values():
        try:
            _check_paper(study, paper)
        except ConfigError as error:
            raise ConfigError(in_own_words(str(error)) if paper.key in comparisons else str(error)) from None
    return study


def _made(wanted: Mapping[str, Any], choices: Mapping[str, Mapping[str, list[Any]]]) -> dict[str, dict[str, Any]]:
    """What the user asks for, as far as it is not the default anyway."""
    made: dict[str, dict[str, Any]] = {}
    for owner, asked in wanted.items():
        where = f"config/config.yaml: choices.{owner}"
        check_name(owner, choices, "config/config.yaml: choices", "paper or data set")
        for name, value in asked.items():
            check_name(name, choices[owner], where, "choice")
            allowed = choices[owner][name]
            value = _from_text(value, f"{where}.{name}") if isinstance(value, str) else value
            if not any(value == entry and isinstance(value, bool) == isinstance(entry, bool) for entry in allowed):
                raise ConfigError(f"{where}.{name} is {value!r}; write one of: {', '.join(map(_as_yaml, allowed))}")
            if value != allowed[0]:
                made.setdefault(owner, {})[name] = value
    return made


def _numbers(entry: Any) -> Any:
    """The same with numbers where `--config` has left their digits."""
    if isinstance(entry, Mapping):
        return {key: _numbers(value) for key, value in entry.items()}
    return int(entry) if isinstance(entry, str) and entry.isdecimal() else entry


def _trials(wanted: Mapping[str, Mapping[str, int]], papers: Mapping[str, Paper]) -> Mapping[str, Mapping[str, int]]:
    """Other numbers of trials; an experiment that shares the units of another one can only be left out."""
    for key, numbers in wanted.items():
        check_name(key, papers, "config/config.yaml: trials", "paper")
        experiments, where = papers[key].protocol["experiments"], f"config/config.yaml: trials.{key}"
        for name, number in numbers.items():
            check_name(name, experiments, where, "experiment")
            shared = experiments[name].get("shares", {}).get("experiment")
            if shared and number:
                raise ConfigError(f"{where}.{name}: {number}; it shares the trials of {shared}: write 0, or that one")
    return wanted


def _from_text(text: str, where: str) -> Any:
    """Inside --config, Snakemake leaves numbers and truth values as text."""
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        raise ConfigError(f"{where} is {text!r}, which is not valid YAML") from None


def _as_yaml(value: Any) -> str:
    """How `value` is written in a configuration file."""
    return json.dumps(value) if isinstance(value, bool | None) else str(value)


def _selected(wanted: str | list[str], papers: list[str]) -> list[str]:
    if wanted == "all":
        return papers
    names = [wanted] if isinstance(wanted, str) else wanted
    for name in names:
        check_name(name, papers, "config/config.yaml: papers", "paper")
    return names


def _rules(folder: Path) -> set[str]:
    """The names of the workflow's rules."""
    files = [folder.parent / "Snakefile", *folder.parent.glob("rules/*.smk")]
    texts = [file.read_text(encoding="utf-8") for file in files if file.is_file()]
    return {name for text in texts for name in re.findall(r"^rule (\w+):", text, flags=re.MULTILINE)}


def _own_paper(name: str, entry: Mapping[str, Any], taken: set[str]) -> Paper:
    where = f"config/config.yaml: own_data.{name}"
    if name in taken:
        raise ConfigError(f"{where}: a paper, a data set or a rule has this name already; choose another")
    return Paper(name, own_protocol(name, entry), claims=[], where=where)


def _comparison(key: str, path: Path, folder: Path, taken: set[str]) -> Paper:
    where = f"config/comparisons/{key}.yaml"
    if key in taken:
        raise ConfigError(f"{where}: a paper, a data set or a rule has this name already; rename the file")
    entry = read_config(path, where)
    check_schema(entry, folder / "schemas" / "comparison.schema.yaml", where)
    return Paper(key, comparison_protocol(entry), claims=[], where=where)


def _load_paper(key: str, path: Path, folder: Path) -> Paper:
    where = f"config/papers/{key}.yaml"
    protocol = read_config(path, where)
    check_schema(protocol, folder / "schemas" / "paper.schema.yaml", where)
    claims_file = folder / "claims" / f"{key}.yaml"
    claims = read_config(claims_file, f"config/claims/{key}.yaml") if claims_file.exists() else []
    check_schema(claims, folder / "schemas" / "claims.schema.yaml", f"config/claims/{key}.yaml")
    printed = folder / "published" / f"{key}.csv"
    if printed.exists():
        check_printed(printed, f"config/published/{key}.csv")
    return Paper(key, protocol, claims, where)


def _check_paper(study: Study, paper: Paper) -> None:
    """Make every experiment at every fidelity, and check what tables, figures and claims say of them."""
    known = {*GENERATORS, *SIMULATED, *study.catalogue, *study.own_data}
    outlines: dict[str, Outline] = {}
    for name in paper.protocol["experiments"]:
        made = [study.experiment(paper.key, name, fidelity) for fidelity in FIDELITIES]
        for source in (source for experiment in made for source in experiment.plan.sources()):
            check_name(split_variant(source)[0], known, f"{paper.where}: experiments.{name}.data.source", "data set")
        outlines[name] = outline_of(made)
    check_artefacts(paper.protocol, paper.claims, outlines, paper.where, f"config/claims/{paper.key}.yaml")
