"""Publication replaces what it wrote itself, and nothing that it knows less of than an earlier one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marginfs.errors import DataError
from marginfs.results.pieces import read_pieces
from marginfs.results.publish import Offer, publish

EXPERIMENTS = ("a", "b", "c")
BEHIND = {"table_1.csv": ("a",), "table_2.csv": ("a", "b"), "figure_1.csv": ("b", "c"), "figure_2.csv": ()}
TESTS = {"first": ("a",), "second": ("b", "c"), "third": ("c",)}
HEADER = "claim,at,verdict\n"


def run(folder: Path, trials: dict[str, float], commit: str = "abc", **changes) -> Offer:
    """A run whose files say which trials they were made of."""
    folder.mkdir(parents=True, exist_ok=True)
    counts = dict.fromkeys(EXPERIMENTS, 0) | trials
    record = {"commit": commit, "versions": {}, "study": {"seed": 1}, "trials": counts, "work": {"jobs": 1}}
    (folder / "provenance.json").write_text(json.dumps(record))
    behind = changes.get("behind", BEHIND)
    for name, names in behind.items():
        (folder / name).write_text(" ".join(f"{one}={counts[one]}" for one in names))
    tests = changes.get("tests", TESTS)
    lines = [f"{claim},{one}={counts[one]},holds\n" for claim, names in tests.items() for one in names if counts[one]]
    (folder / "claims.csv").write_text(HEADER + "".join(lines))
    return Offer(
        {name: folder / name for name in behind}, behind, folder / "claims.csv", tests, folder / "provenance.json"
    )


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir() if path.name != "provenance.json"}


def found(text: str) -> dict[str, int]:
    """Experiment -> trials, from what `run` writes into a file."""
    pairs = (part.partition(",")[0].split("=") for part in text.replace(",", " ").split() if "=" in part)
    return {name: int(count) for name, count in pairs}


def test_stale_files_go_and_others_stay(tmp_path):
    target = tmp_path / "reference"
    target.mkdir()
    (target / "NOTES.md").write_text("mine")
    publish(run(tmp_path / "run", {"a": 1}), target)
    assert {*contents(target)} == {"NOTES.md", "claims.csv", *BEHIND}
    fewer = {name: names for name, names in BEHIND.items() if name != "table_2.csv"}
    publish(run(tmp_path / "run", {"a": 2}, behind=fewer, tests={"first": ("a",)}), target)
    assert {*contents(target)} == {"NOTES.md", "claims.csv", *fewer}
    assert contents(target)["table_1.csv"] == "a=2"
    assert contents(target)["NOTES.md"] == "mine"
    assert contents(target)["claims.csv"] == HEADER + "first,a=2,holds\n"


def test_a_second_run_adds_the_experiments_that_the_first_left_out(tmp_path):
    publish(run(tmp_path / "one", {"a": 5}, "first_commit"), tmp_path / "reference")
    said = publish(run(tmp_path / "two", {"b": 3, "c": 2}, "second_commit"), tmp_path / "reference")
    made = contents(tmp_path / "reference")
    assert (made["table_1.csv"], made["figure_1.csv"]) == ("a=5", "b=3 c=2")
    assert made["table_2.csv"] == "a=5 b=0"
    assert made["claims.csv"] == HEADER + "first,a=5,holds\nsecond,b=3,holds\nsecond,c=2,holds\nthird,c=2,holds\n"
    assert len(said) == 3
    assert "table_2.csv stays as it was published at first_commit" in said[1]
    assert "a (0 trials, published 5)" in said[1]
    first, second = read_pieces(tmp_path / "reference")
    assert (first.commit, first.files, first.claims) == ("first_commit", ("table_1.csv", "table_2.csv"), ("first",))
    assert (second.files, second.claims) == (("figure_1.csv", "figure_2.csv"), ("second", "third"))
    assert first.trials == {"a": 5, "b": 0}
    assert second.trials == {"b": 3, "c": 2}


def test_a_piece_of_which_nothing_is_left_is_forgotten(tmp_path):
    publish(run(tmp_path / "run", {"a": 5}, "old"), tmp_path / "reference")
    publish(run(tmp_path / "run", {"a": 5, "b": 1}, "new"), tmp_path / "reference")
    assert [piece.commit for piece in read_pieces(tmp_path / "reference")] == ["new"]


counts = st.fixed_dictionaries({name: st.integers(0, 3) for name in EXPERIMENTS})


@settings(max_examples=60, deadline=None)
@given(st.lists(counts, min_size=1, max_size=5))
def test_no_order_of_publications_loses_a_trial(tmp_path_factory, runs):
    folder = tmp_path_factory.mktemp("publications")
    target, known = folder / "reference", {}
    for number, trials in enumerate(runs):
        publish(run(folder / "run", trials, f"commit{number}"), target)
        made = {**contents(target)}
        claims = made.pop("claims.csv").removeprefix(HEADER).splitlines()
        now = {name: found(text) for name, text in made.items()}
        now |= {claim: found(" ".join(line for line in claims if line.startswith(f"{claim},"))) for claim in TESTS}
        for name, before in known.items():
            assert all(now[name].get(one, 0) >= count for one, count in before.items()), name
        known = now
        pieces = read_pieces(target)
        assert sorted(name for piece in pieces for name in piece.files) == sorted(BEHIND)
        assert sorted(name for piece in pieces for name in piece.claims) == sorted(TESTS)
        for piece in pieces:
            for name in (*piece.files, *piece.claims):
                assert {one: count for one, count in now[name].items() if count} == {
                    one: piece.trials[one] for one in (BEHIND | TESTS)[name] if piece.trials[one]
                }
    richest = {name: max(trials[name] for trials in runs) for name in EXPERIMENTS}
    assert found(made["table_1.csv"])["a"] == richest["a"]


def test_a_list_cannot_reach_outside_the_folder(tmp_path):
    target = tmp_path / "target"
    (tmp_path / "precious.csv").write_text("keep")
    publish(run(tmp_path / "run", {"a": 1}), target)
    record = json.loads((target / "provenance.json").read_text())
    record["pieces"][0]["files"].append("../precious.csv")
    (target / "provenance.json").write_text(json.dumps(record))
    publish(run(tmp_path / "run", {"a": 1}), target)
    assert (tmp_path / "precious.csv").exists()


def test_an_incomplete_run_publishes_nothing(tmp_path):
    offer = run(tmp_path / "run", {"a": 1})
    (tmp_path / "run" / "table_2.csv").unlink()
    with pytest.raises(DataError, match=r"lacks .*table_2\.csv"):
        publish(offer, tmp_path / "target")
    assert not (tmp_path / "target").exists()


def test_a_provenance_of_another_form_is_refused(tmp_path):
    (tmp_path / "provenance.json").write_text('{"commit": "old", "files": []}')
    with pytest.raises(DataError, match=r"provenance\.json does not list the pieces"):
        publish(run(tmp_path / "run", {"a": 1}), tmp_path)
