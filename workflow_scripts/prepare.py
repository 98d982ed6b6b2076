"""Obtain, verify and prepare one data set."""

from marginfs.data.jobs import fetch_job
from marginfs.job import logged

with logged(snakemake.log[0]):
    fetch_job(
        snakemake.wildcards.data,
        snakemake.output.data,
        snakemake.output.provenance,
        catalogue="config/datasets.yaml",
        mirror=snakemake.params.mirror,
        choices=snakemake.params.choices,
        on_missing=snakemake.params.missing_data,
    )
