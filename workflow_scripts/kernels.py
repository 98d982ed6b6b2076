"""Compile every numba kernel once, so that parallel jobs find it in the cache."""

from marginfs.job import logged
from marginfs.warm_up import run_every_selector

with logged(snakemake.log[0]):
    run_every_selector()
