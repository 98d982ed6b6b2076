"""Kernels are compiled before the jobs start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from marginfs.study.kernel_cache import DIGESTS
from marginfs.study.protocol import Evaluation, Experiment, Plan, Selector
from marginfs.study.warm_up import Trial, _try, compile_kernels

CODE = """
from marginfs.study.kernel_cache import DIGESTS
from marginfs.study.protocol import Evaluation, Experiment, Plan, Selector
from marginfs.study.warm_up import compile_kernels

plan = Plan("p", "e", 1, {"source": "linear_toy"}, {}, {"bias": [True, False]})
selectors = {name: Selector(name, "marginfs.selectors.hard_margin_svm:hard_margin_svm", {}) for name in "ab"}
evaluation = Evaluation("marginfs.evaluation.top_features:top_features", {"final": 2})
experiment = Experiment(plan, 1, selectors, evaluation)
assert compile_kernels([experiment, experiment], workers=2) == 2
"""


def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    compiled = []
    for _ in range(2):
        subprocess.run([sys.executable, "-c", CODE], check=True, env=environment)
        compiled.append({path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nbc")})
    assert compiled[0]
    assert compiled[0] == compiled[1]


def test_a_method_that_cannot_do_with_eight_points_does_not_end_the_run() -> None:
    _try(Trial("marginfs.selectors.correlation:correlation", {"coefficient": "none such"}))


def killed(X, y, *, rng) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_the_run_goes_on_where_a_process_that_compiles_is_killed(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    selectors = {"killed": Selector("killed", f"{__name__}:killed", {})}
    evaluation = Evaluation("marginfs.evaluation.top_features:top_features", {"final": 2})
    experiment = Experiment(Plan("p", "e", 1, {"source": "linear_toy"}, {}, {}), 1, selectors, evaluation)
    assert compile_kernels([experiment], workers=1) == 2
    assert "compiling was killed; jobs compile what is missing" in capsys.readouterr().err
    assert not (tmp_path / DIGESTS).exists()
