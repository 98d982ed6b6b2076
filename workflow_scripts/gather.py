"""One file of measures per experiment, and one of what it took to get them."""

from marginfs.files import write_json, write_text
from marginfs.results.gather import count_ends, join_measures, total, trials_in
from marginfs.study.process import job
from marginfs.study.provenance import commit

with job(snakemake):
    text = join_measures(snakemake.input.measures, snakemake.params.columns)
    write_text(snakemake.output.measures, text)
    records = [*snakemake.input.selected, *snakemake.input.evaluated, *snakemake.input.tuned]
    told = {"commit": commit(snakemake.scriptdir), "trials": trials_in(text, snakemake.params.points)}
    write_json(snakemake.output.provenance, {**total(records), **count_ends(snakemake.input.selections), **told})
