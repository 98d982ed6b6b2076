"""The hash of a job's source: it follows names, and neither comments nor anything that the job cannot reach."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginfs.study import reach

FILES = {
    "__init__.py": "",
    "main.py": """
from marginfs import parts
from marginfs.parts import tool
from marginfs.tables import METHODS


def job(x: parts.Kind) -> int:
    \"\"\"What it does.\"\"\"
    return tool(x) + parts.other(x)


def unrelated():
    return 1


def local():
    from marginfs.far import away

    return away()
""",
    "parts.py": """
SCALE, SHIFT = 2, 3


class Kind:
    pass


def tool(x):
    return SCALE * x


def other(x):
    return _inner(x)


def _inner(x):
    return -x


def unused(x):
    return x
""",
    "tables.py": """
METHODS = {"a": "marginfs.main"}


def find(name):
    return METHODS[name]
""",
    "far.py": "print('loaded')\n\n\ndef away():\n    return 5\n",
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A small package in place of marginfs; calling it with edits writes them and forgets what was read."""
    folder = tmp_path / "marginfs"
    folder.mkdir()

    def write(**edits: str) -> None:
        for name, text in {**FILES, **{f"{module}.py": text for module, text in edits.items()}}.items():
            (folder / name).write_text(text)
        for cached in (reach._hash, reach._module, reach._text, reach._uses):
            cached.cache_clear()

    monkeypatch.setattr(reach, "PACKAGE", folder)
    write()
    yield write
    for cached in (reach._hash, reach._module, reach._text, reach._uses):
        cached.cache_clear()


def edited(module: str, old: str, new: str) -> dict[str, str]:
    text = FILES[f"{module}.py"]
    assert old in text
    return {module: text.replace(old, new)}


def test_what_a_function_reaches(package):
    assert {(m, n) for m, n in reach.reached(["marginfs.main:job"]) if n} == {
        ("marginfs.main", "job"),
        ("marginfs.parts", "tool"),
        ("marginfs.parts", "SCALE"),
        ("marginfs.parts", "other"),
        ("marginfs.parts", "_inner"),
    }


@pytest.mark.parametrize(
    ("entry", "edit", "changes"),
    [
        ("marginfs.main:job", edited("parts", "return -x", "return x"), True),
        ("marginfs.main:job", edited("parts", "SCALE, SHIFT = 2, 3", "SCALE, SHIFT = 4, 3"), True),
        ("marginfs.main:job", edited("parts", "return x", "return 2 * x"), False),
        ("marginfs.main:job", edited("main", "return 1", "return 2"), False),
        ("marginfs.main:job", edited("main", "What it does.", "Something."), False),
        ("marginfs.main:job", edited("main", "x: parts.Kind", "x: object"), False),
        ("marginfs.main:job", edited("parts", "return -x", "return -x  # minus"), False),
        ("marginfs.main:job", edited("parts", "def tool(x)", "@guarded\ndef tool(x)"), False),
        ("marginfs.main:job", edited("parts", "def tool(x)", "@other\ndef tool(x)"), True),
        ("marginfs.main:local", edited("far", "return 5", "return 6"), True),
        ("marginfs.main:local", edited("far", "loaded", "here"), True),
        ("marginfs.tables:find", edited("tables", '"a": "marginfs.main"', '"b": "marginfs.parts"'), False),
        ("marginfs.tables:find", edited("tables", "METHODS[name]", "METHODS.get(name)"), True),
        ("marginfs.parts", edited("parts", "def unused", "def unneeded"), True),
    ],
)
def test_which_edits_change_the_hash(package, entry, edit, changes):
    before = reach.source_hash([entry])
    package(**edit)
    assert (reach.source_hash([entry]) != before) == changes


def test_an_entry_that_does_not_exist_is_an_error(package):
    with pytest.raises(KeyError, match="no such module or definition"):
        reach.source_hash(["marginfs.main:jobs"])


def test_real_jobs_reach_their_solver_and_nothing_of_other_methods():
    modules = {module for module, _ in reach.reached(["marginfs.selectors.zero_norm:sfm"])}
    assert "marginfs.solvers.lp" in modules
    assert not {module for module in modules if module.startswith(("marginfs.criteria", "marginfs.study"))}
