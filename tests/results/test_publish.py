"""Publication replaces what it wrote itself, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from marginfs.errors import DataError
from marginfs.results.publish import publish


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "provenance.json").write_text('{"commit": "abc"}')
    return folder


def files(run: Path, **contents: str) -> dict[str, Path]:
    for name, text in contents.items():
        (run / f"{name}.csv").write_text(text)
    return {f"{name}.csv": run / f"{name}.csv" for name in contents}


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_stale_files_go_and_others_stay(run, tmp_path):
    target = tmp_path / "reference" / "toy2020"
    target.mkdir(parents=True)
    (target / "NOTES.md").write_text("mine")
    publish(files(run, table_1="1", table_2="2"), run / "provenance.json", target)
    assert names(target) == {"NOTES.md", "table_1.csv", "table_2.csv", "provenance.json"}
    record = json.loads((target / "provenance.json").read_text())
    assert record == {"commit": "abc", "files": ["table_1.csv", "table_2.csv"]}

    publish(files(run, table_1="new", figure_1="3"), run / "provenance.json", target)
    assert names(target) == {"NOTES.md", "table_1.csv", "figure_1.csv", "provenance.json"}
    assert (target / "table_1.csv").read_text() == "new"
    assert (target / "NOTES.md").read_text() == "mine"


def test_a_folder_published_before_there_was_a_list_loses_nothing(run, tmp_path):
    (tmp_path / "table_9.csv").write_text("old")
    (tmp_path / "provenance.json").write_text('{"commit": "old"}')
    publish(files(run, table_1="1"), run / "provenance.json", tmp_path)
    assert {"table_9.csv", "table_1.csv"} <= names(tmp_path)


def test_a_list_cannot_reach_outside_the_folder(run, tmp_path):
    target = tmp_path / "target"
    target.mkdir()
    (tmp_path / "precious.csv").write_text("keep")
    (target / "provenance.json").write_text('{"files": ["../precious.csv"]}')
    publish(files(run, table_1="1"), run / "provenance.json", target)
    assert (tmp_path / "precious.csv").exists()


def test_an_incomplete_run_publishes_nothing(run, tmp_path):
    target = tmp_path / "target"
    wanted = {**files(run, table_1="1"), "table_2.csv": run / "table_2.csv"}
    with pytest.raises(DataError, match=r"lacks .*table_2\.csv"):
        publish(wanted, run / "provenance.json", target)
    assert not target.exists()
