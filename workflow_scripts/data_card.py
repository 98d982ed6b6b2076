"""Size, classes, source and content hash of every data set of a run."""

from marginfs.data.data_jobs import write_data_card
from marginfs.study.process import job

with job(snakemake):
    write_data_card(snakemake.input.data, snakemake.input.provenance, snakemake.output.csv, snakemake.output.markdown)
