"""Unit jobs import little, and a result says which commit made it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from marginfs.study import provenance
from marginfs.study.registry import EVALUATIONS, SELECTORS

MODULES = sorted({path.partition(":")[0] for path in (*SELECTORS.values(), *EVALUATIONS.values())})


@pytest.mark.parametrize("module", MODULES)
def test_unit_jobs_import_little(module):
    code = f"""
import sys
from marginfs import files
from marginfs.study import process, provenance, unit_jobs
process.start_lean()
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
