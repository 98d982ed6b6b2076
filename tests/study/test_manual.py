"""config/README.md names every key, and its examples are accepted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from marginfs.data.generators.problems import GENERATORS
from marginfs.data.load import KINDS
from marginfs.data.normalise import STEPS
from marginfs.data.preparation.prepare import OPTIONS
from marginfs.study.experiments import COMMON, DRAWN, experiment_from
from marginfs.study.figure_specs import DRAWERS

CONFIG = Path(__file__).parents[2] / "config"
MANUAL = (CONFIG / "README.md").read_text()
NAMED = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`\n]+)`", MANUAL))))


def keys(schema: object) -> Iterator[str]:
    """Every property of a schema, at any depth."""
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict):
            yield from schema["properties"]
        for part in schema.values():
            yield from keys(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from keys(part)


@pytest.mark.parametrize("schema", sorted((CONFIG / "schemas").glob("*.yaml")), ids=lambda path: path.name)
def test_every_key_of_the_schemas(schema):
    assert set(keys(yaml.safe_load(schema.read_text()))) - NAMED == set()


@pytest.mark.parametrize("table", [GENERATORS, KINDS, STEPS, OPTIONS, COMMON, DRAWN, DRAWERS])
def test_every_name_that_a_protocol_can_use(table):
    assert set(table) - NAMED == set()


def test_the_example_of_tuning():
    (text,) = re.findall(r"```yaml\n(selectors:.*?)```", MANUAL, flags=re.DOTALL)
    data = {"source": "linear_toy", "train": 50, "total": 100}
    spec = {"trials": 1, "data": data, **yaml.safe_load(text)}
    made = experiment_from(spec, paper="p", name="e", seed=1, fidelity="paper", choices={}, where="here")
    tuning = made.selectors["rfe"].tuning
    assert (tuning.sweep, tuning.trials, tuning.ties) == ("C", 20, {"C": "smallest", "sigma": "largest"})
