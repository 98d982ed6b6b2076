"""Seals: what was not written by the job is found, whatever happened to it, and only that is removed."""

from __future__ import annotations

import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damages import DAMAGES
from marginfs.errors import DamagedFileError
from marginfs.seals import check, remove_damaged, seal, seal_of
from marginfs.study.process import job

FILE = Path("results", "quick", "measures", "0-6.csv")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    FILE.parent.mkdir(parents=True)
    FILE.write_text("selector,value\nsfm,1.5\nsvm,2.5\n")
    seal([FILE])
    return tmp_path


def test_a_whole_file_is_read_and_its_seal_is_what_sha256sum_writes(folder):
    check([FILE])
    assert remove_damaged(folder, thorough=True) == {FILE: ""}
    subprocess.run(["sha256sum", "--check", seal_of(FILE).name], cwd=FILE.parent, check=True, capture_output=True)


@pytest.mark.parametrize("kind", DAMAGES)
def test_every_damage_is_refused_and_gone_in_the_next_run(folder, kind):
    DAMAGES[kind](FILE)
    with pytest.raises(DamagedFileError, match=r"0-6\.csv is damaged: its \d+ bytes"):
        check([FILE])
    assert FILE in remove_damaged(folder)
    assert not FILE.exists()
    assert not seal_of(FILE).exists()


@given(content=st.binary(), other=st.binary())
def test_only_the_same_bytes_pass(tmp_path_factory, content, other):
    folder = tmp_path_factory.mktemp("sealed")
    file = folder / FILE
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    seal_of(file).write_text("")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        seal([FILE])
        file.write_bytes(other)
        assert (remove_damaged(folder, thorough=True)[FILE] == "") == (content == other)


def test_a_file_without_a_seal_is_refused_and_kept(folder):
    seal_of(FILE).unlink()
    with pytest.raises(DamagedFileError, match="no seal"):
        check([FILE])
    assert "no seal" in remove_damaged(folder, thorough=True)[FILE]
    assert FILE.exists()


def test_a_file_that_is_gone_is_named(folder):
    FILE.unlink()
    with pytest.raises(DamagedFileError, match="is missing"):
        check([FILE])


def test_what_the_workflow_did_not_write_is_left_alone(folder):
    check(["config/published/x.csv", "/elsewhere/results/quick/x.csv", "results/reference/x/table_1.csv"])


def test_a_run_only_reads_files_of_another_size(folder):
    DAMAGES["one bit"](FILE)
    assert remove_damaged(folder) == {}
    DAMAGES["last byte lost"](FILE)
    assert [*remove_damaged(folder)] == [FILE]


def test_a_job_seals_what_it_wrote_only_if_it_ended_well(folder):
    made = str(FILE.with_name("made.csv"))
    snakemake = SimpleNamespace(rule="table", log=["log"], input=[str(FILE)], output=[made])
    with job(snakemake):
        Path(made).write_text("1")
    check([made])

    def on_a_full_disk() -> None:
        with job(snakemake):
            Path(made).write_text("half")
            raise OSError(28, "No space left on device", made)

    with pytest.raises(SystemExit):
        on_a_full_disk()
    assert not seal_of(made).exists()
    assert Path("log").read_text().startswith(f"{made}: No space left on device; free some space")


def test_every_script_checks_and_seals():
    scripts = {path.name: path.read_text() for path in Path(__file__).parents[1].glob("workflow_scripts/*.py")}
    others = {name for name, text in scripts.items() if "with job(snakemake):" not in text}
    assert others == {"prepare_own.py", "verify.py"}
    assert "seal(snakemake.output)" in scripts["prepare_own.py"]
