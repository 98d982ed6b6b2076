"""What many jobs wrote, joined, counted and added up."""

from __future__ import annotations

import json

import pytest

from marginfs.errors import DataError
from marginfs.results.gather import count_ends, join_measures, total, trials_in, trials_of
from marginfs.results.report.run_facts import _convergence

COLUMNS = ["selector", "split", "noise", "metric", "step", "value"]
HEADER = ",".join(COLUMNS) + "\n"
RECORD = {"seconds": 1.5, "cpu_seconds": 1.0, "peak_memory_mb": 7, "machine": "m", "python": "3", "source": ["s"]}
TRACES = [
    {"exit": "converged"},
    {"exit": "iteration_limit"},
    {"exit": "round_limit"},
    {"converged": [True, True]},
    {"converged": [True, False]},
    {"relevance": [1.0]},
]


def test_chunks_of_other_columns_are_not_joined(tmp_path):
    texts = [HEADER + "rfe,0,1,error,0,0.5\n", HEADER + "rfe,1,1,error,0,0.25\n", "selector,split,error\n"]
    paths = [tmp_path / f"{number}.csv" for number in range(3)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    assert join_measures(map(str, paths[:2]), COLUMNS) == HEADER + "rfe,0,1,error,0,0.5\nrfe,1,1,error,0,0.25\n"
    with pytest.raises(ValueError, match="other columns"):
        join_measures(map(str, paths), COLUMNS)


def test_trials_are_units_by_points():
    rows = [f"{name},{split},{noise},error,0,1\n" for name in "ab" for split in range(3) for noise in (0, 5)]
    assert trials_in(HEADER + "".join(rows), 2) == 3
    assert isinstance(trials_in(HEADER + "".join(rows), 2), int)
    assert trials_in(HEADER + "".join(rows), 4) == 1.5
    assert trials_in(HEADER, 4) == 0


def test_what_jobs_took_is_added_up_and_their_trials_are_told(tmp_path):
    for name, more in {"b": {"jobs": 3, "trials": 5}, "a": {"trials": 0}, "old": {}}.items():
        (tmp_path / f"{name}.provenance.json").write_text(json.dumps(RECORD | more))
    paths = [str(tmp_path / f"{name}.provenance.json") for name in ("b", "a")]
    assert total(paths) == RECORD | {"seconds": 3.0, "cpu_seconds": 2.0, "jobs": 4, "machine": ["m"], "python": ["3"]}
    assert trials_of(paths) == {"a": 0, "b": 5}
    with pytest.raises(DataError, match=r"delete \S*old\.provenance\.json and run"):
        trials_of([*paths, str(tmp_path / "old.provenance.json")])


def test_solvers_that_stopped_at_a_limit_are_counted(tmp_path):
    path = tmp_path / "0-7.jsonl"
    lines = [{"split": 0, "missing": "no data"}, *({"split": 0, "trace": trace} for trace in TRACES)]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert count_ends([path]) == {"selections": 6, "stopped_at_limit": 3}


def test_counts_are_added_up_and_said_in_the_report(tmp_path):
    counts = [{}, {"jobs": 4, "selections": 6, "stopped_at_limit": 3}, {"selections": 2, "stopped_at_limit": 0}]
    for place, one in enumerate(counts):
        (tmp_path / f"{place}.json").write_text(json.dumps(RECORD | one))
    found = total(sorted(tmp_path.iterdir()))
    assert (found["jobs"], found["cpu_seconds"]) == (6, 3.0)
    assert _convergence([found, {"jobs": 3}]) == "3 of 8 selections stopped at the limit of their solver"
    assert _convergence([{"jobs": 3}]) == "not counted"
