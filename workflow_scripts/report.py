"""The page that a reviewer reads first."""

from marginfs.results.report.write import write_report
from marginfs.study.process import job

with job(snakemake):
    write_report(snakemake.params.request, snakemake.output[0])
