"""The page that a reviewer reads first."""

from marginfs.files import write_text
from marginfs.job import logged
from marginfs.report import summary

with logged(snakemake.log[0]):
    folder = snakemake.output[0].removesuffix("summary.md")
    write_text(
        snakemake.output[0],
        summary(folder, snakemake.wildcards.fidelity, snakemake.params.papers, snakemake.params.claims),
    )
