"""Choose the options of every unit of a chunk."""

from itertools import chain

from marginfs.files import read_json_lines, write_json, write_json_lines
from marginfs.results.gather import total
from marginfs.study.process import job
from marginfs.study.protocol import Tuning
from marginfs.study.tuning import choose

with job(snakemake):
    records = chain.from_iterable(map(read_json_lines, snakemake.input.trials))
    write_json_lines(snakemake.output.tuned, choose(Tuning(**snakemake.params.tuning), records))
    write_json(snakemake.output.provenance, total(snakemake.input.provenance))
