"""The ranked features of a user's own data, and how good the selectors are."""

import pandas as pd

from marginfs.data.dataset import load_dataset
from marginfs.files import write_frame, write_text
from marginfs.results.own_rankings import ranking_markdown, ranking_table
from marginfs.results.own_summary import comparison_table, summary_markdown, summary_table
from marginfs.study.own_study import overlap_of
from marginfs.study.process import job

with job(snakemake):
    dataset, evaluation = load_dataset(snakemake.input.data), pd.read_csv(snakemake.input.evaluation)
    final = pd.read_csv(snakemake.input.final)
    names, overlap = dataset.feature_names, overlap_of(snakemake.params.train, len(dataset.y))
    table = ranking_table(final, evaluation, names)
    write_frame(snakemake.output.csv, table)
    title = f"{snakemake.wildcards.own}: ranked features ({snakemake.wildcards.run})"
    write_text(snakemake.output.markdown, ranking_markdown(table, title))
    summary, comparisons = summary_table(evaluation, len(names), overlap), comparison_table(evaluation, overlap)
    write_frame(snakemake.output.summary, summary)
    write_frame(snakemake.output.comparisons, comparisons)
    title = f"{snakemake.wildcards.own}: selectors ({snakemake.wildcards.run})"
    write_text(snakemake.output.summary_markdown, summary_markdown(summary, comparisons, title))
