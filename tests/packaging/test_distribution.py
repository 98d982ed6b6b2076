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
PYTHONS = ["python3.11", "python3.12", "python3.13"]
TRIED = [(".whl", python) for python in PYTHONS] + [(".gz", PYTHONS[0])]

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


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.parametrize(("kind", "python"), TRIED)
def test_works_in_an_empty_environment(kind, python, distributions, tmp_path, tmp_path_factory):
    registry_cache(tmp_path_factory)
    interpreter = shutil.which(python)
    if interpreter is None or subprocess.run([interpreter, "-c", ""], capture_output=True).returncode:
        pytest.skip(f"no {python} here")
    run(interpreter, "-m", "venv", tmp_path / "empty", cwd=tmp_path)
    installed = tmp_path / "empty" / "bin" / "python"
    run(installed, "-m", "pip", "install", "--quiet", distributions[kind], cwd=tmp_path)
    run(installed, "-c", CORE, cwd=tmp_path)
    run(installed, "-m", "pip", "install", "--quiet", "scikit-learn", cwd=tmp_path)
    run(installed, "-c", ESTIMATORS, cwd=tmp_path)
