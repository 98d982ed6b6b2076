"""A comparison of selectors: one table, one paragraph."""

from marginfs.files import write_frame, write_text
from marginfs.results.comparison_table import comparison_markdown, comparison_paragraph, comparison_table
from marginfs.results.evaluations import read_evaluations
from marginfs.study.process import job

with job(snakemake):
    shown = snakemake.params.shown
    evaluation = read_evaluations(snakemake.input.evaluations)
    table = comparison_table(evaluation, read_evaluations(snakemake.input.timings), shown)
    paragraph = comparison_paragraph(evaluation, table, shown)
    write_frame(snakemake.output.csv, table)
    write_text(snakemake.output.text, f"{paragraph}\n")
    write_text(snakemake.output.markdown, comparison_markdown(snakemake.params.title, paragraph, table, shown))
