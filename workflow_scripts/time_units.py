"""Measure the CPU time of one selector on a chunk of units."""

from marginfs.files import read_json_lines, write_text
from marginfs.study.job_parameters import plan_from, prepared_from, selector_from
from marginfs.study.measures import to_csv
from marginfs.study.process import job, start_lean
from marginfs.study.unit_jobs import columns, time_units

with job(snakemake):
    start_lean()
    params, start = snakemake.params, int(snakemake.wildcards.start)
    stop = min(int(snakemake.wildcards.stop), params.units)
    plan, prepared = plan_from(params.plan), prepared_from(params.plan, snakemake.input.data)
    tuned = read_json_lines(snakemake.input.tuned[0]) if snakemake.input.tuned else None
    selector = selector_from(params.selector)
    rows = time_units(plan, selector, start, stop, prepared, repeats=params.repeats, tuned=tuned)
    write_text(snakemake.output.measures, to_csv(columns(plan), rows))
