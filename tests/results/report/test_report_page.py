"""The report of whole, reduced, broken and other runs."""

from __future__ import annotations

import json
import re

import pandas as pd
import pytest

from marginfs.results.report.compose import compose
from marginfs.results.report.render import render_html
from marginfs.results.report.sections import ReportRequest
from report_run import REFERENCE, make_run


def page_of(request: dict) -> str:
    return render_html(compose(ReportRequest(**request)))


@pytest.fixture
def run(tmp_path):
    return make_run(tmp_path / "quick", ("klement2010",))


def test_a_reduced_run_has_the_full_run_beside_it(run, tmp_path):
    path = tmp_path / "quick" / "tables" / "klement2010" / "table_1.csv"
    cells = pd.read_csv(path)
    cells.loc[0, ["reproduced", "verdict"]] = [28.9, "compatible"]
    cells.to_csv(path, index=False)
    report = compose(ReportRequest(**run))
    paper = report.papers[0]
    assert paper.outcome.cells["compatible"] == 1
    assert paper.full is not None
    assert paper.full.cells["differs"] == 1
    first = paper.tables[0].grid.entries[0]
    assert (first.ours, first.verdict, first.full, first.full_verdict) == (
        "28.9 ± 4.6",
        "compatible",
        "32.6 ± 4.6",
        "differs",
    )
    assert all(note.run for note in paper.notes)
    html = render_html(report)
    assert "about the full run" in html
    assert "snakemake --cores 8 --config fidelity=paper klement2010" in html


def test_a_whole_full_run_needs_nothing_beside_it(run):
    report = compose(ReportRequest(**(run | {"run": "paper"})))
    assert report.papers[0].full is None
    assert report.papers[0].missing == ()
    assert "full run 32.6" not in render_html(report)


def test_another_reading_is_named_and_has_the_full_run_beside_it(run):
    changed = run | {"run": "paper+svm_bias=false", "reading": {"svm_bias": False}}
    report = compose(ReportRequest(**changed))
    choice = next(choice for choice in report.papers[0].choices if choice.name == "svm_bias")
    assert (choice.value, choice.changed) == ("false", True)
    assert choice.alternatives[0][0] == "true"
    assert report.papers[0].full is not None
    assert "Not the default reading: svm_bias = false." in render_html(report)


def test_alternatives_have_what_they_give_or_the_command_that_tells(run, tmp_path):
    assert "--config &#39;choices={klement2010: {svm_bias: false}}&#39; klement2010" in page_of(run)
    readings = tmp_path / "quick" / "readings" / "klement2010.csv"
    readings.parent.mkdir()
    readings.write_text("reading,cells,differs,changed\ndefault,15,1,0\nsvm_bias=false,15,0,1\n")
    assert "changes 1 of 15 verdicts; 0 numbers differ" in page_of(run)


def test_missing_data_says_what_to_do_and_which_tables_lack_it(tmp_path):
    run = make_run(tmp_path / "quick", ("rakotomamonjy2003",))
    path = tmp_path / "quick" / "tables" / "rakotomamonjy2003" / "table_3.csv"
    pd.read_csv(path).assign(reproduced=None, difference=None, trials=0, verdict="not run").to_csv(path, index=False)
    record = {"name": "colon", "status": "missing", "failures": [], "reason": "Could not download colon. Save it as x."}
    (tmp_path / "quick" / "data" / "colon.json").write_text(json.dumps(record))
    html = page_of(run)
    assert "1 data set is missing." in html
    assert "Could not download colon. Save it as x." in html
    assert re.search(r"\d\d numbers not run: colon could not be obtained\.", html)


def test_a_failed_run_shows_what_there_is_and_what_its_logs_say(run, tmp_path):
    folder = tmp_path / "quick"
    for name in ("tables/klement2010/table_1.csv", "claims/klement2010.csv", "provenance/klement2010.json"):
        (folder / name).unlink()
    (folder / "figures" / "klement2010" / "figure_1.png").unlink()
    for name, text in (("good", ""), ("bad", "split 3: the training data is not linearly separable\n")):
        (folder / "logs").mkdir(exist_ok=True)
        (folder / "logs" / f"{name}.log").write_text(text)
    report = compose(ReportRequest(**run))
    assert report.failures == (("logs/bad.log", "split 3: the training data is not linearly separable"),)
    assert report.papers[0].outcome.printed == 0
    assert report.papers[0].outcome.claims == {"not run": 7}
    html = render_html(report)
    assert html.count("Not made: a job behind it failed.") >= 2
    assert "not linearly separable" in html


def test_what_stands_in_files_cannot_become_markup(run):
    protocol = json.loads(json.dumps(run["papers"]["klement2010"]))
    protocol["title"] = "<script>alert(1)</script>"
    protocol["notes"] = [{"about": "table 1", "text": "a <b> and `x < y`"}]
    html = page_of(run | {"papers": {"klement2010": protocol}})
    assert "<script>alert" not in html
    assert "a &lt;b&gt; and <code>x &lt; y</code>" in html


def test_every_entry_is_found_again_in_its_file(run, tmp_path):
    html = page_of(run)
    entries = re.findall(
        r'data-row="([^"]*)" data-column="([^"]*)" data-metric="([^"]*)" title="[^"]*">'
        r'<span class="ours(?: best)?">([^<]*)<',
        html,
    )
    cells = pd.read_csv(REFERENCE / "klement2010" / "table_1.csv", dtype={"row": str}).set_index(
        ["row", "column", "metric"]
    )
    assert len(entries) == len(cells) == 15
    for row, column, metric, ours in entries:
        cell = cells.loc[(row, column, metric)]
        assert ours == f"{cell['reproduced']:.1f} ± {cell['reproduced_spread']:.1f}"


def test_numbers_of_a_note_stand_in_a_small_table(run):
    table = {"header": ["n", "printed"], "rows": [["20", "17.5 %"]]}
    protocol = {**run["papers"]["klement2010"], "notes": [{"about": "table 1", "text": "Two numbers.", "table": table}]}
    page = page_of({**run, "papers": {"klement2010": protocol}})
    assert "Numbers of the note on table 1" in page
    assert re.search(r'data-label="printed">17.5 %<', page)
