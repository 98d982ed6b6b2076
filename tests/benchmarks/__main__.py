"""All benchmarks one after the other, in the environment that jobs have: python tests/benchmarks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from marginfs.study.process import environment


def main() -> int:
    """Run them all; the exit code says whether every target is met."""
    scripts = sorted(Path(__file__).parent.glob("bench_*.py"))
    return max(subprocess.call([sys.executable, script], env=os.environ | environment()) for script in scripts)


if __name__ == "__main__":
    raise SystemExit(main())
