"""The faces of tayal2014 in the workflow, drawn in the layout of the images that a user supplies."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from conftest import Project
from workflow_results import jobs

RUN = Path("results", "smoke")
SETTINGS = ("--config", "fidelity=smoke", "papers=tayal2014", "mirror=mirror")
TARGETS = [
    "tables/tayal2014/table_2.csv",
    *(f"figures/tayal2014/figure_{number}.csv" for number in (3, 4, 6)),
    "evaluations/tayal2014/madelon.csv",
]


def draw_faces(folder: Path) -> None:
    """200 grey images: women have a bright pixel where men have a dark one."""
    folder.mkdir(parents=True)
    rng = np.random.default_rng(8)
    lines = ["file,gender"]
    for number in range(200):
        pixels = rng.integers(90, 160, size=(18, 15), dtype=np.uint8)
        pixels[4, 5] = 40 if number % 2 else 220
        Image.fromarray(pixels.repeat(10, axis=0).repeat(10, axis=1)).save(folder / f"{number}a.png")
        lines.append(f"{number}a.png,{'male' if number % 2 else 'female'}")
    (folder / "labels.csv").write_text("\n".join(lines) + "\n")


def rows(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> Project:
    project = Project(tmp_path_factory.mktemp("faces") / "project")
    draw_faces(project.folder / "mirror" / "fei")
    done = project.run(*(f"{RUN}/{target}" for target in TARGETS), *SETTINGS)
    assert done.returncode == 0, done.stderr
    assert jobs(done.stderr)["select"] == 8, "the rankings of table 2 are judged again, not made again"
    return project


def test_the_pixel_that_tells_the_classes_apart_is_found(finished):
    cells = rows(finished.folder / RUN / TARGETS[0])
    assert {cell["row"] for cell in cells if cell["verdict"] != "not run"} == {"SVM", "GMKL", "FULL-FS", "AO-EFS"}
    errors = {cell["row"]: float(cell["reproduced"]) for cell in cells if cell["metric"] == "test_error"}
    assert errors["AO-EFS"] < 10.0
    kept = [row for row in rows(finished.folder / RUN / TARGETS[2]) if row["panel"] == "Pixels kept"]
    told = [row["curve"] for row in kept if int(row["x"]) == 4 * 15 + 5 + 1 and float(row["y"]) == 1.0]
    assert told == ["GMKL", "FULL-FS", "AO-EFS"]


def test_faces_are_shown_as_they_are(finished):
    faces = rows(finished.folder / RUN / TARGETS[1])
    at = {row["panel"]: float(row["y"]) for row in faces if int(row["x"]) == 4 * 15 + 5 + 1}
    assert at == {"Female": 220.0, "Male": 40.0}


def test_rankings_of_another_experiment_are_drawn_beside_its_own(finished):
    curves = rows(finished.folder / RUN / TARGETS[3])
    assert {row["curve"] for row in curves} == {"GMKL", "FULL-FS", "AO-EFS", "MI", "RELIEF", "RFE"}
    other = f"results/smoke+figure_sizes={'_'.join(str(2**k) for k in range(8))}/figures/tayal2014/figure_6.csv"
    plan = finished.run("--dry-run", other, *SETTINGS)
    assert "select" not in jobs(plan.stdout), "sizes are read at paper fidelity only"
    bins = finished.run("--dry-run", "results/smoke+mi_bins=5/figures/tayal2014/figure_6.csv", *SETTINGS)
    assert jobs(bins.stdout)["select"] == 3, "only the experiment's own selectors run again"


def test_an_experiment_that_the_fidelity_leaves_out_has_a_header_only(finished):
    assert (finished.folder / RUN / TARGETS[4]).read_text() == "selector,split,metric,step,value\n"
