"""Wheel and sdist, each installed in an empty environment of every Python that is here, and used there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from data_server import registry_cache

ROOT = Path(__file__).parents[2]
VERSIONS = ["3.11", "3.12", "3.13"]
TESTS = ["selectors/test_correlation.py", "selectors/test_filters.py", "estimators/test_rfe_estimators.py"]
"""Tests of the library that need nothing but scikit-learn and pytest."""

CORE = """
import importlib.util, numpy as np, marginfs
from marginfs.selectors.backward_elimination import backward_elimination
X = np.random.default_rng(0).standard_normal((60, 30))
y = np.where(X[:, 3] - X[:, 7] > 0, "a", "b")
ranking = backward_elimination(X, y, rng=np.random.default_rng(0), C=1.0).ranking
assert set(ranking[:2]) == {3, 7}, ranking
assert importlib.util.find_spec("snakemake") is None
assert importlib.util.find_spec("sklearn") is None
try:
    marginfs.SVMRFE
except ImportError as error:
    assert "pip install" in str(error), error
else:
    raise AssertionError("an estimator without scikit-learn")
"""
ESTIMATORS = """
import numpy as np, marginfs
X = np.random.default_rng(0).standard_normal((60, 30))
y = np.where(X[:, 3] - X[:, 7] > 0, "a", "b")
for name in marginfs.__all__:
    fitted = getattr(marginfs, name)().fit(X, y)
    assert fitted.support_[[3, 7]].all(), name
"""


@pytest.fixture(scope="module")
def distributions(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    return {path.suffix: path for path in folder.iterdir()}


def run(*command: str | Path, cwd: Path) -> None:
    """A process that sees neither the checkout nor this environment."""
    clean = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run([*map(str, command)], cwd=cwd, env=clean, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.slow
def test_the_sdist_holds_the_project_and_no_leftovers(distributions):
    with tarfile.open(distributions[".gz"]) as archive:
        parts = {Path(name).parts[1] for name in archive.getnames() if len(Path(name).parts) > 1}
    assert {"Snakefile", "rules", "workflow_scripts", "lib", "config", "envs", "tests", "README.md"} <= parts
    assert not {part for part in parts if part.endswith("_cache")}


def interpreter(version: str) -> Path:
    """A Python of this version, on the path or among pyenv's; skips the test where there is none."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [shutil.which(f"python{version}"), *sorted(pyenv.glob(f"{version}.*/bin/python"))]
    for path in filter(None, found):
        if subprocess.run([path, "-c", "import venv"], capture_output=True).returncode == 0:
            return Path(path)
    pytest.skip(f"no Python {version} here")


def environment_with(distribution: Path, version: str, folder: Path) -> Path:
    """The Python of a new environment that holds the distribution and what it asks for."""
    run(interpreter(version), "-m", "venv", folder / "empty", cwd=folder)
    python = folder / "empty" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", distribution, cwd=folder)
    return python


@pytest.mark.network
@pytest.mark.parametrize("version", VERSIONS)
def test_the_wheel_works_in_an_empty_environment(version, distributions, tmp_path, tmp_path_factory):
    registry_cache(tmp_path_factory)
    run(environment_with(distributions[".whl"], version, tmp_path), "-c", CORE, cwd=tmp_path)


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.parametrize("version", VERSIONS)
def test_the_claims_behind_the_sdist_pass_in_an_empty_environment(version, distributions, tmp_path, tmp_path_factory):
    registry_cache(tmp_path_factory)
    python = environment_with(distributions[".gz"], version, tmp_path)
    run(python, "-m", "pip", "install", "--quiet", "scikit-learn", "pytest", "hypothesis", cwd=tmp_path)
    run(python, "-c", ESTIMATORS, cwd=tmp_path)
    with tarfile.open(distributions[".gz"]) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.glob("marginfs-*")
    shutil.rmtree(unpacked / "lib")
    run(python, "-m", "pytest", "-q", *(f"tests/{test}" for test in TESTS), cwd=unpacked)
