"""Read a user's own table."""

from marginfs.data.jobs import own_job
from marginfs.job import logged

with logged(snakemake.log[0]):
    own_job(
        snakemake.output.data, snakemake.output.provenance, name=snakemake.wildcards.own, **snakemake.params.options
    )
