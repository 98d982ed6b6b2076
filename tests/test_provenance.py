"""Source hashes follow imports, and unit jobs import little."""

from __future__ import annotations

import subprocess
import sys

import pytest

from marginfs import provenance
from marginfs.registry import EVALUATIONS, SELECTORS


@pytest.fixture
def sources(monkeypatch):
    """Three modules of a package: a imports b, c stands alone."""
    texts = {
        "marginfs.a": "import numpy\nfrom marginfs import b\n",
        "marginfs.b": "X = 1\n",
        "marginfs.c": "Y = 1\n",
        "marginfs": "",
    }
    for function in (provenance._source, provenance._imports):
        function.cache_clear()
    monkeypatch.setattr(provenance, "_source", lambda name: texts[name])
    monkeypatch.setattr(provenance, "_path", lambda name: name in texts or None)
    yield texts
    provenance._imports.cache_clear()


def test_hash_changes_with_an_imported_module_and_not_with_another(sources):
    before = provenance.source_hash(["marginfs.a"])
    sources["marginfs.c"] = "Y = 2\n"
    assert provenance.source_hash(["marginfs.a"]) == before
    sources["marginfs.b"] = "X = 2\n"
    assert provenance.source_hash(["marginfs.a"]) != before


def test_hash_of_real_modules_reaches_the_solver_and_not_the_figures():
    seen = set()
    pending = ["marginfs.engine", SELECTORS["sfm"]]
    while pending:
        name = pending.pop()
        if name not in seen:
            seen.add(name)
            pending += provenance._imports(name)
    assert "marginfs.solvers.lp" in seen
    assert "marginfs.data.generators" in seen
    assert "marginfs.figures" not in seen


@pytest.mark.parametrize("module", sorted({*SELECTORS.values(), *EVALUATIONS.values(), "marginfs.engine"}))
def test_unit_jobs_import_little(module):
    code = f"""
import sys
from marginfs import engine, files, job, provenance
job.start_lean()
import {module}
print(*(name for name, module in sys.modules.items() if module))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"sklearn", "pandas", "scipy", "yaml", "matplotlib", "jsonschema"}
    assert heavy & set(done.stdout.split()) == set()


def test_commit_is_marked_where_the_source_changed_and_not_where_results_did(tmp_path):
    def git(*arguments: str) -> None:
        identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", "-C", str(tmp_path), *identity, *arguments], check=True, capture_output=True)

    scripts = tmp_path / "scripts"
    scripts.mkdir()
    assert provenance.commit(scripts) == "unknown"
    git("init")
    for name in ("results/reference.csv", "source.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("1\n")
    git("add", ".")
    git("commit", "-m", "first")
    clean = provenance.commit(scripts)
    (tmp_path / "results" / "reference.csv").write_text("2\n")
    assert provenance.commit(scripts) == clean
    (tmp_path / "source.py").write_text("2\n")
    assert provenance.commit(scripts) == f"{clean}-dirty"
