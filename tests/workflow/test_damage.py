"""Damaged files in a finished run: the same command repairs them, and no result is ever made from one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import Project
from damages import DAMAGES
from marginfs.seals import sealed_files
from toy_project import HERE, TOY, add_toy_paper
from workflow_results import results

SMOKE = ("--config", "fidelity=smoke", "papers=klement2010")
RUN = Path("results", "smoke")


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> tuple[Project, dict[str, bytes]]:
    project = Project(tmp_path_factory.mktemp("damage") / "project")
    done = project.run(*SMOKE)
    assert done.returncode == 0, done.stderr
    return project, results(project)


def remove_results_of(project: Project, name: str) -> None:
    """Remove everything that is made from a file, so that the next run has to read it."""
    stages = ("data", "tuning", "tuned", "selections", "measures", "evaluations", "timings", "tables")
    for folder in stages[stages.index(name.partition("/")[0]) + 1 :]:
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


@pytest.fixture(scope="module")
def toy(tmp_path_factory) -> Iterator[tuple[Project, dict[str, bytes]]]:
    """A finished run of a paper that is tuned and timed, so that every stage has written something."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(HERE))
        project = add_toy_paper(Project(tmp_path_factory.mktemp("toy") / "project"))
        done = project.run(*TOY)
        assert done.returncode == 0, done.stderr
        yield project, results(project)


def one_of_each_kind(project: Project) -> list[Path]:
    """One file for each stage, depth in its folder and ending."""
    files = sealed_files(project.folder)
    return [*{(path.parts[1:3], len(path.parts), *path.suffixes): path for path in files}.values()]


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
def test_every_damage_to_every_kind_of_file_is_named_and_repaired(toy, damage, tally):
    project, wanted = toy
    files = one_of_each_kind(project)
    assert len(files) >= 20
    with tally.trying(f"damaged files: {len(files)} kinds of file, {len(DAMAGES)} kinds of damage", len(files)):
        for path in files:
            DAMAGES[damage](project.folder / path)
        found = project.run("verify", *TOY)
        listed = (project.folder / "results" / "logs" / "verify.log").read_text()
        again, after = project.run(*TOY), project.run("verify", *TOY)
        output = listed + "".join(run.stdout + run.stderr for run in (found, again, after))
        assert "Traceback" not in output
        assert [path for path in files if not re.search(f"{path} (is|was) damaged", output)] == []
        assert again.returncode == 0, again.stderr
        assert after.returncode == 0, after.stderr
        assert results(project) == wanted


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "data/shapes.npz",
        "smoke/tuning/toy2026/classes/centroids/0-12.jsonl",
        "smoke/tuned/toy2026/classes/centroids/0-2.jsonl",
        "smoke/selections/toy2026/classes/all/0-2.jsonl",
        "smoke/measures/toy2026/classes/0-2.csv",
        "smoke/evaluations/toy2026/classes.csv",
        "smoke/timings/toy2026/classes.csv",
    ],
)
def test_no_stage_reads_a_file_with_one_wrong_bit(toy, name, tally):
    project, wanted = toy
    with tally.trying("stages that were given a file with one wrong bit, its time kept"):
        DAMAGES["one bit, time kept"](project.folder / "results" / name)
        remove_results_of(project, name.removeprefix("smoke/"))
        refused, again = project.run(*TOY), project.run(*TOY)
        assert refused.returncode != 0
        assert f"results/{name} is damaged" in refused.stdout + refused.stderr
        assert again.returncode == 0, again.stderr
        assert "Traceback" not in refused.stdout + refused.stderr + again.stdout + again.stderr
        assert results(project) == wanted
