"""Write docs/api.md from the docstrings of the exported estimators: python docs/make_api.py."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import marginfs

TARGET = Path(__file__).with_name("api.md")
INTRODUCTION = """# API

Made from docstrings by `python docs/make_api.py`; a test keeps it up to date. Every estimator has `fit`, `transform`,
`fit_transform`, `get_support`, `get_feature_names_out`, `set_output`, `get_params` and `set_params` as scikit-learn
defines them; classifiers have `predict`, `decision_function` and `score` as well. The functions under them are in
[architecture.md](architecture.md#rooms-of-libmarginfs).
"""


def page() -> str:
    """The whole page."""
    estimators = [getattr(marginfs, name) for name in marginfs.__all__]
    rows = [f"| [`{one.__name__}`](#{one.__name__.lower()}) | {_summary(one)} |" for one in estimators]
    table = "\n".join(["| estimator | what it does |", "|---|---|", *rows])
    return "\n".join([INTRODUCTION, table, *map(_section, estimators)]) + "\n"


def _summary(estimator: type) -> str:
    return (inspect.getdoc(estimator) or "").splitlines()[0]


def _section(estimator: type) -> str:
    """One estimator: numpydoc's sections as headings, its formulas as mathematics, its examples as code."""
    parts = [f"\n## {estimator.__name__}", _signature(estimator)]
    for block in re.split(r"\n(?=[A-Z][A-Za-z]+\n-+\n)", inspect.getdoc(estimator) or ""):
        heading = re.match(r"([A-Z][A-Za-z]+)\n-+\n", block)
        if not heading:
            parts.append(_prose(block))
        elif heading[1] in ("Parameters", "Attributes"):
            parts.append(f"### {heading[1]}\n\n{_definitions(block[heading.end() :])}")
        elif heading[1] == "Examples":
            parts.append(f"### Example\n\n{_example(block[heading.end() :])}")
        else:
            parts.append(f"### {heading[1]}\n\n{block[heading.end() :].strip()}")
    return "\n\n".join(parts)


def _signature(estimator: type) -> str:
    parameters = inspect.signature(estimator).parameters.values()
    shown = [f"{p.name}={p.default!r}" for p in parameters]
    return f"```text\n{estimator.__name__}({', '.join(shown)})\n```"


def _prose(text: str) -> str:
    """Text, in which `.. math::` blocks and roles become GitHub's mathematics."""
    text = re.sub(
        r"\.\. math:: ((?:.|\n)*?)(?=\n\n|\Z)", lambda found: "```math\n" + " ".join(found[1].split()) + "\n```", text
    )
    return re.sub(r":math:`([^`]*)`", r"$\1$", text).strip()


def _definitions(text: str) -> str:
    rows = []
    for found in re.finditer(r"^(\S.*?) : (.*)\n((?:    .*\n?|\n)*)", text, flags=re.MULTILINE):
        meaning = _prose(" ".join(found[3].split())).replace("|", "\\|")
        kind = found[2].replace("|", "\\|")
        rows.append(f"| `{found[1]}` | {kind} | {meaning} |")
    return "\n".join(["| name | type | meaning |", "|---|---|---|", *rows])


def _example(text: str) -> str:
    """Prose as it is, sessions as code."""
    blocks = re.split(r"\n\n", text.strip())
    return "\n\n".join(f"```python\n{b}\n```" if b.startswith(">>>") else b for b in blocks)


if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8")
