"""The features of a user's own data in order of merit."""

import pandas as pd

from marginfs.data.dataset import load_dataset
from marginfs.files import write_frame, write_text
from marginfs.results.own_rankings import ranking_markdown, ranking_table
from marginfs.study.process import job

with job(snakemake):
    names = load_dataset(snakemake.input.data).feature_names
    table = ranking_table(pd.read_csv(snakemake.input.evaluation), names)
    write_frame(snakemake.output.csv, table)
    title = f"{snakemake.wildcards.own}: features in order of merit ({snakemake.wildcards.run})"
    write_text(snakemake.output.markdown, ranking_markdown(table, title))
