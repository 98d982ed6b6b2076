"""Where a result came from: the source code behind it, and the machine, versions and time that made it."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

VERSIONED = ("numpy", "numba", "highspy", "scikit-learn", "snakemake")


class Measurement:
    """Time and memory of a block of work, with the machine and the versions it ran on."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def record(self) -> dict[str, Any]:
        """What was used since this object was made, and on which machine."""
        return {
            "seconds": round(time.perf_counter() - self._wall, 3),
            "cpu_seconds": round(time.process_time() - self._cpu, 3),
            "peak_memory_mb": round(peak_memory_kilobytes() / 1024, 1),
            "python": platform.python_version(),
            "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        }


def peak_memory_kilobytes() -> int:
    """Measure the highest resident memory of this process.

    Returns
    -------
    int
        Kilobytes. On Linux getrusage would count the process that started it as well; macOS counts in bytes.
    """
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.findall(r"VmHWM:\s+(\d+) kB", status.read_text())[0])
    highest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return highest // 1024 if sys.platform == "darwin" else highest


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
    """Find the git commit of a folder.

    Parameters
    ----------
    folder : path
        A folder of a checkout.

    Returns
    -------
    str
        Twelve digits, with "-dirty" where files other than results have changed; "unknown" outside a checkout.
    """

    def _git(*arguments: str) -> str:
        command = ["git", "-C", str(folder), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    try:
        changed = _git("status", "--porcelain", "--untracked-files=no", "--", ":/", ":(top,exclude)results")
        return _git("rev-parse", "--short=12", "HEAD") + ("-dirty" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
