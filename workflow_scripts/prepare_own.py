"""Read a user's own table."""

from marginfs.data.data_jobs import prepare_own_table
from marginfs.seals import seal
from marginfs.study.process import logged

with logged(snakemake.log[0]):
    prepare_own_table(
        snakemake.output.data, snakemake.output.provenance, name=snakemake.wildcards.own, **snakemake.params.options
    )
    seal(snakemake.output)
