"""Kernels are compiled before the jobs start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

CODE = """
from marginfs.protocol import Job
from marginfs.warm_up import compile_kernels
job = Job("p", "e", 1, "a", "hard_margin_svm", {}, {"source": "linear_toy"}, {}, {"bias": [True, False]}, {})
assert compile_kernels([job, job]) == 1
from marginfs.solvers import qp
hits = sum(sum(f.stats.cache_hits.values()) for f in vars(qp).values() if hasattr(f, "stats"))
misses = sum(sum(f.stats.cache_misses.values()) for f in vars(qp).values() if hasattr(f, "stats"))
print("hits" if hits and not misses else "compiled")
"""


def test_a_second_process_finds_the_kernels_compiled(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    runs = [
        subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True, env=environment).stdout
        for _ in range(2)
    ]
    assert [run.strip() for run in runs] == ["compiled", "hits"]
