"""The cache of compiled kernels: damage is found without running it, and a run compiles again what is gone."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from damages import DAMAGES
from marginfs.errors import ConfigError
from marginfs.study.kernel_cache import close_cache, compiling_once, kernel_folder, open_cache
from marginfs.study.process import environment

CODE = """
import numpy as np
from marginfs.lookup import look_up
method = look_up("marginfs.selectors.hard_margin_svm:hard_margin_svm")
y = np.array([1.0, -1.0] * 4)
X = np.random.default_rng(0).standard_normal((8, 4)) + np.outer(5.0 * y, [0, 1, 0, 0])
print(method(X, y, rng=np.random.default_rng(0)).ranking)
"""


def run(folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    return subprocess.run([sys.executable, "-c", CODE], env=environment, capture_output=True, text=True)


def test_jobs_on_an_unknown_processor_let_one_of_them_compile(tmp_path, monkeypatch):
    monkeypatch.setattr("marginfs.study.kernel_cache.COMPILING", 30.0)
    running, most, ended = [], [], []

    def job(number: int) -> None:
        with compiling_once(tmp_path / "kernels", "select-toy"):
            running.append(number)
            most.append(len(running) if not ended else 0)
            time.sleep(0.05)
            running.remove(number)
            ended.append(number)

    jobs = [threading.Thread(target=job, args=(number,)) for number in range(5)]
    for one in jobs:
        one.start()
    for one in jobs:
        one.join(20)
    assert sorted(ended) == list(range(5))
    assert max(most) == 1


def test_jobs_do_not_wait_for_a_long_one_nor_where_the_run_has_compiled(tmp_path, monkeypatch):
    monkeypatch.setattr("marginfs.study.kernel_cache.COMPILING", 0.1)
    with compiling_once(tmp_path, "select-toy"), compiling_once(tmp_path, "select-toy"):
        pass
    monkeypatch.setattr("marginfs.study.kernel_cache.COMPILING", 3600.0)
    close_cache(tmp_path)
    with compiling_once(tmp_path, "tune-toy"), compiling_once(tmp_path, "tune-toy"):
        assert not list(tmp_path.glob("tune*"))


@pytest.fixture(scope="module")
def compiled(tmp_path_factory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("kernels")
    assert not open_cache(folder)
    done = run(folder)
    assert done.returncode == 0, done.stderr
    close_cache(folder)
    return folder, done.stdout


@pytest.mark.parametrize("kind", DAMAGES)
@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_what_is_damaged_is_removed_and_compiled_again(compiled, kind, suffix):
    folder, wanted = compiled
    files = sorted(folder.rglob(f"*{suffix}"))
    before = {path: path.read_bytes() for path in folder.rglob("*.nb*")}
    for path in files:
        DAMAGES[kind](path)
    assert open_cache(folder)
    assert not any(path.exists() for path in files)
    if kind == "cut in half":
        assert run(folder).stdout == wanted
    for path, content in before.items():
        path.write_bytes(content)


def test_what_a_killed_run_compiled_is_judged_by_its_form(compiled):
    folder, _ = compiled
    whole, cut = folder / "whole.nbi", folder / "cut.nbi"
    whole.write_bytes(next(folder.rglob("*.nbi")).read_bytes())
    cut.write_bytes(whole.read_bytes()[:-3])
    open_cache(folder)
    assert whole.exists()
    assert not cut.exists()


def test_only_the_user_may_write_there(compiled):
    folder, _ = compiled
    folder.chmod(0o777)
    open_cache(folder)
    assert folder.stat().st_mode & 0o777 == 0o700


def test_each_instruction_set_has_its_own_folder_and_is_what_numba_compiles_for(monkeypatch, tmp_path):
    here = kernel_folder()
    monkeypatch.setenv("MARGINFS_INSTRUCTIONS", "x86-64-v2")
    assert kernel_folder() != here
    assert kernel_folder().name.endswith("-x86-64-v2")
    code = "from numba.core.registry import cpu_target; print(cpu_target.target_context.codegen().magic_tuple())"
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | environment(), capture_output=True, text=True)
    assert "'x86-64-v2', '')" in done.stdout, done.stderr


def test_an_unknown_instruction_set_is_refused(monkeypatch):
    monkeypatch.setenv("MARGINFS_INSTRUCTIONS", "avx2")
    with pytest.raises(ConfigError, match="MARGINFS_INSTRUCTIONS is 'avx2'; write one of: x86-64-v2"):
        environment()


def test_a_checkout_of_someone_else_has_its_cache_in_the_home_folder(monkeypatch, tmp_path):
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    monkeypatch.setenv("MARGINFS_CACHE", str(tmp_path))
    assert kernel_folder().parent == tmp_path / "kernels"
