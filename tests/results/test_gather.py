"""What is joined and added up over the jobs of an experiment."""

from __future__ import annotations

import json

from marginfs.results.gather import count_ends, total
from marginfs.results.report.run_facts import _convergence

RECORD = {"seconds": 1.5, "cpu_seconds": 1.0, "peak_memory_mb": 90.0, "machine": "m", "python": "3", "source": "s"}
TRACES = [
    {"exit": "converged"},
    {"exit": "iteration_limit"},
    {"exit": "round_limit"},
    {"converged": [True, True]},
    {"converged": [True, False]},
    {"relevance": [1.0]},
]


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
