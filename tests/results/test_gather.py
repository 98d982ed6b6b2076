"""What many jobs wrote, joined, counted and added up."""

from __future__ import annotations

import json

import pytest

from marginfs.errors import DataError
from marginfs.results.gather import join_measures, total, trials_in, trials_of

COLUMNS = ["selector", "split", "noise", "metric", "step", "value"]
HEADER = ",".join(COLUMNS) + "\n"


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
    record = {"seconds": 1.5, "cpu_seconds": 1.0, "peak_memory_mb": 7, "machine": "m", "python": "3", "source": ["s"]}
    for name, more in {"b": {"jobs": 3, "trials": 5}, "a": {"trials": 0}, "old": {}}.items():
        (tmp_path / f"{name}.provenance.json").write_text(json.dumps(record | more))
    paths = [str(tmp_path / f"{name}.provenance.json") for name in ("b", "a")]
    assert total(paths) == record | {"seconds": 3.0, "cpu_seconds": 2.0, "jobs": 4, "machine": ["m"], "python": ["3"]}
    assert trials_of(paths) == {"a": 0, "b": 5}
    with pytest.raises(DataError, match=r"delete \S*old\.provenance\.json and run"):
        trials_of([*paths, str(tmp_path / "old.provenance.json")])
