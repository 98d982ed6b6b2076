"""Try a selector's options on inner splits."""

from marginfs.files import write_json, write_json_lines
from marginfs.study.job_parameters import evaluation_from, plan_from, prepared_from, selector_from
from marginfs.study.process import job, start_lean
from marginfs.study.provenance import Measurement
from marginfs.study.unit_jobs import tune

with job(snakemake):
    start_lean()
    measurement = Measurement()
    params, start, stop = snakemake.params, int(snakemake.wildcards.start), int(snakemake.wildcards.stop)
    prepared = prepared_from(params.plan, snakemake.input.data)
    plan, selector, evaluation = (
        plan_from(params.plan),
        selector_from(params.selector),
        evaluation_from(params.evaluation),
    )
    write_json_lines(snakemake.output.trials, tune(plan, selector, evaluation, start, stop, prepared))
    write_json(snakemake.output.provenance, {**measurement.record(), "source": params.source})
