"""Measure what a few units of an experiment take."""

from marginfs.files import write_json
from marginfs.study.job_parameters import evaluation_from, plan_from, prepared_from, selector_from
from marginfs.study.process import job, start_lean
from marginfs.study.unit_sample import sample_units

with job(snakemake):
    start_lean()
    params = snakemake.params
    plan, prepared = plan_from(params.plan), prepared_from(params.plan, snakemake.input.data)
    selectors = [selector_from(selector) for selector in params.selectors]
    write_json(
        snakemake.output[0],
        sample_units(plan, params.trials, selectors, evaluation_from(params.evaluation), prepared, params.shared),
    )
