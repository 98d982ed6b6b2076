"""Choices, and what their alternatives give."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from marginfs.results.report.sections import ChoiceSection
from marginfs.study.runs import reading_name


def choice_sections(
    paper: str, choices: Mapping[str, Any], reading: Mapping[str, Any], readings: Path
) -> tuple[ChoiceSection, ...]:
    """Describe the choices of a paper.

    Parameters
    ----------
    paper : str
        The paper's key.
    choices : mapping
        The choices of its protocol.
    reading : mapping
        What this run reads otherwise than by default.
    readings : Path
        The comparison of readings that `snakemake readings` writes.

    Returns
    -------
    tuple of ChoiceSection
        With what each alternative changes, where that was run, else the command that runs it.
    """
    found = pd.read_csv(readings).set_index("reading") if readings.exists() else None
    sections = []
    for name, choice in choices.items():
        names = [name, f"{paper}.{name}"]
        taken = [reading[key] for key in names if key in reading]
        alternatives = [choice["value"], *choice["alternatives"]] if taken else choice["alternatives"]
        rows = []
        for value in alternatives:
            if value not in taken:
                runs = [reading_name({key: value}) for key in names]
                rows.append((shown(value), _effect(runs, found) or _command(paper, name, value)))
        value = taken[0] if taken else choice["value"]
        sections.append(ChoiceSection(name, shown(value), choice["reason"], bool(taken), tuple(rows)))
    return tuple(sections)


def shown(value: Any) -> str:
    """Write a value as a protocol has it.

    Parameters
    ----------
    value : Any
        A value of a choice.

    Returns
    -------
    str
        As YAML writes it on one line.
    """
    return value if isinstance(value, str) else json.dumps(value)


def _effect(runs: list[str], found: pd.DataFrame | None) -> str:
    for run in runs:
        if found is not None and run in found.index:
            line = found.loc[run]
            return f"changes {line['changed']} of {line['cells']} verdicts; {line['differs']} numbers differ"
    return ""


def _command(paper: str, name: str, value: Any) -> str:
    return f"`snakemake --cores 8 --config 'choices={{{paper}: {{{name}: {shown(value)}}}}}' {paper}`"
