"""The features of a user's own data in order of merit."""

import pandas as pd

from marginfs.data.dataset import load_dataset
from marginfs.files import write_frame, write_text
from marginfs.job import logged
from marginfs.rankings import ranking_table, to_markdown

with logged(snakemake.log[0]):
    names = load_dataset(snakemake.input.data).feature_names
    table = ranking_table(pd.read_csv(snakemake.input.evaluation), names)
    write_frame(snakemake.output.csv, table)
    title = f"{snakemake.wildcards.own}: features in order of merit (fidelity {snakemake.wildcards.fidelity})"
    write_text(snakemake.output.markdown, to_markdown(table, title))
