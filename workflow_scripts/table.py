"""One table of a paper: CSV, Markdown and LaTeX."""

import pandas as pd

from marginfs.files import write_frame, write_text
from marginfs.job import logged
from marginfs.tables import build_table, caption, read_evaluations, to_latex, to_markdown

with logged(snakemake.log[0]):
    spec, number = snakemake.params.spec, snakemake.wildcards.number
    published = pd.read_csv(snakemake.input.published, dtype=str)
    table = build_table(
        spec,
        evaluation=read_evaluations(snakemake.input.evaluations),
        published=published[published["table"] == number],
        trials=snakemake.params.trials,
    )
    text = caption(
        spec, number, snakemake.wildcards.paper, snakemake.wildcards.fidelity, table, snakemake.params.trials
    )
    write_frame(snakemake.output.csv, table)
    write_text(snakemake.output.markdown, to_markdown(table, spec, text))
    write_text(snakemake.output.latex, to_latex(table, spec, text))
