"""One file of measures per experiment, and one of what it took to get them."""

from marginfs.files import write_json, write_text
from marginfs.results.gather import count_ends, join_measures, total
from marginfs.study.process import job

with job(snakemake):
    write_text(snakemake.output.measures, join_measures(snakemake.input.measures, snakemake.params.columns))
    records = [*snakemake.input.selected, *snakemake.input.evaluated, *snakemake.input.tuned]
    write_json(snakemake.output.provenance, {**total(records), **count_ends(snakemake.input.selections)})
