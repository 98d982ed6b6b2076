"""Snakemake logger plugin: progress with an estimate of the time left."""
