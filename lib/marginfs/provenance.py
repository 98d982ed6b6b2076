"""Where a result came from: the source code behind it, and the machine, versions and time that made it."""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.metadata
import os
import platform
import re
import resource
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parent
VERSIONED = ("numpy", "numba", "highspy", "scikit-learn", "snakemake")


def source_hash(modules: Iterable[str]) -> str:
    """SHA-256 of the source of `modules` and of every marginfs module that they import, directly or not.

    Snakemake does not see a change inside an installed package; as a job's parameter this hash makes it re-run the job.
    """
    pending, seen = list(modules), set[str]()
    while pending:
        name = pending.pop()
        if name not in seen:
            seen.add(name)
            pending += _imports(name)
    digest = hashlib.sha256()
    for name in sorted(seen):
        digest.update(name.encode() + b"\0" + _source(name).encode() + b"\0")
    return digest.hexdigest()[:16]


def _path(module: str) -> Path | None:
    base = PACKAGE.joinpath(*module.split(".")[1:])
    candidates = (base / "__init__.py", base.with_suffix(".py"))
    return next((path for path in candidates if path.is_file()), None)


@functools.cache
def _source(module: str) -> str:
    path = _path(module)
    return path.read_text(encoding="utf-8") if path else ""


@functools.cache
def _imports(module: str) -> list[str]:
    """The marginfs modules named in import statements anywhere in `module`."""
    found: list[str] = []
    for node in ast.walk(ast.parse(_source(module))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return [name for name in found if name.split(".")[0] == "marginfs" and _path(name)]


class Measurement:
    """Time and memory of a block of work, with the machine and the versions it ran on."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def record(self) -> dict[str, Any]:
        return {
            "seconds": round(time.perf_counter() - self._wall, 3),
            "cpu_seconds": round(time.process_time() - self._cpu, 3),
            "peak_memory_mb": round(peak_memory_kilobytes() / 1024, 1),
            "python": platform.python_version(),
            "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        }


def peak_memory_kilobytes() -> int:
    """Highest resident memory of this process; on Linux getrusage would count the process that started it as well."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.findall(r"VmHWM:\s+(\d+) kB", status.read_text())[0])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def versions() -> dict[str, str]:
    """Versions of the packages that results may depend on, as far as they are installed."""
    found = {"python": platform.python_version(), "marginfs": importlib.metadata.version("marginfs")}
    for name in VERSIONED:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def commit(folder: str | Path) -> str:
    """The git commit of `folder`, marked where files other than results have changed; 'unknown' outside a checkout."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(folder), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    try:
        changed = git("status", "--porcelain", "--untracked-files=no", "--", ":/", ":(top,exclude)results")
        return git("rev-parse", "--short=12", "HEAD") + ("-dirty" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
