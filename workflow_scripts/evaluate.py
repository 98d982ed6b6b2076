"""Measure what every selector found on a chunk of units, on the test data of their splits."""

from marginfs.engine import columns, evaluate, to_csv
from marginfs.files import read_json_lines, write_json, write_text
from marginfs.job import logged, start_lean
from marginfs.protocol import Plan
from marginfs.provenance import Measurement

with logged(snakemake.log[0]):
    start_lean()
    measurement = Measurement()
    plan, params = Plan(**snakemake.params.plan), snakemake.params
    start, stop = int(snakemake.wildcards.start), int(snakemake.wildcards.stop)
    files = dict(zip(params.selectors, snakemake.input.selections, strict=True))
    selections = {selector: read_json_lines(path) for selector, path in files.items()}
    rows = evaluate(plan, params.evaluation, selections, start, stop, "results/data")
    write_text(snakemake.output.measures, to_csv(columns(plan), rows))
    write_json(snakemake.output.provenance, {**measurement.record(), "source": params.source})
