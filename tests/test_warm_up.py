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
"""


def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    compiled = []
    for _ in range(2):
        subprocess.run([sys.executable, "-c", CODE], check=True, env=environment)
        compiled.append({path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nbc")})
    assert compiled[0]
    assert compiled[0] == compiled[1]
