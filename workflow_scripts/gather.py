"""One file of measures per experiment, and one of what it took to get them."""

from marginfs.files import write_json, write_text
from marginfs.gather import join_measures, total
from marginfs.job import logged

with logged(snakemake.log[0]):
    write_text(snakemake.output.measures, join_measures(snakemake.input.measures))
    write_json(snakemake.output.provenance, total([*snakemake.input.selected, *snakemake.input.evaluated]))
