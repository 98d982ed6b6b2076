"""Run one selector on a chunk of units."""

from marginfs.files import read_json_lines, write_json, write_json_lines
from marginfs.study.job_parameters import plan_from, prepared_from, selector_from
from marginfs.study.process import job, start_lean
from marginfs.study.provenance import Measurement
from marginfs.study.unit_jobs import select

with job(snakemake):
    start_lean()
    measurement = Measurement()
    params, start, stop = snakemake.params, int(snakemake.wildcards.start), int(snakemake.wildcards.stop)
    prepared = prepared_from(params.plan, snakemake.input.data)
    tuned = read_json_lines(snakemake.input.tuned[0]) if snakemake.input.tuned else None
    records = select(plan_from(params.plan), selector_from(params.selector), start, stop, prepared, tuned)
    write_json_lines(snakemake.output.selections, records)
    write_json(snakemake.output.provenance, {**measurement.record(), "source": params.source})
