"""Damaged files in a finished run: the same command repairs them, and no result is ever made from one."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Project
from damages import DAMAGES
from workflow_results import results

SMOKE = ("--config", "fidelity=smoke", "papers=klement2010")
RUN = Path("results", "smoke")
KINDS = (
    "selections/klement2010/toy/sfm/0-6.jsonl",
    "selections/klement2010/toy/sfm/0-6.provenance.json",
    "measures/klement2010/toy/0-6.csv",
    "measures/klement2010/toy/0-6.provenance.json",
    "evaluations/klement2010/toy.csv",
    "evaluations/klement2010/toy.provenance.json",
    "tables/klement2010/table_1.csv",
    "tables/klement2010/table_1.md",
    "figures/klement2010/figure_1.csv",
    "figures/klement2010/figure_1.png",
    "claims/klement2010.csv",
    "provenance/klement2010.json",
)


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> tuple[Project, dict[str, bytes]]:
    project = Project(tmp_path_factory.mktemp("damage") / "project")
    done = project.run(*SMOKE)
    assert done.returncode == 0, done.stderr
    return project, results(project)


def remove_results_of(project: Project, name: str) -> None:
    """Remove everything that is made from a file, so that the next run has to read it."""
    stages = ("selections", "measures", "evaluations", "tables")
    stage = name.partition("/")[0]
    later = stages[stages.index(stage) + 1 :] if stage in stages else ()
    for folder in later:
        for path in (project.folder / RUN / folder).rglob("*"):
            if path.is_file() and not path.name.startswith("."):
                path.unlink()


def repaired(project: Project, wanted: dict[str, bytes]) -> list[str]:
    """What two runs of the same command say; after the second, everything is as it was."""
    runs = [project.run(*SMOKE)]
    if runs[0].returncode:
        runs.append(project.run(*SMOKE))
    assert runs[-1].returncode == 0, runs[-1].stderr
    assert results(project) == wanted
    output = [run.stdout + run.stderr for run in runs]
    assert not any("Traceback" in text for text in output)
    return output


def test_a_damaged_file_that_is_read_again_is_made_again(finished):
    project, wanted = finished
    name = "measures/klement2010/toy/0-6.csv"
    DAMAGES["cut in half"](project.folder / RUN / name)
    remove_results_of(project, name)
    [output] = repaired(project, wanted)
    assert f"results/smoke/{name} was damaged and is removed" in output


def test_damage_that_left_the_time_of_the_file_is_named_by_the_job_that_reads_it(finished):
    project, wanted = finished
    name = "selections/klement2010/toy/sfm/0-6.jsonl"
    DAMAGES["one bit, time kept"](project.folder / RUN / name)
    remove_results_of(project, name)
    first, second = repaired(project, wanted)
    assert f"results/smoke/{name} is damaged" in first
    assert f"results/smoke/{name} was damaged and is removed" in second


def test_verify_lists_what_is_damaged_and_the_same_command_brings_it_back(finished):
    project, wanted = finished
    table = RUN / "tables" / "klement2010" / "table_1.csv"
    DAMAGES["one bit, time kept"](project.folder / table)
    found = project.run("verify")
    assert found.returncode != 0
    assert f"{table} is damaged" in found.stderr
    assert "Traceback" not in found.stderr
    repaired(project, wanted)
    again = project.run("verify")
    assert again.returncode == 0
    assert "files under results/ are as their jobs wrote them" in again.stdout + again.stderr


@pytest.mark.slow
@pytest.mark.parametrize("kind", DAMAGES)
def test_every_damage_to_every_kind_of_file(finished, kind, tally):
    project, wanted = finished
    for name in KINDS:
        DAMAGES[kind](project.folder / RUN / name)
    for name in KINDS:
        remove_results_of(project, name)
    for _ in range(len(KINDS)):
        done = project.run(*SMOKE)
        assert "Traceback" not in done.stdout + done.stderr
        if done.returncode == 0:
            break
    assert done.returncode == 0, done.stderr
    assert results(project) == wanted
    tally["damaged files found and repaired"] += len(KINDS)
    tally["kinds of damage"] += 1
