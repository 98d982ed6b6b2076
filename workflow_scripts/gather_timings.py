"""One file of CPU times per experiment."""

from marginfs.files import write_text
from marginfs.results.gather import join_measures
from marginfs.study.process import job

with job(snakemake):
    write_text(snakemake.output.measures, join_measures(snakemake.input.measures, snakemake.params.columns))
