"""Documents that are made from other files are up to date, and the scripts of the gallery run."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).parents[2]
GALLERY = sorted((ROOT / "docs" / "gallery").glob("*.py"))


def test_the_api_page_is_that_of_the_docstrings():
    page = runpy.run_path(str(ROOT / "docs" / "make_api.py"))["page"]
    assert (ROOT / "docs" / "api.md").read_text() == page(), "run: python docs/make_api.py"


def test_the_readme_shows_the_benchmarks_that_were_measured():
    with_table = runpy.run_path(str(ROOT / "tests" / "benchmarks" / "readme_table.py"))["with_table"]
    measured = pd.read_csv(ROOT / "results" / "benchmarks" / "comparisons.csv")
    readme = (ROOT / "README.md").read_text()
    assert with_table(readme, measured) == readme, "run: make bench-readme"
    assert all(what in readme for what in measured["what"])


def test_the_gallery_shows_every_script():
    page = (ROOT / "docs" / "gallery" / "README.md").read_text()
    assert len(GALLERY) == 4
    for script in GALLERY:
        assert f"({script.name})" in page
        assert f"({script.stem}.png)" in page
        assert script.with_suffix(".png").stat().st_size > 10_000


@pytest.mark.slow
@pytest.mark.parametrize("script", GALLERY, ids=lambda script: script.stem)
def test_a_script_of_the_gallery_draws_its_picture(script, tmp_path):
    environment = os.environ | {"MPLBACKEND": "Agg"}
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path / "picture.png")], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "picture.png").stat().st_size > 10_000
