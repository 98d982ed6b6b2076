"""Benchmark of start-up: run as a script, prints a Markdown table of jobs; `make bench` has that of imports.

Processor time of a new process that imports what Snakemake puts before a script, then what a unit job imports up to its
selector; and, with compiled kernels in the cache, up to the end of a first tiny selection. The peer is the same process
when it imports scikit-learn and pandas as well.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys

from marginfs.study.process import environment
from marginfs.study.registry import SELECTORS

JOB = """
from snakemake.logging import logger
from snakemake.iocontainers import Snakemake
from marginfs.files import read_json_lines, write_json, write_json_lines
from marginfs.study.job_parameters import plan_from, prepared_from, selector_from
from marginfs.study.process import logged, start_lean
from marginfs.study.provenance import Measurement
from marginfs.study.unit_jobs import select
start_lean()
from marginfs.lookup import look_up
method = look_up({path!r})
"""
RUN = """
import numpy as np
y = np.array([1.0, -1.0] * 4)
X = np.random.default_rng(0).standard_normal((8, 4)) + np.outer(5.0 * y, [0, 1, 0, 0])
method(X, y, rng=np.random.default_rng(0), **{options})
"""
PEER = "import sklearn.feature_selection, sklearn.svm, pandas\n"
TRIED = {
    "sfm": {},
    "backward_elimination": {"criterion": "w2", "order": "first", "C": 1.0},
    "mfe": {},
}
REPEATS = 5
BOUND = 0.6
IMPORTS = {"import marginfs": 0.3, "from marginfs import SVMRFE": 3.0}
"""What a user's session starts with, and how many seconds of processor time it may take."""


def processor_seconds(code: str) -> float:
    """The least processor time of several processes that run `code`."""
    times = []
    for _ in range(REPEATS + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | environment())
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times[1:])


def import_times() -> list[dict[str, object]]:
    """What the imports of a user take beyond an empty process, and whether that is little enough."""
    empty = processor_seconds("pass")
    spent = {line: processor_seconds(line) - empty for line in IMPORTS}
    return [
        {"what": line, "seconds": round(spent[line], 3), "bound": bound, "met": "yes" if spent[line] <= bound else "no"}
        for line, bound in IMPORTS.items()
    ]


def main() -> None:
    print("| job start-up | imports | with a first selection | with scikit-learn and pandas | ratio | bound |")
    print("|---|---|---|---|---|---|")
    for selector, options in TRIED.items():
        job = JOB.format(path=SELECTORS[selector])
        imports, first = processor_seconds(job), processor_seconds(job + RUN.format(options=options))
        peer = processor_seconds(PEER + job)
        met = "met" if imports <= BOUND else "missed"
        print(
            f"| {selector} | {imports:.2f} s | {first:.2f} s | {peer:.2f} s | {peer / imports:.1f} | {BOUND} s: {met} |"
        )


if __name__ == "__main__":
    main()
