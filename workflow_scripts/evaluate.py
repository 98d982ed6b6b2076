"""Measure what every selector found on a chunk of units, on the test data of their splits."""

from marginfs.files import read_json_lines, write_json, write_text
from marginfs.study.job_parameters import evaluation_from, plan_from, prepared_from
from marginfs.study.measures import to_csv
from marginfs.study.process import job, start_lean
from marginfs.study.provenance import Measurement
from marginfs.study.unit_jobs import columns, evaluate

with job(snakemake):
    start_lean()
    measurement = Measurement()
    params, start, stop = snakemake.params, int(snakemake.wildcards.start), int(snakemake.wildcards.stop)
    plan, prepared = plan_from(params.plan), prepared_from(params.plan, snakemake.input.data)
    files = dict(zip(params.selectors, snakemake.input.selections, strict=True))
    selections = {selector: read_json_lines(path) for selector, path in files.items()}
    rows = evaluate(plan, evaluation_from(params.evaluation), selections, start, stop, prepared)
    write_text(snakemake.output.measures, to_csv(columns(plan), rows))
    write_json(snakemake.output.provenance, {**measurement.record(), "source": params.source})
