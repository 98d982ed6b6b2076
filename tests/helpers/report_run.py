"""A run to report on, made of the published full runs and of printed numbers, without running a job."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd

from conftest import ROOT
from marginfs.files import write_json
from marginfs.results.pieces import read_pieces
from marginfs.results.report.request import report_request
from marginfs.results.tables import build_table
from marginfs.study.config import load_study
from marginfs.study.table_specs import TableSpec

REFERENCE = ROOT / "results" / "reference"
RUN_PAPERS = ("klement2010", "aksu2008", "rakotomamonjy2003")
WIDE_PAPER = "planas2021"
"""Its forty tables have up to nine columns of three numbers."""


def request_of(folder: Path, papers: tuple[str, ...], **changes: Any) -> dict[str, Any]:
    """The arguments of ReportRequest for a run of `papers` in `folder`."""
    request = report_request(load_study({}, ROOT / "config"), "quick", papers, REFERENCE)
    places = {"folder": str(folder), "run": folder.name, "data_folder": str(folder / "data"), "tuned": []}
    return {**request, **places, **changes}


def copy_reference(folder: Path, paper: str) -> None:
    """Lay out a published full run as the folder of a run has it."""
    for path in (REFERENCE / paper).iterdir():
        kind = {"table": f"tables/{paper}", "figure": f"figures/{paper}"}.get(path.name.partition("_")[0])
        target = folder / kind / path.name if kind else None
        if path.name == "claims.csv":
            target = folder / "claims" / f"{paper}.csv"
        if target:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    write_json(folder / "provenance" / f"{paper}.json", asdict(read_pieces(REFERENCE / paper)[-1]))


def print_as_reproduced(folder: Path, paper: str) -> None:
    """Write the tables of a paper with its printed numbers in the place of reproduced ones: something to lay out."""
    study = load_study({}, ROOT / "config")
    protocol = study.papers[paper].protocol
    published = pd.read_csv(ROOT / "config" / "published" / f"{paper}.csv", dtype=str)
    keys = ["experiment", "selector", "split", "metric", "step", "value", "source"]
    (folder / "tables" / paper).mkdir(parents=True, exist_ok=True)
    for number, spec in protocol["tables"].items():
        made = TableSpec.from_config(spec, number)
        grid = {axis.by: [] for axis in made.axes} | {key: [] for key in [*keys, *made.at]}
        if made.draws:
            grid[made.draws.by] = []
        plain = {key: value for key, value in spec.items() if key not in ("summary", "ratio", "draws", "optimum")}
        made = TableSpec.from_config(plain, number)
        table = build_table(made, pd.DataFrame(grid), published[published["table"] == number], protocol["trials"])
        verdicts = ["match", "compatible", "close", "within draws", "differs", "not run"]
        table["verdict"] = [verdicts[place % 6] for place in range(len(table))]
        run = table["verdict"] != "not run"
        table["reproduced"] = table["published"].where(run)
        table["reproduced_spread"] = 0.1
        table["difference"] = 0.0
        table["trials"] = 20
        table.to_csv(folder / "tables" / paper / f"table_{number}.csv", index=False)


def make_run(folder: Path, papers: tuple[str, ...] = RUN_PAPERS, wide: bool = False) -> dict[str, Any]:
    """A whole run; the answer is its request."""
    for paper in papers:
        copy_reference(folder, paper)
    if wide:
        print_as_reproduced(folder, WIDE_PAPER)
    (folder / "data").mkdir()
    (folder / "data" / "flags.json").write_text(
        json.dumps({"name": "flags", "status": "ok", "source": "mirror", "failures": []})
    )
    return request_of(folder, (*papers, WIDE_PAPER) if wide else papers)
