"""Run one selector on a chunk of units."""

from marginfs.engine import select
from marginfs.files import write_json, write_json_lines
from marginfs.job import logged, start_lean
from marginfs.protocol import Plan, Selector
from marginfs.provenance import Measurement

with logged(snakemake.log[0]):
    start_lean()
    measurement = Measurement()
    plan, selector = Plan(**snakemake.params.plan), Selector(**snakemake.params.selector)
    start, stop = int(snakemake.wildcards.start), int(snakemake.wildcards.stop)
    write_json_lines(snakemake.output.selections, select(plan, selector, start, stop, "results/data"))
    write_json(snakemake.output.provenance, {**measurement.record(), "source": snakemake.params.source})
