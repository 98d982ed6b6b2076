"""Make one of the data sets that paper D draws once by scikit-learn."""

from marginfs.data.jobs import simulated_job
from marginfs.job import logged

with logged(snakemake.log[0]):
    simulated_job(snakemake.params.call, snakemake.output.data, snakemake.output.provenance)
