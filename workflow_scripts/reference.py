"""Publish a full run's numbers: the tidy tables, the curves, the claims and their provenance."""

from marginfs.job import logged
from marginfs.report import publish

with logged(snakemake.log[0]):
    publish(snakemake.wildcards.paper, "results/paper", "results/reference")
