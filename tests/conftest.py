"""Shared test helpers: copies of the project to run Snakemake in."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from fault_tally import FaultTally
from marginfs.study.process import environment

os.environ.update(environment())
ROOT = Path(__file__).parents[1]
TALLY = FaultTally()
PARTS = ("Snakefile", "rules", "workflow_scripts", "config", "profiles", "envs")


class Project:
    """A copy of the workflow in a temporary folder; the library is linked, so that its kernels are compiled once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        for part in PARTS:
            source = ROOT / part
            if source.is_dir():
                shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, folder / part)
        (folder / "lib").symlink_to(ROOT / "lib")

    def run(self, *arguments: str, cores: int = 2) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "snakemake", "--cores", str(cores), *arguments]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=1800)

    def own_library(self) -> Path:
        """A copy of the library in place of the link, to be edited."""
        library = self.folder / "lib"
        library.unlink()
        return Path(shutil.copytree(ROOT / "lib", library, ignore=shutil.ignore_patterns("__pycache__")))

    def edit(self, path: str, change: Callable[[dict], object]) -> None:
        """Apply `change` to the YAML file at `path`."""
        file = self.folder / path
        content = yaml.safe_load(file.read_text())
        change(content)
        file.write_text(yaml.safe_dump(content, sort_keys=False))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The mirror folder beside the checkout, where there is one."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("no ../shared/data beside the checkout")
    return folder


@pytest.fixture(scope="session")
def tally() -> FaultTally:
    return TALLY


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if TALLY.tried:
        terminalreporter.section("faults and bad input")
        terminalreporter.write_line(TALLY.table())
