"""Kernels are compiled before the jobs start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from marginfs.errors import ConfigError
from marginfs.warm_up import Trial, _try

CODE = """
from marginfs.protocol import Experiment, Plan, Selector
from marginfs.warm_up import compile_kernels

plan = Plan("p", "e", 1, {"source": "linear_toy"}, {}, {"bias": [True, False]})
selectors = {name: Selector(name, "hard_margin_svm", {}) for name in "ab"}
experiment = Experiment(plan, 1, selectors, {"method": "top_features", "final": 2})
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


@pytest.mark.parametrize(
    ("trial", "message"),
    [
        (Trial("here", "backward_elimination", {"criterion": "w3"}), "here: criterion is 'w3': write one of w2"),
        (Trial("here", "correlation", {"coeficient": "golub"}), "here: .* no option 'coeficient'; did you mean 'coeff"),
        (Trial("here", "backward_elimination", {"C": "many"}), "here: .*; the options are {'C': 'many'}"),
        (Trial("here", "correlation", {}, "ranking_curve", {"sigmma": 3}), "here: .*; the options are {'sigmma': 3}"),
    ],
)
def test_options_that_a_method_refuses_are_named(trial: Trial, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        _try(trial)
