"""Edits of the library, and the unit jobs of the toy paper that each re-runs."""

from __future__ import annotations

from collections.abc import Callable

NEW_SELECTOR = '''"""A new selector."""

import numpy as np

from marginfs.types import Selection


def newest(X, y, *, rng):
    return Selection(ranking=np.arange(X.shape[1]))
'''


def replaced(old: str, new: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        assert old in text, old
        return text.replace(old, new, 1)

    return change


def appended(line: str) -> Callable[[str], str]:
    return lambda text: f"{text}\n\n{line}\n"


def first_docstring(text: str) -> str:
    return text.replace('"""', '"""Another word. ', 1)


EDITS = {
    "a comment in the registry": ({"study/registry.py": appended("# a comment")}, {}),
    "a comment in the data card": ({"data/card.py": appended("# a comment")}, {}),
    "a comment in a generator": ({"data/generators/linear_toy.py": appended("# a comment")}, {}),
    "the docstring of a solver": ({"solvers/qp.py": first_docstring}, {}),
    "a new selector": (
        {
            "selectors/newest.py": lambda text: NEW_SELECTOR,
            "study/registry.py": replaced(
                "SELECTORS: Mapping[str, str] = {",
                'SELECTORS: Mapping[str, str] = {\n    "newest": "marginfs.selectors.newest:newest",',
            ),
        },
        {},
    ),
    "a new generator": (
        {
            "data/generators/newest.py": lambda text: "def newest(rng, n):\n    return n\n",
            "data/generators/problems.py": replaced(
                '    "ndcc":', '    "newest": "marginfs.data.generators.newest:newest",\n    "ndcc":'
            ),
        },
        {},
    ),
    "a new evaluation": (
        {
            "evaluation/newest.py": lambda text: "def newest(selection, data):\n    return []\n",
            "study/registry.py": replaced(
                "EVALUATIONS: Mapping[str, str] = {",
                'EVALUATIONS: Mapping[str, str] = {\n    "newest": "marginfs.evaluation.newest:newest",',
            ),
        },
        {},
    ),
    "a new parser": (
        {
            "data/parsers/newest.py": lambda text: "def newest(files):\n    return files\n",
            "data/parsers/formats.py": replaced(
                '    "faces":', '    "newest": "marginfs.data.parsers.newest:newest",\n    "faces":'
            ),
        },
        {},
    ),
    "one criterion": (
        {"criteria/radius_margin.py": replaced("def value(", "EXTRA = 1\n\n\ndef value(")},
        {"select": 1, "evaluate": 1},
    ),
    "a constant that nothing uses": (
        {"criteria/machine.py": appended("EXTRA = 1")},
        {},
    ),
    "a generator": (
        {"data/generators/linear_toy.py": replaced("return Draw(", "n = n + 0\n    return Draw(")},
        {"select": 3, "evaluate": 1},
    ),
    "a generator that nothing here draws": (
        {"data/generators/nonlinear_toy.py": replaced("return Draw(", "n = n + 0\n    return Draw(")},
        {},
    ),
    "the evaluation": (
        {"evaluation/top_features.py": replaced("steps = ", "spare = 0\n    steps = ")},
        {"tune": 1, "choose": 1, "select": 1, "time": 1, "evaluate": 2},
    ),
    "the rule of ties": (
        {"study/tuning.py": replaced("DIGITS = 12", "DIGITS = 11")},
        {"choose": 1, "select": 1, "time": 1, "evaluate": 1},
    ),
}
"""What is edited in lib/marginfs -> the jobs that run again (where tuned options may change, so may all after them)."""
