"""Make one of the data sets that planas2021 draws once by scikit-learn."""

from marginfs.data.data_jobs import simulate_data_set
from marginfs.study.process import job

with job(snakemake):
    simulate_data_set(
        snakemake.wildcards.simulated,
        snakemake.output.data,
        snakemake.output.provenance,
        title=snakemake.params.title,
        call=snakemake.params.call,
    )
