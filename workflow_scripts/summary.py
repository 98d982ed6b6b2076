"""The page that a reviewer reads first."""

from marginfs.files import write_text
from marginfs.job import logged
from marginfs.report import summary

with logged(snakemake.log[0]):
    text = summary(
        snakemake.output[0].removesuffix("summary.md"),
        snakemake.wildcards.fidelity,
        papers=snakemake.params.papers,
        claims=snakemake.params.claims,
        own_data=snakemake.params.own_data,
        data_provenance=snakemake.input.data,
    )
    write_text(snakemake.output[0], text)
