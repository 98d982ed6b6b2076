"""The estimate of the time left."""

from __future__ import annotations

import pytest

from snakemake_logger_plugin_marginfs.progress import Progress, duration


def test_estimate_weighs_rules_by_their_own_duration_and_knows_parallel_jobs():
    progress = Progress(clock=-20.0)
    progress.plan({"select": 4, "table": 2, "total": 6})
    assert progress.left(0.0) is None
    for job in (0, 1):
        progress.start(job, "select", clock=0.0)
    for job in (0, 1):
        progress.finish(job, clock=10.0)
    assert progress.left(10.0) == pytest.approx((2 * 10 + 2 * 10) / 2)
    progress.start(2, "table", clock=10.0)
    progress.finish(2, clock=11.0)
    assert progress.left(11.0) == pytest.approx((2 * 10 + 1 * 1) / (21 / 11))
    assert progress.line(11.0) == "3 of 6 jobs (50 %), 31 s elapsed, about 11 s left"


@pytest.mark.parametrize(("seconds", "text"), [(59.4, "59 s"), (61, "1 min 1 s"), (7260, "2 h 1 min")])
def test_duration(seconds, text):
    assert duration(seconds) == text
