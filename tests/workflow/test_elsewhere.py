"""The workflow runs in a folder of the user's, and as a module of another workflow."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT

SETTINGS = ("--config", "fidelity=smoke", "papers=klement2010")
TABLE = Path("results", "smoke", "tables", "klement2010", "table_1.csv")
MODULE = f"""
module marginfs:
    snakefile: "{ROOT}/Snakefile"
    config: {{"fidelity": "smoke", "papers": ["klement2010"]}}

use rule * from marginfs as marginfs_*

rule mine:
    input: "{TABLE}"
    output: "mine.txt"
    shell: "wc -l < {{input}} > {{output}}"
"""


def snakemake(folder: Path, *arguments: str) -> None:
    command = [sys.executable, "-m", "snakemake", "--cores", "2", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    snakemake(ROOT, "--snakefile", str(ROOT / "Snakefile"), "--directory", str(tmp_path), str(TABLE), *SETTINGS)
    return tmp_path


def test_a_module_of_another_workflow_gives_what_a_run_elsewhere_gives(elsewhere: Path, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "Snakefile").write_text(MODULE)
    snakemake(folder, "mine")
    assert (folder / TABLE).read_bytes() == (elsewhere / TABLE).read_bytes()
    assert int((folder / "mine.txt").read_text()) > 5
