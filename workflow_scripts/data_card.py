"""Size, classes, source and content hash of every data set of a run."""

from marginfs.data.data_jobs import write_data_card
from marginfs.study.process import logged

with logged(snakemake.log[0]):
    write_data_card(snakemake.input.data, snakemake.input.provenance, snakemake.output.csv, snakemake.output.markdown)
