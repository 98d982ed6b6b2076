"""Publish a full run's numbers: the tidy tables, the curves, the claims, what tuning chose and their provenance."""

from pathlib import Path

from marginfs.results.publish import publish
from marginfs.study.process import job

with job(snakemake):
    files = {Path(path).name: path for path in snakemake.input.artefacts}
    if snakemake.input.claims:
        files["claims.csv"] = snakemake.input.claims[0]
    files |= {f"evaluation_{Path(path).name}": path for path in snakemake.input.tuned}
    publish(files, snakemake.input.provenance, Path(snakemake.output[0]).parent)
