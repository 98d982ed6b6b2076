"""One table of a paper: CSV, Markdown and LaTeX."""

import pandas as pd

from marginfs.files import write_frame, write_text
from marginfs.results.evaluations import read_evaluations
from marginfs.results.latex_tables import to_latex
from marginfs.results.layouts import to_markdown
from marginfs.results.tables import build_table, caption
from marginfs.study.process import job
from marginfs.study.runs import split_run
from marginfs.study.table_specs import TableSpec

with job(snakemake):
    names, params = snakemake.wildcards, snakemake.params
    spec = TableSpec.from_config(params.spec, f"{names.paper}: tables.{names.number}")
    published = pd.read_csv(snakemake.input.published, dtype=str)
    evaluation = read_evaluations(snakemake.input.evaluations)
    table = build_table(spec, evaluation, published[published["table"] == names.number], params.trials)
    text = caption(spec, names.number, names.paper, split_run(names.run)[0], table, params.trials, params.reading)
    write_frame(snakemake.output.csv, table)
    write_text(snakemake.output.markdown, to_markdown(table, spec, text))
    latex = to_latex(table, spec, text, f"{names.paper}-{names.number}", spec.trials or params.trials)
    write_text(snakemake.output.latex, latex)
