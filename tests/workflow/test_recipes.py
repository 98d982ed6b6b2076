"""docs/architecture.md says how to add a selector, a data set and a paper: its blocks, put where they say, must run."""

from __future__ import annotations

import csv
import json
import re
import textwrap

from conftest import ROOT, Project

MANUAL = ROOT / "docs" / "architecture.md"
BLOCK = re.compile(r"^ *```\w+ (file|append|in)=(\S+)(?: after=(\w+))?\n(.*?)^ *```$", flags=re.DOTALL | re.MULTILINE)
RUN = ("--config", "fidelity=smoke", "papers=example2026")


def follow(project: Project) -> None:
    """Write every block of the manual into the project."""
    project.own_library()
    blocks = BLOCK.findall(MANUAL.read_text())
    assert len(blocks) == 6
    for how, path, table, indented in blocks:
        file, block = project.folder / path, textwrap.dedent(indented)
        if how == "file":
            assert not file.exists()
            file.write_text(block)
        elif how == "append":
            file.write_text(file.read_text() + textwrap.indent(block, "  "))
        else:
            opening = re.search(rf"^{table}\b.* = \{{\n", file.read_text(), flags=re.MULTILINE)[0]
            file.write_text(file.read_text().replace(opening, opening + textwrap.indent(block, "    ")))


def test_a_selector_a_data_set_and_a_paper(project, tmp_path, monkeypatch):
    monkeypatch.setenv("MARGINFS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTHONPATH", "")
    follow(project)
    done = project.run(*RUN)
    assert done.returncode == 0, done.stderr
    with (project.folder / "results/smoke/tables/example2026/table_1.csv").open() as file:
        cells = {(cell["row"], cell["column"]): cell for cell in csv.DictReader(file)}
    assert set(cells) == {(row, column) for row in ("1", "2", "4") for column in ("Fisher", "none")}
    assert float(cells["1", "Fisher"]["reproduced"]) < float(cells["1", "none"]["reproduced"])
    assert cells["4", "Fisher"]["reproduced"] == cells["4", "none"]["reproduced"]

    content = json.loads((project.folder / "results/data/iris.json").read_text())["sha256"]
    project.edit("config/datasets.yaml", lambda catalogue: catalogue["datasets"]["iris"].update(sha256=content))
    done = project.run("results/data/iris.npz", *RUN)
    assert done.returncode == 0, done.stderr
