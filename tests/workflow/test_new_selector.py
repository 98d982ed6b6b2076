"""A selector of the user's own, from one entry in the configuration to a row and a comparison."""

from __future__ import annotations

import csv

from conftest import Project

ENTRY = {"method": "marginfs:SupportFeatureMachine", "C": float("inf"), "provides": ["hyperplane"]}


def rows(path):
    with path.open() as file:
        return list(csv.DictReader(file))


def test_the_method_of_a_paper_under_another_name_gets_the_same_numbers(project: Project):
    project.edit("config/config.yaml", lambda config: config.update(my_selectors={"twin": ENTRY}))
    done = project.run("klement2010", "--config", "fidelity=smoke")
    assert done.returncode == 0, done.stderr
    folder = project.folder / "results" / "smoke+new=twin"
    cells = rows(folder / "tables" / "klement2010" / "table_1.csv")
    published = {cell["row"]: cell["reproduced"] for cell in cells if cell["column"] == "SFM"}
    new = {cell["row"]: cell["reproduced"] for cell in cells if cell["column"] == "twin (new)"}
    assert new
    assert all(value == published[row] for row, value in new.items() if value)
    assert {cell["verdict"] for cell in cells if cell["column"] == "twin (new)"} <= {"unpublished", "not run"}
    claims = {claim["claim"]: claim for claim in rows(folder / "claims" / "klement2010.csv")}
    assert claims["twin-against-sfm-toy"]["lower"] == claims["twin-against-sfm-toy"]["higher"]
    assert float(claims["twin-against-svm-toy"]["lower"]) < float(claims["twin-against-svm-toy"]["higher"])
    placed = rows(folder / "tables" / "my_selectors.csv")
    assert {(place["paper"], place["left_out_because"]) for place in placed if place["experiment"] == "toy"} == {
        ("klement2010", "")
    }
