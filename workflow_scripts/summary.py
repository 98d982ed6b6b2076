"""The page that a reviewer reads first."""

from pathlib import Path

from marginfs.files import write_text
from marginfs.results.summary import summary
from marginfs.study.process import job
from marginfs.study.runs import split_run

with job(snakemake):
    text = summary(
        Path(snakemake.output[0]).parent,
        split_run(snakemake.wildcards.run)[0],
        papers=snakemake.params.papers,
        claims=snakemake.params.claims,
        own_data=snakemake.params.own_data,
        data_provenance=snakemake.input.data,
        reading=snakemake.params.reading,
        tuned=snakemake.input.tuned,
    )
    write_text(snakemake.output[0], text)
