"""What the tests of the workflow read from a run."""

from __future__ import annotations

import re

from conftest import Project

KINDS = ("evaluations", "tables", "figures", "claims")


def results(project: Project, *, without_times: bool = False) -> dict[str, bytes]:
    """Every result file that must not depend on scheduling: no logs, no provenance, no seals, no chunks."""
    folder = project.folder / "results" / "smoke"
    files = [path for kind in KINDS for path in (folder / kind).rglob("[!.]*") if path.is_file()]
    found = {str(path.relative_to(folder)): path.read_bytes() for path in files}
    return {
        name: content
        for name, content in found.items()
        if not name.endswith(".provenance.json") and not (without_times and "toy2026/table_2." in name)
    }


def jobs(output: str) -> dict[str, int]:
    """Rule -> number of jobs, from Snakemake's table of a dry run or from the first line of a run."""
    table = output.partition("Job stats:")[2].partition("\ntotal")[0]
    counts = re.findall(r"^(\w+)\s+(\d+)$", table, flags=re.MULTILINE)
    plan = re.search(r"^\d\d:\d\d \d+ jobs: (.*?)\n(?=\[|Failed|\S+ failed)", output, flags=re.MULTILINE | re.DOTALL)
    if plan:
        counts += [(rule, count) for count, rule in re.findall(r"(\d+) (\w+)", plan[1])]
    return {rule: int(count) for rule, count in counts}
