"""Run one selector on a chunk of units."""

from marginfs.engine import select
from marginfs.files import write_json, write_json_lines
from marginfs.job import logged
from marginfs.protocol import Job
from marginfs.provenance import Measurement

with logged(snakemake.log[0]):
    measurement = Measurement()
    job = Job(**snakemake.params.job)
    start, stop = int(snakemake.wildcards.start), int(snakemake.wildcards.stop)
    write_json_lines(snakemake.output.selections, select(job, start, stop, "results/data"))
    write_json(snakemake.output.provenance, {**measurement.record(), "source": snakemake.params.source})
