"""A comparison of a user's own, end to end: tuned, timed, reported and published."""

from __future__ import annotations

import csv

import numpy as np
import pandas as pd
import yaml

from conftest import Project

ENTRY = {
    "title": "Two selectors on two tables",
    "trials": 3,
    "data_sets": ["first", "second"],
    "sizes": [1, 2, 4],
    "classifier": {"C": [1.0, 10.0], "folds": 2},
    "tuning": {"folds": 2},
    "timing": {"trials": 1, "repeats": 1},
    "stability_size": 2,
    "selectors": {
        "random": {"method": "random_ranking", "label": "Random ranking"},
        "corr": {"method": "correlation", "label": "Correlation", "paper": "rakotomamonjy2003"},
        "sfm": {"method": "soft_sfm", "label": "SFM", "paper": "klement2010", "tune": {"C": [1.0, 10.0]}},
    },
}


def write_table(path, size):
    """Twelve columns, of which the third tells the diagnosis."""
    rng = np.random.default_rng(1)
    ill = np.arange(size) % 2 == 0
    X = rng.standard_normal((size, 12)) + 3.0 * np.outer(ill, np.arange(12) == 2)
    pd.DataFrame(X).add_prefix("gene_").assign(diagnosis=np.where(ill, "ill", "healthy")).to_csv(path, index=False)


def rows(path):
    with path.open() as file:
        return list(csv.DictReader(file))


def test_a_comparison_from_entries_to_the_published_run(project: Project):
    for name, size in (("first", 40), ("second", 60)):
        write_table(project.folder / f"{name}.csv", size)
    tables = {name: {"path": f"{name}.csv", "target": "diagnosis"} for name in ("first", "second")}
    project.edit("config/config.yaml", lambda config: config.update(own_data=tables))
    (project.folder / "config" / "comparisons" / "mine.yaml").write_text(yaml.safe_dump(ENTRY, sort_keys=False))
    done = project.run("mine", "results/reference/mine/provenance.json", "--config", "fidelity=paper")
    assert done.returncode == 0, done.stderr
    folder = project.folder / "results" / "paper"
    table = {row["selector"]: row for row in rows(folder / "tables" / "mine" / "comparison.csv")}
    assert set(table) == {"Random ranking", "Correlation", "SFM"}
    assert float(table["Correlation"]["mean_error"]) < float(table["Random ranking"]["mean_error"])
    assert float(table["Correlation"]["stability"]) > float(table["Random ranking"]["stability"])
    assert all(float(row["cpu_seconds"]) >= 0.0 for row in table.values())
    assert table["SFM"]["features_kept"]
    assert {row["trials"] for row in table.values()} == {"3"}
    page = (folder / "reports" / "mine.html").read_text()
    assert "Across the papers" in page
    assert "3 selectors on 2 data sets with 3 splits each." in page
    published = {path.name for path in (project.folder / "results" / "reference" / "mine").iterdir()}
    wanted = {"comparison.csv", "comparison.md", "comparison.txt", "figure_ranks.csv", "figure_ranks.png"}
    assert wanted | {"provenance.json"} <= published
