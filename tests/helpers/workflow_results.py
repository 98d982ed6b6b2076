"""What the tests of the workflow read from a run."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from conftest import Project

KINDS = ("evaluations", "tables", "figures", "claims")


def results(project: Project, fidelity: str = "smoke") -> dict[str, bytes]:
    """Every result file that must not depend on scheduling: no logs, no provenance, no seals, no chunks, no times."""
    folder = project.folder / "results" / fidelity
    files = [path for kind in KINDS for path in (folder / kind).rglob("[!.]*") if path.is_file()]
    found = {str(path.relative_to(folder)): path.read_bytes() for path in files}
    for claims in [name for name in found if name.startswith("claims/")]:
        timed = _timed_claims(project, Path(claims).stem)
        found[claims] = b"".join(line for line in found[claims].splitlines(True) if line.split(b",")[0] not in timed)
    timed_tables = _timed_tables(project)
    return {
        name: content
        for name, content in found.items()
        if not name.endswith(".provenance.json") and name.rpartition(".")[0] not in timed_tables
    }


def _timed_tables(project: Project) -> set[str]:
    """Stems of the tables of CPU times."""
    protocols = (project.folder / "config" / "papers").glob("*.yaml")
    tables = {path.stem: yaml.safe_load(path.read_text()).get("tables", {}) for path in protocols}
    return {
        f"tables/{paper}/table_{number}"
        for paper, specs in tables.items()
        for number, spec in specs.items()
        if spec.get("kind") == "timing"
    }


def _timed_claims(project: Project, paper: str) -> set[bytes]:
    """The claims about CPU times."""
    path = project.folder / "config" / "claims" / f"{paper}.yaml"
    return {claim["id"].encode() for claim in yaml.safe_load(path.read_text()) if claim.get("metric") == "cpu_seconds"}


def jobs(output: str) -> dict[str, int]:
    """Rule -> number of jobs, from Snakemake's table of a dry run or from the first line of a run."""
    table = output.partition("Job stats:")[2].partition("\ntotal")[0]
    counts = re.findall(r"^(\w+)\s+(\d+)$", table, flags=re.MULTILINE)
    plan = re.search(r"^\d\d:\d\d \d+ jobs: (.*?)\n(?=\[|Failed|\S+ failed)", output, flags=re.MULTILINE | re.DOTALL)
    if plan:
        counts += [(rule, count) for count, rule in re.findall(r"(\d+) (\w+)", plan[1])]
    return {rule: int(count) for rule, count in counts}
