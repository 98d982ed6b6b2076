"""Write what a run will take."""

from marginfs.files import write_text
from marginfs.results.projection import projection_table
from marginfs.study.process import job

with job(snakemake):
    write_text(snakemake.output[0], projection_table(snakemake.input) + "\n")
