"""Size, classes, source and content hash of every data set of a run."""

from marginfs.data.jobs import card_job
from marginfs.job import logged

with logged(snakemake.log[0]):
    card_job(snakemake.input.data, snakemake.input.provenance, snakemake.output.csv, snakemake.output.markdown)
