"""Measure a chunk of selections on the test data of their splits."""

from marginfs.engine import columns, evaluate, to_csv
from marginfs.files import read_json_lines, write_json, write_text
from marginfs.job import logged
from marginfs.protocol import Job
from marginfs.provenance import Measurement

with logged(snakemake.log[0]):
    measurement = Measurement()
    job = Job(**snakemake.params.job)
    start, stop = int(snakemake.wildcards.start), int(snakemake.wildcards.stop)
    rows = evaluate(job, start, stop, read_json_lines(snakemake.input.selections), "results/data")
    write_text(snakemake.output.measures, to_csv(columns(job), rows))
    write_json(snakemake.output.provenance, {**measurement.record(), "source": snakemake.params.source})
