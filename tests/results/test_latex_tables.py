"""Tables as LaTeX: what stands in them, and that they fit a page."""

from __future__ import annotations

import re
import shutil
import subprocess

import pandas as pd
import pytest

from conftest import ROOT
from marginfs.results.latex_tables import LINES, TEXT_WIDTH, escape, to_latex
from marginfs.results.tables import COLUMNS
from marginfs.study.config import load_study
from marginfs.study.table_specs import TableSpec
from report_run import WIDE_PAPER, make_run

SPEC = TableSpec.from_config(
    {
        "title": "Test error",
        "experiment": "toy",
        "metric": "test_error",
        "unit": "%",
        "rows": {"by": "train", "title": "n"},
        "columns": {"by": "selector", "labels": {"svm": "SVM", "sfm": "SFM"}},
    },
    "tables.1",
)
DOCUMENT = r"""\documentclass{article}
\usepackage{booktabs}
\begin{document}
%s
\end{document}
"""


def test_cells_caption_label_and_legend():
    cells = [
        ("20", "SVM", "test_error", 28.8, 2.2, 29.0, 1.4, 100, 0.2, "match"),
        ("20", "SFM", "test_error", 17.5, None, 30.5, 0.7, 100, 13.0, "differs"),
    ]
    latex = to_latex(pd.DataFrame(cells, columns=COLUMNS), SPEC, "5 % of a_b", "key-1", 100)
    assert r"29.0 $\pm$ 1.4 \\ {[}28.8 $\pm$ 2.2{]} $=$" in latex
    assert r"30.5 $\pm$ 0.7 \\ {[}17.5{]} $\neq$" in latex
    assert r"\caption{5 \% of a\_b}" in latex
    assert r"\label{tab:key-1}" in latex
    assert r"Cells: reproduced $\pm$ standard deviation" in latex
    assert [latex.count(rule) for rule in (r"\toprule", r"\midrule", r"\bottomrule")] == [1, 1, 1]


def test_signs_that_latex_does_not_print_are_written_out():
    assert escape("R² ≤ 5 % of {a_b} ~ c\\d") == r"R$^2$ $\leq$ 5 \% of \{a\_b\} $\sim$ c\textbackslash{}d"


@pytest.fixture(scope="module")
def tables(tmp_path_factory) -> dict[str, str]:
    """Every table of four papers, forty of them with many columns."""
    folder = tmp_path_factory.mktemp("latex") / "quick"
    make_run(folder, wide=True)
    study = load_study({}, ROOT / "config")
    made = {}
    for path in sorted(folder.glob("tables/*/table_*.csv")):
        paper, number = path.parent.name, path.stem.removeprefix("table_")
        protocol = study.papers[paper].protocol
        spec = TableSpec.from_config(protocol["tables"][number], number)
        cells = pd.read_csv(path, dtype={"row": str, "column": str})
        made[f"{paper}-{number}"] = to_latex(cells, spec, spec.title, f"{paper}-{number}", protocol["trials"])
    assert len(made) > 40
    assert any(name.startswith(WIDE_PAPER) for name in made)
    return made


def test_wide_tables_are_continued_below_or_on_the_next_page(tables):
    wide = tables[f"{WIDE_PAPER}-5.20"]
    assert wide.count(r"\begin{table}") > 1
    assert wide.count(r"\label{") == 1
    assert "(continued)" in wide
    assert wide.isascii()
    for page in wide.split(r"\begin{table}")[1:]:
        assert page.count(r" \\ ") / page.count("{@{}l") < LINES
    assert TEXT_WIDTH == 345.0, "of the article class"


def test_no_table_is_too_wide_or_too_long(tables, tmp_path):
    latex = shutil.which("pdflatex")
    if not latex:
        pytest.skip("no pdflatex; on Debian: apt-get install texlive-latex-recommended")
    document = DOCUMENT % "\n\\clearpage\n".join(tables.values())
    (tmp_path / "all.tex").write_text(document, encoding="utf-8")
    command = [latex, "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", timeout=300)
    assert done.returncode == 0, done.stdout[-2000:]
    log = (tmp_path / "all.log").read_text(encoding="latin-1")
    assert re.findall(r"Overfull \\hbox.*|Float too large.*|LaTeX Warning: Reference.*", log) == []
