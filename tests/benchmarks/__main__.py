"""One table and one figure of how fast the library is: python tests/benchmarks [--quick] [--readme].

The table goes to results/benchmarks/comparisons.csv, growth, import times and machine beside it, the figure to
benchmarks.png.
--readme writes the table of an earlier run into README.md and measures nothing.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import warnings
from importlib.metadata import version
from pathlib import Path

from marginfs.study.process import environment

FOLDER = Path("results", "benchmarks")
PACKAGES = ("marginfs", "numpy", "numba", "scikit-learn", "mlxtend", "skrebate")


def main() -> int:
    """Measure, write, and say by the exit code whether every target is met."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small problems, to see that everything runs")
    parser.add_argument("--readme", action="store_true", help="write the table of the last run into README.md")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where results go")
    options = parser.parse_args()
    if options.readme:
        from readme_table import update

        update(options.folder / "comparisons.csv", Path("README.md"))
        return 0
    if any(os.environ.get(key) != value for key, value in environment().items() if key != "PYTHONPATH"):
        return subprocess.call([sys.executable, *sys.argv], env=os.environ | environment())
    return _measure(options.quick, options.folder)


def _measure(quick: bool, folder: Path) -> int:
    import pandas as pd
    from bench_startup import import_times
    from comparison import run
    from drawing import draw
    from growth import slopes
    from peers import comparisons
    from readme_table import markdown
    from threadpoolctl import threadpool_limits

    warnings.simplefilter("ignore")
    folder.mkdir(parents=True, exist_ok=True)
    machine = {"processor": _processor(), "python": platform.python_version(), **{p: version(p) for p in PACKAGES}}
    pd.Series(machine).rename_axis("what").rename("value").to_csv(folder / "machine.csv")
    imports = pd.DataFrame(import_times())
    imports.to_csv(folder / "imports.csv", index=False)
    print(imports.to_string(index=False), flush=True)
    rows = []
    with threadpool_limits(1):
        for case in comparisons(quick):
            rows.append(run(case).row())
            table = pd.DataFrame(rows).round({"ratio": 2})
            table.to_csv(folder / "comparisons.csv", index=False)
            print(f"{rows[-1]['what']}: {rows[-1]['ratio']:.1f} ({rows[-1]['quality']})", flush=True)
        growth = pd.DataFrame(slopes(quick))
    growth.to_csv(folder / "growth.csv", index=False)
    draw(table, growth, folder / "benchmarks.png")
    print(f"\n{markdown(table)}\n\nWritten to {folder}.")
    return 0 if quick or all((part["met"] == "yes").all() for part in (table, imports)) else 1


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


if __name__ == "__main__":
    raise SystemExit(main())
