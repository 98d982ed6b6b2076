"""Obtain, verify and prepare one data set."""

from marginfs.data.data_jobs import prepare_data_set
from marginfs.study.process import job

with job(snakemake):
    prepare_data_set(
        snakemake.wildcards.data,
        snakemake.output.data,
        snakemake.output.provenance,
        recipe=snakemake.params.recipe,
        choices=snakemake.params.choices,
        mirror=snakemake.params.mirror,
        missing_data=snakemake.params.missing_data,
    )
